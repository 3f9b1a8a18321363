// solver.cuh: what generated kernels share: the state of a loop, the monitor, sums over blocks, the barrier of the
// persistent kernel. After prelude.cuh. Host side: ring.rs (State, ring), generate.rs (the kernels).

// Kernels of a graph are launched before the kernel in front of them has ended (programmatic dependent launch, from
// compute capability 9.0 on): each waits here until what that one wrote is there, and then lets the next be launched.
__device__ inline void after_previous_kernel() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// How a loop stands. The host fills it in before the loop; members in the order of ring.rs.
struct State {
    Offset word;                       // 0 goes on, 1 the monitor has ended it, 2 nothing runs any more
    Offset iteration;                  // iterations completed
    double threshold;                  // converged at or below
    double divergence;                 // diverged above
    double best;                       // least norm so far
    Offset best_at;                    // when it was
    Offset limit;                      // most iterations
    Offset patience;                   // iterations without a new least norm before giving up; 0: any number
    Offset known;                      // entries of the ring that are written: iterations, and one more for a failure
    Offset published;                  // entries that the host has been told
    double *ring;                      // the norm after each iteration, or a failure
    volatile double *pinned;           // the same in host memory
    Offset mask;                       // entries of the ring, less one
};

// The norm after an iteration; the same questions in the same order as krylov/stop.rs. Whether the loop has ended.
// Where several blocks keep a copy of the state, one of them writes the ring.
__device__ inline bool observe(State &s, double norm, bool write = true) {
    if (write) s.ring[s.iteration & s.mask] = norm;
    const Offset done = s.known = ++s.iteration;
    if (norm < s.best) { s.best = norm; s.best_at = done; }
    const bool stagnated = s.patience > 0 && s.threshold > 0 && done - s.best_at >= s.patience;
    return !isfinite(norm) || norm <= s.threshold || norm == 0 || norm > s.divergence || done >= s.limit || stagnated;
}

// A failed test, told through the ring as a NaN that no computation makes: see ring.rs.
__device__ inline void report_failure(State &s, unsigned code) {
    s.ring[s.iteration & s.mask] = __longlong_as_double(0xfffe000000000000ull | code);
    s.known = s.iteration + 1;
}

// Tells the host what is new, by one block. Norms go there in batches, because a write to host memory keeps the next
// fence or the end of a kernel waiting for a microsecond.
__device__ inline void publish(State &s) {
    const Offset known = s.known;
    for (Offset i = s.published + threadIdx.x; i < known; i += blockDim.x) s.pinned[i & s.mask] = s.ring[i & s.mask];
    __syncthreads();
    if (threadIdx.x == 0) s.published = known;
}

__device__ inline bool positive(Scalar a) { return is_finite(a) && real(a) > 0; }
__device__ inline bool nonzero(Scalar a) { return is_finite(a) && !is_zero(a); }

// Two numbers become one: their sum, or the larger of two that are not negative.
template <bool LARGEST> __device__ inline Scalar join(Scalar a, Scalar b) {
    if constexpr (LARGEST) return scalar(larger(real(a), real(b)));
    else return a + b;
}
template <bool LARGEST> __device__ inline Scalar warp_join(Scalar a) {
    for (unsigned offset = 16; offset > 0; offset /= 2) a = join<LARGEST>(a, shuffle_down(0xffffffffu, a, offset, 32));
    return a;
}

// Says that this block is done; true in every thread of the block that came last, which then sees what all have written.
__device__ inline bool last_to_arrive(unsigned *ticket) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(ticket) : "memory");
        last = before == gridDim.x - 1;
        if (last) *ticket = 0;                          // for the next launch
    }
    __syncthreads();
    return last;
}

// Joins N numbers over the block, in a fixed order; the first thread stores them as the block's, `stride` apart. Bit n of
// LARGEST says that of number n the largest is wanted, not the sum.
// The whole block must call it, and may not call it again before a barrier.
template <unsigned LARGEST, unsigned N>
__device__ inline void store_partials(Scalar (&d)[N], Scalar *partials, Offset stride) {
    __shared__ Scalar warp_sums[N][32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
    for (unsigned n = 0; n < N; ++n) {
        const Scalar sum = LARGEST >> n & 1 ? warp_join<true>(d[n]) : warp_join<false>(d[n]);
        if (lane == 0) warp_sums[n][warp] = sum;
    }
    __syncthreads();
    if (warp > 0) return;
#pragma unroll
    for (unsigned n = 0; n < N; ++n) {
        const Scalar own = lane < warps ? warp_sums[n][lane] : zero();
        const Scalar sum = LARGEST >> n & 1 ? warp_join<true>(own) : warp_join<false>(own);
        if (lane == 0) partials[n * stride + blockIdx.x] = sum;
    }
}

// The sum of one number per block, or the largest, in a fixed order; valid in every thread of the calling block.
template <bool LARGEST> __device__ inline Scalar total(const Scalar *partial) {
    __shared__ Scalar warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    Scalar sum = zero();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum = join<LARGEST>(sum, partial[b]);
    sum = warp_join<LARGEST>(sum);
    __syncthreads();                                    // whoever still reads the sums of the last call
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    sum = zero();
    for (unsigned w = 0; w < warps; ++w) sum = join<LARGEST>(sum, warp_sums[w]);
    return sum;
}

// The same by one warp, for few blocks; valid in its first lane.
template <bool LARGEST> __device__ inline Scalar warp_total(const Scalar *partial) {
    Scalar sum = zero();
    for (unsigned first = threadIdx.x; first < gridDim.x; first += 8 * 32) {
        Scalar a[8];
#pragma unroll
        for (unsigned u = 0; u < 8; ++u) a[u] = first + 32 * u < gridDim.x ? partial[first + 32 * u] : zero();
#pragma unroll
        for (unsigned u = 0; u < 8; ++u) sum = join<LARGEST>(sum, a[u]);
    }
    return warp_join<LARGEST>(sum);
}

// Partial sums of the resident kernel: two sets in turn, because a block may still read one while another block is
// already past the next barrier. MOST_DOTS is injected.
__device__ inline Offset partial_set(unsigned epoch) { return Offset(epoch & 1) * MOST_DOTS * gridDim.x; }

// All blocks wait for all; epoch is 1, 2, 3 ... Called by the first warp of each block behind a barrier of the block, and
// followed by another one: then every thread sees what every block has written. Blocks must be resident together.
__device__ inline void wait_for_all(unsigned *arrived, unsigned epoch) {
    if (threadIdx.x == 0) {
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(arrived) : "memory");
        unsigned seen;
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
        } while (int(seen - epoch * gridDim.x) < 0);
    }
    __syncwarp();
}
