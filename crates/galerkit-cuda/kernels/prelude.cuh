// prelude.cuh: in front of every kernel. Before it stand the lines that choose the scalar, and the same in single
// precision: typedef double Real; typedef float SingleReal; template <class R> struct ComplexOf; typedef
// ComplexOf<Real> Complex; typedef ComplexOf<SingleReal> SingleComplex; typedef Real Scalar; typedef SingleReal Single;
// Sums have a fixed order for a given launch shape, so equal input gives equal bits. Oracle: backend/reference.rs.

typedef unsigned long long Offset;

template <class R> struct ComplexOf {
    R re, im;
    __device__ ComplexOf operator+(ComplexOf b) const { return {re + b.re, im + b.im}; }
    __device__ ComplexOf operator-(ComplexOf b) const { return {re - b.re, im - b.im}; }
    __device__ ComplexOf operator-() const { return {-re, -im}; }
    __device__ ComplexOf operator*(ComplexOf b) const { return {re * b.re - im * b.im, re * b.im + im * b.re}; }
    __device__ void operator+=(ComplexOf b) { re += b.re; im += b.im; }
    __device__ void operator-=(ComplexOf b) { re -= b.re; im -= b.im; }
};

// Smith's division: no overflow of |b|^2.
template <class R> __device__ inline ComplexOf<R> operator/(ComplexOf<R> a, ComplexOf<R> b) {
    if (fabs(b.re) >= fabs(b.im)) {
        const R t = b.im / b.re, d = b.re + b.im * t;
        return {(a.re + a.im * t) / d, (a.im - a.re * t) / d};
    }
    const R t = b.re / b.im, d = b.re * t + b.im;
    return {(a.re * t + a.im) / d, (a.im * t - a.re) / d};
}

template <class R> __device__ inline R real(R a) { return a; }
template <class R> __device__ inline R real(ComplexOf<R> a) { return a.re; }
template <class R> __device__ inline R conj(R a) { return a; }
template <class R> __device__ inline ComplexOf<R> conj(ComplexOf<R> a) { return {a.re, -a.im}; }
template <class R> __device__ inline bool is_zero(R a) { return a == R(0); }
template <class R> __device__ inline bool is_zero(ComplexOf<R> a) { return a.re == R(0) && a.im == R(0); }
template <class R> __device__ inline bool is_finite(R a) { return isfinite(a); }
template <class R> __device__ inline bool is_finite(ComplexOf<R> a) { return isfinite(a.re) && isfinite(a.im); }
template <class R> __device__ inline R modulus(R a) { return fabs(a); }
template <class R> __device__ inline R modulus(ComplexOf<R> a) { return hypot(a.re, a.im); }
template <class R> __device__ inline R modulus_squared(R a) { return a * a; }
template <class R> __device__ inline R modulus_squared(ComplexOf<R> a) { return a.re * a.re + a.im * a.im; }
__device__ inline Real square_root(Real a) { return sqrt(a); }
__device__ inline Complex square_root(Complex a) {
    if (is_zero(a)) return {Real(0), a.im};
    if (isnan(a.re) || isnan(a.im)) return {a.re + a.im, a.re + a.im};
    const Real t = sqrt((fabs(a.re) + modulus(a)) / 2), s = fabs(a.im) / (2 * t);
    return a.re >= 0 ? Complex{t, copysign(s, a.im)} : Complex{s, copysign(t, a.im)};
}
__device__ inline SingleReal to_single(Real a) { return SingleReal(a); }
__device__ inline SingleComplex to_single(Complex a) { return {SingleReal(a.re), SingleReal(a.im)}; }
__device__ inline Real widen(SingleReal a) { return Real(a); }
__device__ inline Complex widen(SingleComplex a) { return {Real(a.re), Real(a.im)}; }
// The larger of two; NaN if one is.
template <class R> __device__ inline R larger(R a, R b) { return isnan(a) || b <= a ? a : b; }
__device__ inline void set(Real &out, double re, double) { out = Real(re); }
__device__ inline void set(Complex &out, double re, double im) { out = {Real(re), Real(im)}; }
__device__ inline Scalar scalar(double re, double im = 0) { Scalar out; set(out, re, im); return out; }
__device__ inline Scalar zero() { return scalar(0); }

// Threads of the whole launch. Loops stride by thread_count(), so any number of whole warps is correct.
__device__ inline Offset thread_index() { return Offset(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline Offset thread_count() { return Offset(gridDim.x) * blockDim.x; }

// Shared memory of a block for one map at a time, between barriers of the whole block: a kernel may call many maps, and
// with a room for each of them it would have more than it may.
constexpr unsigned SCRATCH_BYTES = 16400;
__device__ inline void *scratch() {
    __shared__ double2 room[SCRATCH_BYTES / sizeof(double2)];
    return room;
}

// Reads what is used once and must not push vectors out of the caches. (Keeping it out of the first level altogether,
// by L1::no_allocate with a policy for the second, was no faster for large matrices and slower for small ones.)
template <class T> __device__ inline T stream(const T *p) { return __ldcs(p); }
template <class R> struct Vector2;
template <> struct Vector2<float> { typedef float2 Type; };
template <> struct Vector2<double> { typedef double2 Type; };
template <class R> __device__ inline ComplexOf<R> stream(const ComplexOf<R> *p) {
    const typename Vector2<R>::Type v = __ldcs(reinterpret_cast<const typename Vector2<R>::Type *>(p));
    return {v.x, v.y};
}

// An entry of x in a product. Vectors change while a persistent kernel runs: a plain load, whole.
template <class R> __device__ inline R gather(const R *x) { return *x; }
template <class R> __device__ inline ComplexOf<R> gather(const ComplexOf<R> *x) {
    const typename Vector2<R>::Type v = *reinterpret_cast<const typename Vector2<R>::Type *>(x);
    return {v.x, v.y};
}

// The first lane's value, in every lane of the warp.
template <class R> __device__ inline R from_first_lane(R a) { return __shfl_sync(0xffffffffu, a, 0); }
template <class R> __device__ inline ComplexOf<R> from_first_lane(ComplexOf<R> a) {
    return {__shfl_sync(0xffffffffu, a.re, 0), __shfl_sync(0xffffffffu, a.im, 0)};
}

// The value of the lane `offset` above, inside teams of `width` lanes.
template <class R> __device__ inline R shuffle_down(unsigned mask, R a, unsigned offset, unsigned width) {
    return __shfl_down_sync(mask, a, offset, width);
}
template <class R>
__device__ inline ComplexOf<R> shuffle_down(unsigned mask, ComplexOf<R> a, unsigned offset, unsigned width) {
    return {__shfl_down_sync(mask, a.re, offset, width), __shfl_down_sync(mask, a.im, offset, width)};
}

// Sum over a team of WIDTH lanes (a power of two, at most 32), valid in its first lane. The whole warp must call it.
template <unsigned WIDTH, class T> __device__ inline T team_sum(T a) {
    for (unsigned offset = WIDTH / 2; offset > 0; offset /= 2) a += shuffle_down(0xffffffffu, a, offset, WIDTH);
    return a;
}
