// grid.cu: the compressed rows of a stencil on a box of grid points, written where they are needed. A team of lanes a
// row, a lane a point of the stencil (or some of them); where a row starts is a formula, so nobody waits for anybody.
// Traffic per entry: one column and one Scalar written. After prelude.cuh. Launcher: convert/born.rs. Oracle:
// linalg/gallery/grid.rs.

constexpr unsigned ALL_LANES = 0xffffffffu;

// Point p is in the rows of a box: from box[2 d points + p] on, before box[(2 d + 1) points + p], along axis d.
struct Grid {
    Offset rows, nx, ny, nnz, points, team;
    const unsigned *box;
    const long long *step;                              // of the column from the diagonal
    const Scalar *value;
    Offset *start;
    unsigned *col;
    Scalar *val;
};

struct Side { unsigned first, end; };
__device__ inline Side side(const Grid &a, unsigned d, unsigned p) {
    return {a.box[2 * d * a.points + p], a.box[(2 * d + 1) * a.points + p]};
}
__device__ inline bool inside(Side s, unsigned place) { return s.first <= place && place < s.end; }
__device__ inline Offset cut(Side s, unsigned place) {
    return place < s.first ? 0 : place < s.end ? place - s.first : s.end - s.first;
}

struct Place { unsigned x, y, z; };

// How many rows before a place point p is in.
__device__ inline Offset rows_before(const Grid &a, unsigned p, Place at) {
    const Side x = side(a, 0, p), y = side(a, 1, p), z = side(a, 2, p);
    const Offset wide = x.end - x.first, high = y.end - y.first;
    const Offset in_line = inside(y, at.y) ? cut(x, at.x) : 0;
    return wide * high * cut(z, at.z) + (inside(z, at.z) ? wide * cut(y, at.y) + in_line : 0);
}
__device__ inline bool is_in_row(const Grid &a, unsigned p, Place at) {
    return inside(side(a, 0, p), at.x) && inside(side(a, 1, p), at.y) && inside(side(a, 2, p), at.z);
}

extern "C" __global__ void grid_rows(const __grid_constant__ Grid a) {
    const unsigned team = unsigned(a.team), points = unsigned(a.points), teams = 32 / team;
    const unsigned lane = threadIdx.x % 32, own = lane % team;
    const unsigned members = team == 32 ? ALL_LANES : (1u << team) - 1;
    for (Offset first = thread_index() / 32 * teams; first < a.rows; first += thread_count() / 32 * teams) {
        const Offset i = first + lane / team;
        const bool exists = i < a.rows;
        const unsigned number = unsigned(i), line = number / unsigned(a.nx);
        const Place at = {number % unsigned(a.nx), line % unsigned(a.ny), line / unsigned(a.ny)};
        Offset slot = 0;
        for (unsigned p = own; p < points; p += team) slot += rows_before(a, p, at);
        for (unsigned offset = team / 2; offset > 0; offset /= 2) slot += __shfl_xor_sync(ALL_LANES, slot, offset);
        if (exists && own == 0) a.start[i] = slot;
        for (unsigned from = 0; from < points; from += team) {
            const unsigned p = from + own;
            const bool here = exists && p < points && is_in_row(a, p, at);
            const unsigned present = __ballot_sync(ALL_LANES, here) >> (lane - own) & members;
            if (here) {
                const Offset k = slot + __popc(present & ((1u << own) - 1));
                a.col[k] = unsigned((long long)i + a.step[p]);
                a.val[k] = a.value[p];
            }
            slot += __popc(present);
        }
    }
    if (thread_index() == 0) a.start[a.rows] = a.nnz;
}
