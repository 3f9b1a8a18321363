// rounded.cuh: products that are rounded before they are added, as the host rounds them: no fused multiply-add, same
// bits. After prelude.cuh.

__device__ inline float rounded(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double rounded(double a, double b) { return __dmul_rn(a, b); }
__device__ inline Real times(Real a, Real b) { return rounded(a, b); }
__device__ inline Complex times(Complex a, Complex b) {
    return {rounded(a.re, b.re) - rounded(a.im, b.im), rounded(a.re, b.im) + rounded(a.im, b.re)};
}
