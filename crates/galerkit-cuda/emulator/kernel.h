// kernel.h: in front of every kernel that the emulator compiles: the words of CUDA C++ in those of C++. Threads are fibres of one
// thread of the host (threads.cpp), so atomic operations are plain ones, and what a thread has written is seen by all.
// Each resident block has the object's variables for itself (module.cpp): so shared memory is static.
#pragma once
#include "device.h"

#define __device__
#define __host__
#define __global__
#define __noinline__
#define __grid_constant__
#define __constant__
#define __shared__ static
#define __launch_bounds__(...)

extern "C" const int emulated_architecture = __CUDA_ARCH__;
static emulated::Device *emulated_device;
extern "C" void emulated_bind(emulated::Device *device) { emulated_device = device; }
// An address that every copy of the object has: what tells how far apart the copies are.
extern "C" void *emulated_origin() { return &emulated_device; }
#define threadIdx (emulated_device->thread)
#define blockIdx (emulated_device->block)
#define blockDim (emulated_device->threads)
#define gridDim (emulated_device->blocks)

// A kernel has one argument, a struct.
template <class Args> void emulated_call(void (*kernel)(Args), const void *args) { kernel(*static_cast<const Args *>(args)); }
template <class Args> constexpr unsigned long emulated_size(void (*)(Args)) { return sizeof(Args); }

