// csr_balanced.cu: y = A x, A in compressed rows, the same number of rows and entries for every block (merge.cuh). For
// rows of very different lengths, where csr.cu would wait for the threads of the longest. Injected: TILE (1280: five
// items for each of 256 threads, odd against bank conflicts), UNROLL, Column = unsigned. Traffic per entry: one Scalar,
// one column, one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/csr.rs.
struct Map {
    Merge rows;
};

template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add) {
    merge_rows(A.rows, x, write);
}

template <class Add> __device__ void finish(const Map &A, Add add) {
    add_carries(A.rows.carry_row, A.rows.carry_sum, add);
}
