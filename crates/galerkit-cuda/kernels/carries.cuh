// carries.cuh: sums of rows whose entries are spread over the threads of a block, over its tiles and over blocks. Each
// block takes a contiguous range of tiles; what it has of the row that is still open at its end is its carry, which the
// last block to arrive adds. The order of every sum is fixed by the launch shape. Injected: TILE (entries and row ends,
// or entries, that a block takes at a time).

constexpr unsigned NO_ROW = ~0u;

__device__ inline Real shuffle_up(Real a, unsigned offset) { return __shfl_up_sync(0xffffffffu, a, offset); }
__device__ inline Complex shuffle_up(Complex a, unsigned offset) {
    return {__shfl_up_sync(0xffffffffu, a.re, offset), __shfl_up_sync(0xffffffffu, a.im, offset)};
}
// The value of lane 0.
__device__ inline Real from_first(Real a) { return __shfl_sync(0xffffffffu, a, 0); }
__device__ inline Complex from_first(Complex a) { return {from_first(a.re), from_first(a.im)}; }

// The products a_k x_k of a tile.
__device__ inline Scalar *tile_products() {
    __shared__ Scalar products[TILE];
    return products;
}
// A word for each entry or row end of a tile, and one beyond.
__device__ inline unsigned *tile_words() {
    __shared__ unsigned words[TILE + 1];
    return words;
}

// products[k] = val[k] x[col[k]] for all k below count, by the whole block.
__device__ inline void fill_products(const unsigned *col, const Scalar *val, unsigned count, const Scalar *x) {
    Scalar *products = tile_products();
    for (unsigned k = threadIdx.x; k < count; k += UNROLL * blockDim.x) {
        Scalar a[UNROLL], b[UNROLL];
        unsigned j[UNROLL];
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) {
            const unsigned at = k + u * blockDim.x;
            j[u] = at < count ? stream(col + at) : PAD;
            a[u] = at < count ? stream(val + at) : zero();
        }
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) b[u] = j[u] == PAD ? zero() : gather(x + j[u]);
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) {
            if (j[u] != PAD) products[k + u * blockDim.x] = a[u] * b[u];
        }
    }
}

// What the threads before this one have of the row that this thread's share begins in. `closed`: the share holds the
// end of a row; `open`: the sum behind its last end. `brought` is the open sum before the tile and becomes the one
// after it. The whole block calls; between two calls there must be a barrier, because the sums of the warps are shared.
__device__ inline Scalar carry_in(bool closed, Scalar open, Scalar &brought) {
    __shared__ Scalar warp_open[32];
    __shared__ unsigned warp_ends[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const unsigned ends = __ballot_sync(0xffffffffu, closed), upto = ends & (0xffffffffu >> (31 - lane));
    const unsigned head = upto ? 31 - __clz(upto) : 0;             // nobody between it and this lane closes a row
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const Scalar below = shuffle_up(open, offset);
        if (lane >= head + offset) open += below;
    }
    if (lane == 31) {
        warp_open[warp] = open;
        warp_ends[warp] = ends;
    }
    Scalar carry = shuffle_up(open, 1);
    if (lane == 0) carry = zero();
    __syncthreads();
    Scalar before_warp = brought;
    for (unsigned w = 0; w < warps; ++w) {
        if (w == warp) before_warp = brought;
        brought = warp_ends[w] ? warp_open[w] : brought + warp_open[w];
    }
    const bool first = (ends & ((1u << lane) - 1)) == 0;           // no row ends in the lanes before this one
    return first ? before_warp + carry : carry;
}

// Adds the carries of all blocks, rows ascending, equal rows in one sum. The whole block calls.
template <class Add> __device__ void add_carries(const unsigned *carry_row, const Scalar *carry_sum, Add add) {
    const unsigned lane = threadIdx.x % 32, blocks = gridDim.x;
    for (unsigned first = threadIdx.x - lane; first < blocks; first += blockDim.x) {
        const unsigned b = first + lane;
        const unsigned row = b < blocks ? carry_row[b] : NO_ROW;
        const bool head = row != NO_ROW && (b == 0 || carry_row[b - 1] != row);
        Scalar sum = row != NO_ROW ? carry_sum[b] : zero();
        for (unsigned offset = 1; offset < 32; offset *= 2) {
            const Scalar above = shuffle_down(0xffffffffu, sum, offset, 32);
            const unsigned row_above = __shfl_down_sync(0xffffffffu, row, offset);
            if (lane + offset < 32 && row_above == row) sum += above;
        }
        const unsigned last = __shfl_sync(0xffffffffu, row, 31);   // its carries may go on in the next 32
        Scalar more = zero();
        if (__any_sync(0xffffffffu, head && row == last)) {
            bool same = true;
            for (unsigned next = b + 32; __all_sync(0xffffffffu, same); next += 32) {
                same = next < blocks && carry_row[next] == last;
                if (same) more += carry_sum[next];
            }
            more = from_first(team_sum<32>(more));
        }
        if (head) add(Offset(row), row == last ? sum + more : sum);
    }
}
