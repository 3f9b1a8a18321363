// bsr.cu: rows of y = A x, A in dense blocks of order BLOCK. A team of LANES threads shares a row: its lanes stride
// over the entries that the row has in the blocks of its block row. Teams of neighbouring rows read the same blocks at
// the same time. Fill is told by one bit a slot and does not read x, because 0 * NaN is not 0. Injected: BLOCK (1 to
// 65535), LANES (1, 2, 4, 8, 16, 32), FULL (no fill: no bits), UNROLL (1 to 16), Column = unsigned. Traffic per slot:
// one Scalar, 1/BLOCK^2 column, one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/bsr.rs.
struct Map {
    Offset rows;
    const Offset *block_start;
    const unsigned *block_col;
    const Offset *stored;
    const Scalar *val;
};

// Lane `lane` of the sum of row i.
__device__ inline Scalar lane_sum(const Map &A, Offset i, unsigned lane, const Scalar *x) {
    const Offset begin = A.block_start[i / BLOCK];
    const unsigned length = unsigned(A.block_start[i / BLOCK + 1] - begin) * BLOCK;
    Scalar sum = zero();
    for (unsigned t = lane; t < length; t += UNROLL * LANES) {
        Scalar a[UNROLL], b[UNROLL];
        unsigned j[UNROLL];
        bool entry[UNROLL];
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) {
            const unsigned at = t + u * LANES, c = at % BLOCK;
            const Offset p = begin + at / BLOCK, slot = (p * BLOCK + i % BLOCK) * BLOCK + c;
            entry[u] = at < length && (FULL || (stream(A.stored + slot / 64) >> (slot % 64) & 1));
            j[u] = at < length ? A.block_col[p] * BLOCK + c : 0;
            a[u] = at < length ? stream(A.val + slot) : zero();
        }
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) b[u] = entry[u] ? gather(x + j[u]) : zero();
#pragma unroll
        for (unsigned u = 0; u < UNROLL; ++u) sum += a[u] * b[u];
    }
    return sum;
}

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const unsigned in_warp = threadIdx.x % 32, lane = in_warp % LANES;
    // All 32 threads of a warp stay in the loop together, because they exchange sums.
    for (Offset first = (thread_index() - in_warp) / LANES; first < A.rows; first += thread_count() / LANES) {
        const Offset i = first + in_warp / LANES;
        const Scalar sum = team_sum<LANES>(i < A.rows ? lane_sum(A, i, lane, x) : zero());
        if (lane == 0 && i < A.rows) row(i)(sum);
    }
}
