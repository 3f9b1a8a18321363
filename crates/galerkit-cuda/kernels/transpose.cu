// transpose.cu: the transpose of compressed rows: count the entries of each column, (prefix sum,) scatter them in the
// order in which they were counted, sort each row by column. The sort forgets that order: the same bits for any launch.
// LANES (16 or 32) threads sort a row of at most SLOTS entries. After team.cuh. Launcher: product/transpose.rs.
// Oracle: sparse/transpose.rs.

struct Transpose {
    Offset rows, nnz, is_conjugate;
    const Offset *start;          // of A
    const unsigned *col;
    const Scalar *val;
    Offset *count;                // entries of each column
    unsigned *ticket;             // how many of its column had come before an entry
    const Offset *to_start;
    unsigned *to_col;
    Scalar *to_val;
};

extern "C" __global__ void transpose_count(const __grid_constant__ Transpose a) {
    for (Offset k = thread_index(); k < a.nnz; k += thread_count())
        a.ticket[k] = unsigned(atomicAdd(a.count + stream(a.col + k), Offset(1)));
}

extern "C" __global__ void transpose_scatter(const __grid_constant__ Transpose a) {
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        for (Offset k = a.start[i]; k < a.start[i + 1]; ++k) {
            const Offset place = a.to_start[a.col[k]] + a.ticket[k];
            a.to_col[place] = unsigned(i);
            a.to_val[place] = a.is_conjugate ? conj(a.val[k]) : a.val[k];
        }
    }
}

struct SortRows {
    Offset rows;
    const Offset *start;
    Offset least, most;           // rows of more than `least` and at most `most` entries, `most` <= SLOTS
    const unsigned *from_col;
    const Scalar *from_val;
    unsigned *col;
    Scalar *val;
};

extern "C" __global__ void __launch_bounds__(THREADS) transpose_sort(const __grid_constant__ SortRows a) {
    __shared__ uint4 columns[THREADS / LANES * SLOTS / 4];
    unsigned *own = reinterpret_cast<unsigned *>(columns) + threadIdx.x / LANES * SLOTS;
    const Offset teams = THREADS / LANES;
    for (Offset first = blockIdx.x * teams; first < a.rows; first += gridDim.x * teams) {
        const Offset i = first + threadIdx.x / LANES, begin = i < a.rows ? a.start[i] : 0;
        const Offset length = i < a.rows ? a.start[i + 1] - begin : 0;
        const unsigned count = length > a.least && length <= a.most ? unsigned(length) : 0;
        for (unsigned e = team_lane(); e < (count + 3) / 4 * 4; e += LANES)
            own[e] = e < count ? a.from_col[begin + e] : NONE;
        __syncwarp();
        for (unsigned e = team_lane(); e < count; e += LANES) {
            const unsigned column = own[e];
            unsigned rank = 0;
            for (unsigned s = 0; s < count; s += 4) {
                const uint4 four = *reinterpret_cast<const uint4 *>(own + s);
                rank += (four.x < column) + (four.y < column) + (four.z < column) + (four.w < column);
            }
            a.col[begin + rank] = column, a.val[begin + rank] = a.from_val[begin + e];
        }
        __syncwarp();
    }
}
