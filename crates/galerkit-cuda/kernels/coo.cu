// coo.cu: y = A x, A in triples sorted by row. Every block takes the same number of entries, every thread a share of
// neighbours in each tile; the thread that has the last entry of a row writes it. Rows without entries are listed
// apart. Injected: TILE (1280: five entries for each of 256 threads, odd against bank conflicts), UNROLL, Column =
// unsigned. Traffic per entry: one Scalar, a row, a column, one gathered x. Oracle: backend/reference/spmv.rs. Loader:
// map/coo.rs.
struct Map {
    Offset entries, empty_rows;
    const unsigned *row, *col;
    const Scalar *val;
    const unsigned *empty_row;
    unsigned *carry_row;          // one carry a block
    Scalar *carry_sum;
};

template <class Write, class Add> __device__ void product(const Map &A, const Scalar *x, Write write, Add) {
    for (Offset e = thread_index(); e < A.empty_rows; e += thread_count()) write(Offset(stream(A.empty_row + e)), zero());

    const Offset tiles = (A.entries + TILE - 1) / TILE;
    const Offset first = tiles * blockIdx.x / gridDim.x, last = tiles * (blockIdx.x + 1) / gridDim.x;
    const Scalar *products = tile_products();
    unsigned *row = tile_words();
    Scalar brought = zero();
    for (Offset tile = first; tile < last; ++tile) {
        const Offset k = tile * TILE, left = A.entries - k;
        const unsigned count = unsigned(left < TILE ? left : TILE);
        for (unsigned e = threadIdx.x; e < count; e += blockDim.x) row[e] = stream(A.row + k + e);
        if (threadIdx.x == 0) row[count] = count < left ? A.row[k + count] : NO_ROW;
        fill_products(A.col + k, A.val + k, count, x);
        __syncthreads();

        const unsigned share = (count + blockDim.x - 1) / blockDim.x;
        const unsigned begin = min(threadIdx.x * share, count), stop = min(begin + share, count);
        unsigned closed_row = NO_ROW;                              // the first row that ends in this share
        Scalar sum = zero(), closed_sum = zero();
#pragma unroll 1
        for (unsigned e = begin; e < stop; ++e) {
            sum += products[e];
            if (row[e + 1] != row[e]) {
                if (closed_row == NO_ROW) { closed_row = row[e]; closed_sum = sum; } else write(Offset(row[e]), sum);
                sum = zero();
            }
        }
        const Scalar carry = carry_in(closed_row != NO_ROW, sum, brought);
        if (closed_row != NO_ROW) write(Offset(closed_row), carry + closed_sum);
    }
    if (threadIdx.x == 0) {
        A.carry_row[blockIdx.x] = last < tiles ? A.row[last * TILE] : NO_ROW;
        A.carry_sum[blockIdx.x] = brought;
    }
}

template <class Add> __device__ void finish(const Map &A, Add add) {
    add_carries(A.carry_row, A.carry_sum, add);
}
