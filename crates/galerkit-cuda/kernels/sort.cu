// sort.cu: a stable sort of (key, item) pairs by 8 bits of the key at a time, lowest first. Every warp has a run of
// neighbouring pairs and counts the digits in it; the prefix sum over digits, then runs, says where the pairs of each
// run go. Pairs with equal digits keep their order, integers only: deterministic for any launch. After scan.cu. Blocks
// of 256 threads. Launcher: convert/sort.rs. Oracle: its tests.

constexpr unsigned DIGITS = 256, BLOCK_WARPS = 8;

// Run w has the pairs from w run on; `run` is a multiple of 32. counts[digit runs + w].
struct Sort {
    Offset count, run, runs, shift;
    const Offset *key, *item;
    Offset *counts, *key_out, *item_out;
};

// The lanes of this warp whose digit is the same; lanes without a pair have a digit of their own.
__device__ inline unsigned peers_of(unsigned digit) { return __match_any_sync(0xffffffffu, digit); }
__device__ inline unsigned below() { return (1u << threadIdx.x % 32) - 1; }

extern "C" __global__ void sort_count(const __grid_constant__ Sort a) {
    __shared__ unsigned counters[BLOCK_WARPS][DIGITS];
    const unsigned lane = threadIdx.x % 32;
    unsigned *mine = counters[threadIdx.x / 32];
    for (Offset w = thread_index() / 32; w < a.runs; w += thread_count() / 32) {
        const Offset end = (w + 1) * a.run < a.count ? (w + 1) * a.run : a.count;
        for (unsigned d = lane; d < DIGITS; d += 32) mine[d] = 0;
        __syncwarp();
        for (Offset first = w * a.run; first < end; first += 32) {
            const bool inside = first + lane < end;
            const unsigned digit = inside ? unsigned(a.key[first + lane] >> a.shift) % DIGITS : DIGITS;
            const unsigned peers = peers_of(digit);
            if (inside && (peers & below()) == 0) mine[digit] += __popc(peers);   // the lowest lane counts for all
            __syncwarp();
        }
        for (unsigned d = lane; d < DIGITS; d += 32) a.counts[d * a.runs + w] = mine[d];
        __syncwarp();
    }
}

extern "C" __global__ void sort_scatter(const __grid_constant__ Sort a) {
    __shared__ Offset places[BLOCK_WARPS][DIGITS];
    const unsigned lane = threadIdx.x % 32;
    Offset *mine = places[threadIdx.x / 32];
    for (Offset w = thread_index() / 32; w < a.runs; w += thread_count() / 32) {
        const Offset end = (w + 1) * a.run < a.count ? (w + 1) * a.run : a.count;
        for (unsigned d = lane; d < DIGITS; d += 32) mine[d] = a.counts[d * a.runs + w];
        __syncwarp();
        for (Offset first = w * a.run; first < end; first += 32) {
            const bool inside = first + lane < end;
            const Offset key = inside ? a.key[first + lane] : 0;
            const unsigned digit = inside ? unsigned(key >> a.shift) % DIGITS : DIGITS;
            const unsigned peers = peers_of(digit), rank = __popc(peers & below());
            const Offset to = inside ? mine[digit] + rank : 0;
            __syncwarp();                                             // all have read before one adds
            if (inside && rank == 0) mine[digit] += __popc(peers);
            __syncwarp();
            if (inside) {
                a.key_out[to] = key;
                a.item_out[to] = a.item[first + lane];
            }
        }
    }
}