struct alignas(8) float2 { float x, y; };
struct alignas(16) double2 { double x, y; };
struct alignas(16) ulonglong2 { unsigned long long x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

// No headers: most of the time of a small kernel's compilation would be theirs.
inline float fabs(float a) { return __builtin_fabsf(a); }
inline double fabs(double a) { return __builtin_fabs(a); }
inline float sqrt(float a) { return __builtin_sqrtf(a); }
inline double sqrt(double a) { return __builtin_sqrt(a); }
inline float hypot(float a, float b) { return __builtin_hypotf(a, b); }
inline double hypot(double a, double b) { return __builtin_hypot(a, b); }
inline float copysign(float a, float b) { return __builtin_copysignf(a, b); }
inline double copysign(double a, double b) { return __builtin_copysign(a, b); }
inline float fmax(float a, float b) { return __builtin_fmaxf(a, b); }
inline double fmax(double a, double b) { return __builtin_fmax(a, b); }
inline float exp(float a) { return __builtin_expf(a); }
inline double exp(double a) { return __builtin_exp(a); }
inline float log(float a) { return __builtin_logf(a); }
inline double log(double a) { return __builtin_log(a); }
inline float sin(float a) { return __builtin_sinf(a); }
inline double sin(double a) { return __builtin_sin(a); }
inline float cos(float a) { return __builtin_cosf(a); }
inline double cos(double a) { return __builtin_cos(a); }
inline float pow(float a, float b) { return __builtin_powf(a, b); }
inline double pow(double a, double b) { return __builtin_pow(a, b); }
inline float atan2(float a, float b) { return __builtin_atan2f(a, b); }
inline double atan2(double a, double b) { return __builtin_atan2(a, b); }
template <class R> inline bool isnan(R a) { return __builtin_isnan(a); }
template <class R> inline bool isfinite(R a) { return __builtin_isfinite(a); }
inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
inline int __clz(unsigned a) { return a ? __builtin_clz(a) : 32; }
inline int __ffs(unsigned a) { return __builtin_ffs(int(a)); }
inline int __popc(unsigned a) { return __builtin_popcount(a); }
inline float __fmul_rn(float a, float b) { return a * b; }
inline double __dmul_rn(double a, double b) { return a * b; }
template <class To, class From> inline To emulated_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
inline float __uint_as_float(unsigned a) { return emulated_bits<float>(a); }
inline unsigned __float_as_uint(float a) { return emulated_bits<unsigned>(a); }
inline double __longlong_as_double(long long a) { return emulated_bits<double>(a); }
inline long long __double_as_longlong(double a) { return emulated_bits<long long>(a); }

template <class T> inline T __ldcs(const T *p) { return *p; }
template <class T> inline void __stcs(T *p, T a) { *p = a; }
template <class T> inline T atomicAdd(T *p, T a) { const T before = *p; *p += a; return before; }
template <class T> inline T atomicMin(T *p, T a) { const T before = *p; if (a < *p) *p = a; return before; }
template <class T> inline T atomicCAS(T *p, T expected, T a) { const T before = *p; if (before == expected) *p = a; return before; }
template <class T> inline T atomicOr(T *p, T a) { const T before = *p; *p |= a; return before; }
template <class T> inline T atomicMax(T *p, T a) { const T before = *p; if (a > *p) *p = a; return before; }

inline void __syncthreads() { emulated_device->barrier(); }
inline void __nanosleep(unsigned) { emulated_device->pause(); }
inline void __threadfence() {}

using emulated::Deed;
inline void __syncwarp(unsigned mask = 0xffffffffu) { emulated_device->together({Deed::Meet, mask, 0, 0}); }
inline unsigned __ballot_sync(unsigned mask, bool a) { return unsigned(emulated_device->together({Deed::Ballot, mask, a, 0})); }
inline bool __all_sync(unsigned mask, bool a) { return emulated_device->together({Deed::All, mask, a, 0}); }
inline bool __any_sync(unsigned mask, bool a) { return emulated_device->together({Deed::Any, mask, a, 0}); }
inline unsigned __match_any_sync(unsigned mask, unsigned a) { return unsigned(emulated_device->together({Deed::Match, mask, a, 0})); }

// The value of another lane. Where there is none inside of the team of `width` lanes, a lane gets its own.
template <class T> inline T emulated_shuffle(unsigned mask, T a, unsigned source) {
    unsigned long long word = 0;
    static_assert(sizeof a <= sizeof word);
    __builtin_memcpy(&word, &a, sizeof a);
    word = emulated_device->together({Deed::Shuffle, mask, word, source});
    __builtin_memcpy(&a, &word, sizeof a);
    return a;
}
inline unsigned emulated_lane() { return threadIdx.x % 32; }
template <class T> inline T __shfl_sync(unsigned mask, T a, unsigned source, unsigned width = 32) {
    return emulated_shuffle(mask, a, emulated_lane() / width * width + source % width);
}
template <class T> inline T __shfl_up_sync(unsigned mask, T a, unsigned offset, unsigned width = 32) {
    const unsigned lane = emulated_lane();
    return emulated_shuffle(mask, a, lane % width >= offset ? lane - offset : lane);
}
template <class T> inline T __shfl_down_sync(unsigned mask, T a, unsigned offset, unsigned width = 32) {
    const unsigned lane = emulated_lane();
    return emulated_shuffle(mask, a, lane % width + offset < width ? lane + offset : lane);
}
template <class T> inline T __shfl_xor_sync(unsigned mask, T a, unsigned bits, unsigned width = 32) {
    const unsigned lane = emulated_lane(), other = lane ^ bits;
    return emulated_shuffle(mask, a, other / width <= lane / width ? other : lane);
}
inline unsigned __reduce_max_sync(unsigned mask, unsigned a) {
    for (unsigned bits = 16; bits > 0; bits /= 2) { const unsigned other = __shfl_xor_sync(mask, a, bits); a = other > a ? other : a; }
    return a;
}
inline unsigned __reduce_min_sync(unsigned mask, unsigned a) { return ~__reduce_max_sync(mask, ~a); }

// What kernels/ptx.cuh has for a GPU.
inline void after_previous_kernel() {}
inline unsigned add_acquire_release(unsigned *p, unsigned a) { return atomicAdd(p, a); }
template <class R> inline R fast_reciprocal(R a) { return R(1) / a; }
inline void multiply_add_tile(double (&C)[2], double A, double B) {
    const unsigned lane = emulated_lane(), row = lane / 4, col = lane % 4 * 2;
    for (unsigned k = 0; k < 4; ++k) {
        const double a = emulated_shuffle(~0u, A, row * 4 + k);
        C[0] += a * emulated_shuffle(~0u, B, col * 4 + k);
        C[1] += a * emulated_shuffle(~0u, B, col * 4 + 4 + k);
    }
}
inline void add_release(unsigned *p, unsigned a) { *p += a; }
inline unsigned load_acquire(const unsigned *p) { emulated_device->pause(); return *p; }
inline void add_release_in_block(unsigned *p, unsigned a) { add_release(p, a); }
inline unsigned load_acquire_in_block(const unsigned *p) { return load_acquire(p); }
template <class T> inline T load_relaxed(const T *p) { return *p; }
template <class T> inline void store_relaxed(T *p, T a) { *p = a; }
template <class T> inline T *in_block(T *p, unsigned rank) { return static_cast<T *>(emulated_device->elsewhere(p, rank)); }
inline void group_barrier(unsigned which, unsigned threads) { emulated_device->group_barrier(which, threads); }
inline void cluster_barrier() { emulated_device->cluster_barrier(); }
