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
    Offset known;                      // entries of the ring that are written: iterations, and one more for a failure
    Offset published;                  // entries that the host has been told
    double *ring;                      // the norm after each iteration, or a failure
    volatile double *pinned;           // the same in host memory
    Offset mask;                       // entries of the ring, less one
    const Scalar *start;               // where the norm before the first iteration is, if the host does not know it yet
    const Scalar *reference;           // where what rtol is relative to is; null: it is given
    double given;
    double rtol, atol, factor;         // of Stop
    volatile double *begun;            // where the host is told start and reference
};

// Begins a loop whose start the host has not seen: what it fills in for others, by the same operations (ring.rs,
// program/stop.rs). `tell` is for one block. Ends the loop at once where the start is good enough, or not a number. Of
// the scalars in memory this block has `count` copies in c, which may be newer.
__device__ inline void begin(State &s, const Scalar *slots, const Scalar *c, Offset count, bool tell) {
    if (!s.start) return;
    const auto newest = [&](const Scalar *at) { return double(real(at >= slots && at < slots + count ? c[at - slots] : *at)); };
    const double start = newest(s.start), reference = s.reference ? newest(s.reference) : s.given;
    s.start = nullptr;
    s.threshold = fmax(s.rtol * reference, s.atol);
    s.divergence = s.factor * fmax(reference, start);
    s.best = start;
    if (tell) { s.begun[0] = start; s.begun[1] = reference; }
    if (!isfinite(start) || start <= s.threshold || start == 0 || start > s.divergence || s.limit == 0) s.word = 1;
}

// The norm after an iteration; the same questions in the same order as program/stop.rs. Whether the loop has ended.
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

// Says that this block is done; true in every thread of the block that came last, which then sees what all have
// written.
__device__ inline bool last_to_arrive(unsigned *ticket) {
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) {
        last = add_acquire_release(ticket, 1) == gridDim.x - 1;
        if (last) *ticket = 0;                          // for the next launch
    }
    __syncthreads();
    return last;
}

// Joins N numbers over the block, in a fixed order, and puts each by its first warp, in whose first lane it is valid.
// Bit n of LARGEST says that of number n the largest is wanted, not the sum. The whole block must call it, and may not
// call it again before a barrier.
template <unsigned LARGEST, unsigned N, class Put> __device__ inline void join_in_block(Scalar (&d)[N], Put put) {
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
        put(n, LARGEST >> n & 1 ? warp_join<true>(own) : warp_join<false>(own));
    }
}

// The same; the first thread stores them as the block's, `stride` apart.
template <unsigned LARGEST, unsigned N>
__device__ inline void store_partials(Scalar (&d)[N], Scalar *partials, Offset stride) {
    join_in_block<LARGEST>(d, [&](unsigned n, Scalar sum) {
        if (threadIdx.x == 0) partials[n * stride + blockIdx.x] = sum;
    });
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
    for (unsigned first = threadIdx.x % 32; first < gridDim.x; first += 8 * 32) {
        Scalar a[8];
#pragma unroll
        for (unsigned u = 0; u < 8; ++u) a[u] = first + 32 * u < gridDim.x ? partial[first + 32 * u] : zero();
#pragma unroll
        for (unsigned u = 0; u < 8; ++u) sum = join<LARGEST>(sum, a[u]);
    }
    return warp_join<LARGEST>(sum);
}

// Rows shared out among `parts` of the launch in whole runs of 32: the first row of a part.
__device__ inline Offset first_row(Offset n, unsigned part, unsigned parts) {
    const Offset runs = (n + 31) / 32, row = runs * part / parts * 32;
    return row < n ? row : n;
}

// Entries of vectors that an update w = w + a_0 v_0 + a_1 v_1 + ... has under way at once: as many as registers are
// left for.
constexpr unsigned UPDATES = PERSISTENT_THREADS > 256 ? 3 : sizeof(Scalar) > 8 ? 4 : 8;

