// product_kernels.cu: the passes of a product with hash tables: count the columns of each row, then fill rows whose
// starts are known; or both at once, into rows that lie in any order and are then put in place. After product.cu.
// Launchers: product/table.rs, two_passes.rs, once.rs.

extern "C" __global__ void __launch_bounds__(THREADS, 1) product_count(const __grid_constant__ Product a) {
    extern __shared__ Offset room[];
    for (Offset first = blockIdx.x * Offset(TEAMS); first < a.rows; first += gridDim.x * Offset(TEAMS)) {
        const Offset at = first + threadIdx.x / LANES;
        const bool exists = at < a.rows;
        const Offset i = exists && a.list ? a.list[at] : at;
        unsigned fresh = 0;
        const bool fits = multiply<false>(a, i, exists, empty_table<false>(room), MOST_PROBES, fresh);
        const bool all_fit = team_ballot(!fits) == 0;
        fresh = team_count(fresh);
        if (!exists || team_lane() != 0) continue;
        if (all_fit) a.start[i] = fresh;
        else a.passed[atomicAdd(a.passed_count, 1u)] = unsigned(i);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) product_fill(const __grid_constant__ Product a) {
    extern __shared__ Offset room[];
    for (Offset first = blockIdx.x * Offset(TEAMS); first < a.rows; first += gridDim.x * Offset(TEAMS)) {
        const Offset at = first + threadIdx.x / LANES;
        bool exists = at < a.rows;
        const Offset i = exists && a.list ? a.list[at] : at, begin = exists ? a.start[i] : 0;
        if (exists && a.start[i + 1] - begin > a.most) exists = false;   // in the list of a larger table
        unsigned fresh = 0;
        const Table t = empty_table<true>(room);
        multiply<true>(a, i, exists, t, SLOTS, fresh);
        const unsigned count = compact(t);
        if (exists) write_sorted(t, count, a.col + begin, a.val + begin);
    }
}

// Where the entries of this team go: rows of a block lie one after the other, blocks as they come.
__device__ inline Offset claim(unsigned count, Offset *cursor) {
    __shared__ unsigned warp_sums[32];
    __shared__ Offset block;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned before = 0, all = 0;
    for (unsigned t = 0; t < 32; t += LANES) {
        const unsigned other = __shfl_sync(ALL, count, t);
        if (t + LANES <= lane) before += other;
        all += other;
    }
    if (lane == 0) warp_sums[warp] = all;
    __syncthreads();
    if (threadIdx.x == 0) {
        Offset sum = 0;
        for (unsigned w = 0; w < THREADS / 32; ++w) sum += warp_sums[w];
        block = atomicAdd(cursor, sum);
    }
    __syncthreads();
    Offset begin = block + before;
    for (unsigned w = 0; w < warp; ++w) begin += warp_sums[w];
    __syncthreads();                                                  // before the next round writes
    return begin;
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) product_once(const __grid_constant__ Product a) {
    extern __shared__ Offset room[];
    for (Offset first = blockIdx.x * Offset(TEAMS); first < a.rows; first += gridDim.x * Offset(TEAMS)) {
        const Offset at = first + threadIdx.x / LANES;
        const bool exists = at < a.rows;
        const Offset i = exists && a.list ? a.list[at] : at;
        unsigned fresh = 0;
        const Table t = empty_table<true>(room);
        const bool fits = multiply<true>(a, i, exists, t, MOST_PROBES, fresh);
        const bool all_fit = team_ballot(!fits) == 0;
        const unsigned found = compact(t), count = exists && all_fit ? found : 0;
        const Offset begin = claim(count, a.cursor);
        if (exists && team_lane() == 0) {
            if (all_fit) a.start[i] = begin, a.length[i] = count;
            else a.passed[atomicAdd(a.passed_count, 1u)] = unsigned(i);
        }
        if (begin + count > a.room) continue;                         // the host sees the cursor
        if (a.sorted) write_sorted(t, count, a.col + begin, a.val + begin);
        for (unsigned e = team_lane(); !a.sorted && e < count; e += LANES)
            a.col[begin + e] = t.key[e], a.val[begin + e] = t.sum[e];
    }
}
