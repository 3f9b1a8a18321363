// prelude.cuh: in front of every kernel. Before it stand two lines that choose the scalar:
//   typedef double Real; struct Complex; typedef Real Scalar;          (or `typedef Complex Scalar;`, or float)
// Sums have a fixed order for a given launch shape, so equal input gives equal bits. Oracle: backend/reference.rs.

typedef unsigned long long Offset;

struct Complex {
    Real re, im;
    __device__ Complex operator+(Complex b) const { return {re + b.re, im + b.im}; }
    __device__ Complex operator-(Complex b) const { return {re - b.re, im - b.im}; }
    __device__ Complex operator-() const { return {-re, -im}; }
    __device__ Complex operator*(Complex b) const { return {re * b.re - im * b.im, re * b.im + im * b.re}; }
    __device__ void operator+=(Complex b) { re += b.re; im += b.im; }
    __device__ void operator-=(Complex b) { re -= b.re; im -= b.im; }
};

// Smith's division: no overflow of |b|^2.
__device__ inline Complex operator/(Complex a, Complex b) {
    if (fabs(b.re) >= fabs(b.im)) {
        const Real t = b.im / b.re, d = b.re + b.im * t;
        return {(a.re + a.im * t) / d, (a.im - a.re * t) / d};
    }
    const Real t = b.re / b.im, d = b.re * t + b.im;
    return {(a.re * t + a.im) / d, (a.im * t - a.re) / d};
}

__device__ inline Real real(Real a) { return a; }
__device__ inline Real real(Complex a) { return a.re; }
__device__ inline Real conj(Real a) { return a; }
__device__ inline Complex conj(Complex a) { return {a.re, -a.im}; }
__device__ inline bool is_zero(Real a) { return a == Real(0); }
__device__ inline bool is_zero(Complex a) { return a.re == Real(0) && a.im == Real(0); }
__device__ inline bool is_finite(Real a) { return isfinite(a); }
__device__ inline bool is_finite(Complex a) { return isfinite(a.re) && isfinite(a.im); }
__device__ inline Real modulus(Real a) { return fabs(a); }
__device__ inline Real modulus(Complex a) { return hypot(a.re, a.im); }
__device__ inline Real square_root(Real a) { return sqrt(a); }
__device__ inline Complex square_root(Complex a) {
    if (is_zero(a)) return {Real(0), a.im};
    if (isnan(a.re) || isnan(a.im)) return {a.re + a.im, a.re + a.im};
    const Real t = sqrt((fabs(a.re) + modulus(a)) / 2), s = fabs(a.im) / (2 * t);
    return a.re >= 0 ? Complex{t, copysign(s, a.im)} : Complex{s, copysign(t, a.im)};
}
__device__ inline void set(Real &out, double re, double) { out = Real(re); }
__device__ inline void set(Complex &out, double re, double im) { out = {Real(re), Real(im)}; }
__device__ inline Scalar scalar(double re, double im = 0) { Scalar out; set(out, re, im); return out; }
__device__ inline Scalar zero() { return scalar(0); }

// Threads of the whole launch. Loops stride by thread_count(), so any number of whole warps is correct.
__device__ inline Offset thread_index() { return Offset(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline Offset thread_count() { return Offset(gridDim.x) * blockDim.x; }

// Reads what is used once and must not push vectors out of the caches. (Keeping it out of the first level altogether,
// by L1::no_allocate with a policy for the second, was no faster for large matrices and slower for small ones.)
template <class T> __device__ inline T stream(const T *p) { return __ldcs(p); }
template <class R> struct Vector2;
template <> struct Vector2<float> { typedef float2 Type; };
template <> struct Vector2<double> { typedef double2 Type; };
__device__ inline Complex stream(const Complex *p) {
    const Vector2<Real>::Type v = __ldcs(reinterpret_cast<const Vector2<Real>::Type *>(p));
    return {v.x, v.y};
}

// The value of the lane `offset` above, inside teams of `width` lanes.
__device__ inline Real shuffle_down(unsigned mask, Real a, unsigned offset, unsigned width) {
    return __shfl_down_sync(mask, a, offset, width);
}
__device__ inline Complex shuffle_down(unsigned mask, Complex a, unsigned offset, unsigned width) {
    return {__shfl_down_sync(mask, a.re, offset, width), __shfl_down_sync(mask, a.im, offset, width)};
}

// Sum over a team of WIDTH lanes (a power of two, at most 32), valid in its first lane. The whole warp must call it.
template <unsigned WIDTH> __device__ inline Scalar team_sum(Scalar a) {
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2) a += shuffle_down(0xffffffffu, a, offset, WIDTH);
    return a;
}

// Sum over the block, valid in every thread. The whole block must call it; blocks are whole warps.
__device__ inline Scalar block_sum(Scalar a) {
    __shared__ Scalar warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    a = team_sum<32>(a);
    __syncthreads();                                    // whoever still reads the sums of the last call
    if (lane == 0) warp_sums[warp] = a;
    __syncthreads();
    a = zero();
    for (unsigned w = 0; w < warps; ++w) a += warp_sums[w];
    return a;
}
