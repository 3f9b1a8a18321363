// merge.cuh: rows of compressed rows with the same work for every block, whatever the lengths of the rows. The ends of
// the rows and the entries are merged into one sequence, an end behind the entries of its row; it is cut into tiles of
// TILE, and the share of each thread in a tile is found by bisection. Merrill, Garland, "Merge-based parallel sparse
// matrix-vector multiplication", SC 2016. The cuts between tiles are found on the host, once.
struct Merge {
    Offset items, tiles;          // rows + entries; tiles of TILE items
    const unsigned *tile_row;     // rows that end before each tile; one more than there are tiles
    const Offset *start;
    const unsigned *col;
    const Scalar *val;
    unsigned *carry_row;          // one carry a block
    Scalar *carry_sum;
};

// Calls write(i, sum) once for each row i; the rest of its sum, if any, is in the carries.
template <class Write> __device__ void merge_rows(const Merge &A, const Scalar *x, Write write) {
    const Offset first = A.tiles * blockIdx.x / gridDim.x, last = A.tiles * (blockIdx.x + 1) / gridDim.x;
    const Scalar *products = tile_products();
    unsigned *row_end = tile_words();
    Scalar brought = zero();
    for (Offset tile = first; tile < last; ++tile) {
        const Offset i = A.tile_row[tile], k = tile * TILE - i, after = (tile + 1) * TILE;
        const unsigned ends = unsigned(A.tile_row[tile + 1] - i);
        const unsigned items = unsigned((after < A.items ? after : A.items) - tile * TILE), entries = items - ends;
        for (unsigned r = threadIdx.x; r < ends; r += blockDim.x) row_end[r] = unsigned(A.start[i + r + 1] - k);
        if (threadIdx.x == 0) row_end[ends] = NO_ROW;              // the row that stays open
        fill_products(A.col + k, A.val + k, entries, x);
        __syncthreads();

        const unsigned share = (items + blockDim.x - 1) / blockDim.x;
        const unsigned begin = min(threadIdx.x * share, items), stop = min(begin + share, items);
        unsigned r = begin > entries ? begin - entries : 0;
        for (unsigned high = min(begin, ends); r < high;) {
            const unsigned middle = (r + high) / 2;
            if (row_end[middle] <= begin - middle - 1) r = middle + 1; else high = middle;
        }
        unsigned at = begin - r, closed_row = NO_ROW;              // the first row that ends in this share
        Scalar sum = zero(), closed_sum = zero();
        for (unsigned item = begin; item < stop; ++item) {
            if (at < row_end[r]) {
                sum += products[at++];
            } else {
                if (closed_row == NO_ROW) { closed_row = r; closed_sum = sum; } else write(i + r, sum);
                sum = zero();
                ++r;
            }
        }
        const Scalar carry = carry_in(closed_row != NO_ROW, sum, brought);
        if (closed_row != NO_ROW) write(i + closed_row, carry + closed_sum);
    }
    if (threadIdx.x == 0) {
        A.carry_row[blockIdx.x] = last < A.tiles ? A.tile_row[last] : NO_ROW;
        A.carry_sum[blockIdx.x] = brought;
    }
}
