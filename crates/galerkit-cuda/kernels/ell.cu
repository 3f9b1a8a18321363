// ell.cu: rows of y = A x, A in ELLPACK: entry e of row i at i row_stride + e entry_stride. One thread a row. Stored
// column by column (row_stride = 1) neighbouring threads read neighbouring slots; stored row by row (entry_stride = 1)
// they do not, which is offered to show what coalescing gains. Injected: LENGTHS (ELL-R: stop at length[i]; otherwise
// all width slots are read and padding is told by its column), Column = unsigned, UNROLL (1 to 16). Traffic per slot:
// one Scalar, one column, one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/ell.rs.
struct Map {
    Offset rows, width, row_stride, entry_stride;
    const unsigned *length;
    const Column *col;
    const Scalar *val;
};

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) {
        const unsigned count = LENGTHS ? stream(A.length + i) : unsigned(A.width);
        const Offset first = i * A.row_stride;
        row(i)(run_sum(A.col + first, nullptr, A.val + first, count, A.entry_stride, x));
    }
}
