// block_diagonal.cu: y = B x, dense blocks along the diagonal (inverted blocks: block Jacobi). A team of LANES lanes
// (1, 2, 4, 8, 16, 32; from the block size) shares a row, so that large blocks of few rows still fill the GPU and no
// lane of a small block idles. The rows of a warp are stored together, interleaved entry by entry: entry j of row i at
// (i / ROWS) width + (j / LANES) 32 + (i % ROWS) LANES + j % LANES. A warp thus reads whole lines for every block size,
// where blocks by rows or columns would leave part of them. Slots behind a row's end are never read. Traffic per entry:
// one Scalar; x comes from cache. Launcher: map/block_diagonal.rs. Oracle: precond/block_jacobi.rs.

struct Map {
    Offset rows, block;           // rows of a block; the last one may be smaller
    Offset width;                 // slots of a warp's rows
    const Scalar *val;
};

constexpr unsigned ROWS = 32 / LANES;                                 // of a warp

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const unsigned rows = unsigned(A.rows), block = unsigned(A.block), thread = threadIdx.x % 32;
    const Offset groups = (A.rows + ROWS - 1) / ROWS, warps = thread_count() / 32;
    for (Offset g = thread_index() / 32; g < groups; g += warps) {
        const Offset i = g * ROWS + thread / LANES;
        Scalar sum = zero();
        if (i < rows) {
            const unsigned begin = unsigned(i) - unsigned(i) % block;
            const unsigned size = rows - begin < block ? rows - begin : block;
            const Scalar *val = A.val + g * A.width + thread, *part = x + begin;
            #pragma unroll 4
            for (unsigned j = thread % LANES; j < size; j += LANES, val += 32) sum += stream(val) * part[j];
        }
        sum = team_sum<LANES>(sum);
        if (i < rows && thread % LANES == 0) row(i)(sum);
    }
}
