// hyb.cu: y = A x, the first `width` entries of each row in ELL, the overflow of long rows apart. Rows without
// overflow: one thread a row. The overflow, in the order of its triples, is balanced over blocks as in merge.cuh, over
// the long rows only (one bit a row says which these are); whoever ends a long row adds its ELL part, so that it is
// written once. Injected: TILE (1280), UNROLL, Column = unsigned. Traffic per slot: one Scalar, one column, one
// gathered x. Oracle: backend/reference/spmv.rs. Loader: map/hyb.rs.
struct Map {
    Offset rows, width;
    const unsigned *col;          // entry e of row i at e rows + i
    const Scalar *val;
    const unsigned *is_long;      // one bit a row
    const unsigned *long_row;
    Merge overflow;
};

__device__ inline Scalar ell_part(const Map &A, Offset i, const Scalar *x) {
    return run_sum(A.col + i, nullptr, A.val + i, unsigned(A.width), A.rows, x);
}

template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) {
        if (!(A.is_long[i / 32] >> (i % 32) & 1)) write(i, ell_part(A, i, x));
    }
    merge_rows(A.overflow, x, [&](Offset r, Scalar sum) {
        const Offset i = A.long_row[r];
        write(i, ell_part(A, i, x) + sum);
    });
}

template <class Add> __device__ void finish(const Map &A, Add add) {
    add_carries(A.overflow.carry_row, A.overflow.carry_sum, [&](Offset r, Scalar rest) { add(Offset(A.long_row[r]), rest); });
}