// The dot products (x, y) with many x. A block takes some rows and, where there are more blocks than rows for them,
// some of the x. Each thread holds ROWS entries of y and goes through the x; what it finds is folded over LANES of its
// warp into sums in shared memory, so that any number of x is one pass. `dot_blocks` blocks have rows: so many partial
// sums has each product. The x may be in single precision where y is not, and are widened; then more of them are under
// way.
constexpr unsigned DOT_ROWS = 4, DOT_LANES = 8, DOT_UNROLL = sizeof(Scalar) > 8 ? 2 : 4;
__device__ inline unsigned dot_blocks(Offset n) {
    const Offset wanted = (n + DOT_ROWS * blockDim.x - 1) / (DOT_ROWS * blockDim.x);
    return wanted < gridDim.x ? (wanted > 0 ? unsigned(wanted) : 1) : gridDim.x;
}
template <class To, class T> __device__ inline To widened(T a) {
    if constexpr (sizeof(T) == sizeof(To)) return a;
    else return widen(a);
}
// The products of a thread's entries with N of the x, or (ALL is false) with `count` of them. Its entries are a block
// apart, from i on.
template <unsigned BLOCK, unsigned N, bool ALL, class X, class T>
__device__ inline void some_dots(const X *const *vectors, unsigned count, const T (&own)[DOT_ROWS], Offset i, Offset end, Scalar *sums) {
    constexpr unsigned width = BLOCK / 32 * DOT_LANES;
    const unsigned lane = threadIdx.x % 32, place = threadIdx.x / 32 * DOT_LANES + lane;
    Scalar sum[N];
#pragma unroll
    for (unsigned v = 0; v < N; ++v) {
        sum[v] = zero();
#pragma unroll
        for (unsigned r = 0; r < DOT_ROWS; ++r)
            if ((ALL || v < count) && i + r * BLOCK < end)
                sum[v] += widened<Scalar>(conj(widened<T>(vectors[v][i + r * BLOCK])) * own[r]);
    }
#pragma unroll
    for (unsigned v = 0; v < N; ++v) {
#pragma unroll
        for (unsigned offset = 16; offset >= DOT_LANES; offset /= 2) sum[v] += shuffle_down(0xffffffffu, sum[v], offset, 32);
        if (lane < DOT_LANES && (ALL || v < count)) sums[v * width + place] += sum[v];
    }
}
// BLOCK is blockDim.x, known so that addresses are; ROOM the bytes of shared memory. The whole block must call it, and
// finds a barrier at its end.
template <unsigned BLOCK, unsigned ROOM, class X, class T>
__device__ inline void dots_in_place(X *const *list, unsigned count, const T *y, Offset n, Scalar *partials) {
    constexpr unsigned UNROLL = sizeof(X) == sizeof(T) ? DOT_UNROLL : 4;
    constexpr unsigned width = BLOCK / 32 * DOT_LANES, most = ROOM / sizeof(Scalar) / width;
    __shared__ Scalar sums[ROOM / sizeof(Scalar)];
    __shared__ const X *vectors[most];
    const unsigned blocks = dot_blocks(n), groups = gridDim.x / blocks, part = blockIdx.x % blocks, group = blockIdx.x / blocks;
    const unsigned size = (count + groups - 1) / groups, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const Offset begin = first_row(n, part, blocks), end = first_row(n, part + 1, blocks);
    const unsigned last = group < groups && (group + 1) * size < count ? (group + 1) * size : count;
    for (unsigned first = group < groups ? group * size : count; first < last; first += most) {
        const unsigned here = last - first < most ? last - first : most;
        for (unsigned t = threadIdx.x; t < here * width; t += BLOCK) sums[t] = zero();
        if (threadIdx.x < here) vectors[threadIdx.x] = list[first + threadIdx.x];
        __syncthreads();
        for (Offset i = begin + threadIdx.x; i - threadIdx.x < end; i += DOT_ROWS * BLOCK) {
            T own[DOT_ROWS];
#pragma unroll
            for (unsigned r = 0; r < DOT_ROWS; ++r) own[r] = i + r * BLOCK < end ? y[i + r * BLOCK] : T{};
            unsigned u = 0;
            for (; u + UNROLL <= here; u += UNROLL) some_dots<BLOCK, UNROLL, true>(vectors + u, UNROLL, own, i, end, sums + u * width);
            if (u < here) some_dots<BLOCK, UNROLL, false>(vectors + u, here - u, own, i, end, sums + u * width);
        }
        __syncthreads();
        for (unsigned u = warp; u < here; u += BLOCK / 32) {
            Scalar sum = zero();
            for (unsigned t = lane; t < width; t += 32) sum += sums[u * width + t];
            sum = warp_join<false>(sum);
            if (lane == 0) partials[Offset(first + u) * blocks + part] = sum;
        }
        __syncthreads();
    }
}
// The same by a call.
template <unsigned BLOCK, unsigned ROOM, class X, class T>
__device__ __noinline__ void called_dots(X *const *list, unsigned count, const T *y, Offset n, Scalar *partials) {
    dots_in_place<BLOCK, ROOM>(list, count, y, n, partials);
}
// Persistent kernels of long recurrences call what every stage has, instead of having it in place each time: a third of
// the machine code less, and less than half the time to compile it. MANY_TOTALS is injected; PERSISTENT_THREADS is 32
// where there is no such kernel.
constexpr bool BY_CALL = MANY_TOTALS && PERSISTENT_THREADS > 32;
// Whichever it is.
template <unsigned BLOCK, unsigned ROOM, class X, class T>
__device__ inline void many_dots(X *const *list, unsigned count, const T *y, Offset n, Scalar *partials) {
    if constexpr (BY_CALL) called_dots<BLOCK, ROOM>(list, count, y, n, partials);
    else dots_in_place<BLOCK, ROOM>(list, count, y, n, partials);
}

// Their sums over all blocks, each by one warp. The whole block must call it; `put` is called once for each, by one
// thread.
template <class Put> __device__ inline void many_totals(const Scalar *partials, unsigned count, Offset n, Put put) {
    const unsigned blocks = dot_blocks(n), lane = threadIdx.x % 32;
    for (unsigned d = threadIdx.x / 32; d < count; d += blockDim.x / 32) {
        Scalar sum = zero();
        for (unsigned b = lane; b < blocks; b += 32) sum += partials[Offset(d) * blocks + b];
        sum = warp_join<false>(sum);
        if (lane == 0) put(d, sum);
    }
    __syncthreads();
}

