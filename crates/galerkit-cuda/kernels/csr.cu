// csr.cu: rows of y = A x, A in compressed rows. A team of LANES threads shares a row and reads neighbouring entries;
// teams stride over the rows. For rows of very different lengths: csr_balanced.cu.
// Injected: LANES (1, 2, 4, 8, 16, 32), Column = unsigned, UNROLL (1 to 16).
// Traffic per entry: one Scalar, one column, one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/csr.rs.
struct Map {
    Offset rows;
    const Offset *start;
    const Column *col;
    const Scalar *val;
};

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const unsigned in_warp = threadIdx.x % 32, lane = in_warp % LANES;
    // All 32 threads of a warp stay in the loop together, because they exchange sums.
    for (Offset first = (thread_index() - in_warp) / LANES; first < A.rows; first += thread_count() / LANES) {
        const Offset i = first + in_warp / LANES;
        Scalar sum = zero();
        if (i < A.rows) {
            const Offset begin = A.start[i];
            const unsigned length = unsigned(A.start[i + 1] - begin), count = (length + (LANES - 1 - lane)) / LANES;
            sum = run_sum(A.col + begin + lane, nullptr, A.val + begin + lane, count, LANES, x);
        }
        sum = team_sum<LANES>(sum);
        if (lane == 0 && i < A.rows) row(i)(sum);
    }
}
