// ell_warp.cu: rows of y = A x, A in ELL-WARP with split rows: K2, K2r, K2rs. Warp g has WARP lanes, t = reduction[g]
// of them for each row from row_start[g] on; entry e of a row sits in lane e mod t, slot e div t. Lanes add up their
// slots, then neighbours, pairs, fours, ... inside the t lanes of a row; its first lane has the sum. K1 and its kin:
// sell.cu. Injected: WARP (1, 2, 4, 8, 16, 32), ORDERED (sorted position s holds row order[s]: K2), Column, UNROLL (1
// to 16). Traffic per slot: one Scalar, one Column, one gathered x. Oracle: backend/reference/spmv.rs. Loader:
// map/sliced.rs.
struct Map {
    Offset rows, warps;
    const Offset *warp_offset;
    const unsigned *row_start, *reduction;
    const Column *col;
    const unsigned *base;
    const Scalar *val;
    const unsigned *order;
};

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const unsigned lane = threadIdx.x % WARP, in_hardware_warp = threadIdx.x % 32;
    const Offset lanes = A.warps * WARP;
    // All 32 threads of a hardware warp stay in the loop together, because they exchange sums.
    for (Offset first = thread_index() - in_hardware_warp; first < lanes; first += thread_count()) {
        const Offset warp = (first + in_hardware_warp) / WARP;
        Scalar sum = zero();
        unsigned t = 1;
        Offset s = A.rows;
        if (warp < A.warps) {
            const Offset slot = A.warp_offset[warp];
            const unsigned count = unsigned((A.warp_offset[warp + 1] - slot) / WARP);
            const unsigned *base = NARROW ? A.base + slot / WARP : A.base;
            t = A.reduction[warp];
            s = A.row_start[warp] + lane / t;
            sum = run_sum(A.col + slot + lane, base, A.val + slot + lane, count, WARP, x);
        }
#pragma unroll
        for (unsigned offset = 1; offset < WARP; offset *= 2) {
            const Scalar above = shuffle_down(0xffffffffu, sum, offset, WARP);
            if (offset < t) sum += above;
        }
        if (lane % t == 0 && s < A.rows) row(ORDERED ? Offset(stream(A.order + s)) : s)(sum);
    }
}