// Partial sums of the persistent kernel: two sets in turn, because a block may still read one while another block is
// already past the next barrier. MOST_DOTS is injected.
__device__ inline Offset partial_set(unsigned epoch) { return Offset(epoch & 1) * MOST_DOTS * gridDim.x; }

// The same through shared memory where all blocks are one cluster: each block tells every other its numbers, and finds
// those of all at hand behind the barrier. Elsewhere they go through the L2 cache. At most MOST_NEAR numbers.
// `clustered` is CLUSTERED, injected.
constexpr unsigned MOST_NEAR = 8;
struct Near { Scalar of[2][MOST_NEAR][8]; };
template <unsigned LARGEST, unsigned N>
__device__ inline void share_in_place(Scalar (&d)[N], Scalar *partials, Near &near, unsigned epoch, bool clustered) {
    Scalar *const own = partials + partial_set(epoch) + blockIdx.x;
    join_in_block<LARGEST>(d, [&](unsigned n, Scalar joined) {
#if __CUDA_ARCH__ >= 900
        if (N <= MOST_NEAR && clustered) {
            const Scalar sum = from_first_lane(joined);
            if (threadIdx.x < gridDim.x) *in_block(&near.of[epoch & 1][n][blockIdx.x], threadIdx.x) = sum;
            return;
        }
#endif
        if (threadIdx.x == 0) own[n * gridDim.x] = joined;
    });
}
// The same by a call, which gets the numbers by value: their variables stay in registers.
template <unsigned N> struct Sums { Scalar of[N]; };
template <unsigned LARGEST, unsigned N>
__device__ __noinline__ void share_by_call(Sums<N> sums, Scalar *partials, Near &near, unsigned epoch, bool clustered) {
    share_in_place<LARGEST>(sums.of, partials, near, epoch, clustered);
}
// Whichever it is.
template <unsigned LARGEST, unsigned N>
__device__ inline void share_partials(Scalar (&d)[N], Scalar *partials, Near &near, unsigned epoch, bool clustered) {
    if constexpr (BY_CALL) {
        Sums<N> sums;
#pragma unroll
        for (unsigned n = 0; n < N; ++n) sums.of[n] = d[n];
        share_by_call<LARGEST>(sums, partials, near, epoch, clustered);
    } else {
        share_in_place<LARGEST>(d, partials, near, epoch, clustered);
    }
}
// The number `n` of the pass before, by the first warp; valid in its first lane.
template <bool LARGEST, unsigned N>
__device__ inline Scalar total_in_place(const Scalar *partials, const Near &near, unsigned epoch, unsigned n, bool clustered) {
#if __CUDA_ARCH__ >= 900
    if (N <= MOST_NEAR && clustered)
        return warp_join<LARGEST>(threadIdx.x < gridDim.x ? near.of[epoch & 1][n][threadIdx.x] : zero());
#endif
    return warp_total<LARGEST>(partials + partial_set(epoch) + n * gridDim.x);
}
// The same by a call: one function for all that may be near, another for the rest.
template <bool LARGEST, unsigned N>
__device__ __noinline__ Scalar called_total(const Scalar *partials, const Near &near, unsigned epoch, unsigned n, bool clustered) {
    return total_in_place<LARGEST, N>(partials, near, epoch, n, clustered);
}
// Whichever it is.
template <bool LARGEST, unsigned N>
__device__ inline Scalar shared_total(const Scalar *partials, const Near &near, unsigned epoch, unsigned n, bool clustered) {
    constexpr unsigned ANY = N <= MOST_NEAR ? 1 : MOST_NEAR + 1;
    if constexpr (BY_CALL) return called_total<LARGEST, ANY>(partials, near, epoch, n, clustered);
    else return total_in_place<LARGEST, N>(partials, near, epoch, n, clustered);
}

// Where all blocks are one cluster: all threads of all blocks wait for all, by a barrier of the hardware. It takes a
// quarter of the time of the one below, which goes through the L2 cache.
__device__ inline void meet_in_cluster(bool clustered) {
#if __CUDA_ARCH__ >= 900
    if (clustered && gridDim.x > 1) cluster_barrier();
#endif
}

// All blocks wait for all; epoch is 1, 2, 3 ... Called by the first warp of each block behind a barrier of the block,
// and followed by another one: then every thread sees what every block has written. Blocks must be resident together.
// Between the two that warp may do what needs nothing of other blocks. Blocks that are one cluster have met already.
__device__ inline void arrive(unsigned *arrived, bool clustered) {
    if (!clustered && threadIdx.x == 0) add_release(arrived, 1);
}
__device__ inline void wait_for_all(unsigned *arrived, unsigned epoch, bool clustered) {
    if (!clustered && threadIdx.x == 0)
        while (int(load_acquire(arrived) - epoch * gridDim.x) < 0) {}
    __syncwarp();
}
