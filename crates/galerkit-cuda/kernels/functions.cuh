// functions.cuh: the functions of pointwise closures, for real and complex scalars. After prelude.cuh, only where a
// program has some. Oracle: program/pointwise.rs.

__device__ inline Real exponential(Real a) { return exp(a); }
__device__ inline Real logarithm(Real a) { return log(a); }
__device__ inline Real power(Real a, Real b) { return pow(a, b); }
__device__ inline Complex exponential(Complex a) {
    const Real size = exp(a.re);
    return {size * cos(a.im), size * sin(a.im)};
}
__device__ inline Complex logarithm(Complex a) { return {log(modulus(a)), atan2(a.im, a.re)}; }
// a^b = e^(b log a); 0 to any power but 0 is 0.
__device__ inline Complex power(Complex a, Complex b) {
    if (is_zero(b)) return {Real(1), Real(0)};
    if (is_zero(a)) return {Real(0), Real(0)};
    return exponential(b * logarithm(a));
}
