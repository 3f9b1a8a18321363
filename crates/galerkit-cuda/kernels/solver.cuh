// solver.cuh: what generated kernels share: the state of a loop, the monitor, sums over blocks, the barrier of the
// persistent kernel. After prelude.cuh. Host side: ring.rs (State, ring), generate.rs (the kernels).

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
    volatile double *ring;             // pinned: the norm after each iteration, or a failure
    Offset mask;                       // entries of the ring, less one
};

// The norm after an iteration; the same questions in the same order as krylov/stop.rs. Whether the loop has ended.
// Where several blocks keep a copy of the state, one of them tells the host.
__device__ inline bool observe(State &s, double norm, bool tell = true) {
    if (tell) s.ring[s.iteration & s.mask] = norm;
    const Offset done = ++s.iteration;
    if (norm < s.best) { s.best = norm; s.best_at = done; }
    const bool stagnated = s.patience > 0 && s.threshold > 0 && done - s.best_at >= s.patience;
    return !isfinite(norm) || norm <= s.threshold || norm == 0 || norm > s.divergence || done >= s.limit || stagnated;
}

// A failed test, told through the ring as a NaN that no computation makes: see ring.rs.
__device__ inline void report_failure(State &s, unsigned code) {
    s.ring[s.iteration & s.mask] = __longlong_as_double(0xfffe000000000000ull | code);
}

__device__ inline bool positive(Scalar a) { return is_finite(a) && real(a) > 0; }
__device__ inline bool nonzero(Scalar a) { return is_finite(a) && !is_zero(a); }
__device__ inline Real modulus_squared(Real a) { return a * a; }
__device__ inline Real modulus_squared(Complex a) { return a.re * a.re + a.im * a.im; }

// Says that this block is done; true in every thread of the block that came last, which then sees what all have written.
__device__ inline bool last_to_arrive(unsigned *ticket) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
        if (last) *ticket = 0;                          // for the next launch
    }
    __syncthreads();
    if (last) __threadfence();
    return last;
}

// The sum of one number per block, in a fixed order; valid in every thread of the calling block.
__device__ inline Scalar total(const Scalar *partial) {
    Scalar sum = zero();
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) sum += partial[b];
    return block_sum(sum);
}

// Partial sums of the persistent kernel: two sets in turn, because a block may still read one while another block is
// already past the next barrier. MOST_DOTS is injected.
__device__ inline Offset partial_set(unsigned epoch, unsigned dot) {
    return Offset((epoch & 1) * MOST_DOTS + dot) * gridDim.x;
}

// All blocks wait for all. flags: one 32-bit word per block; epoch: 1, 2, 3 ... Blocks must be resident together.
__device__ inline void grid_barrier(volatile unsigned *flags, unsigned epoch) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        flags[blockIdx.x] = epoch;
    }
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        while (int(flags[b] - epoch) < 0) {}
    __threadfence();
    __syncthreads();
}
