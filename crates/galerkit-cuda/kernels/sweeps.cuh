// sweeps.cuh: two triangles in slices of at most 32 rows of one level, as map/triangular.rs stores them. Before
// narrow.cu and triangular.cu.

struct Sweep {
    Offset slices;
    const Offset *start;          // first slot of each slice
    const unsigned *first;        // first position of each slice
    const unsigned *row;          // row at each position
    const unsigned *col;          // position of the row that an entry needs; NONE is padding
    const uint4 *place;           // for one block: all of a slice in one word, see Narrow
    const unsigned *near;         // for one block: where two entries find their rows in shared memory
    const Scalar *val;
    const Scalar *scale;          // s by position
    Scalar *out;                  // u or v by position
};
struct Map {
    Sweep forward, backward;
    const unsigned *position;     // where u has the row that v has at each position
    double damping;               // 2 - w for SSOR
    Offset warps;                 // more than so many would only wait
    Offset is_narrow;             // one block does it all
};

constexpr unsigned NONE = 0xffffffffu;

// Where a slice is stored, as loaded: what is computed from it would wait for it. Behind the last one nothing.
struct Narrow {
    unsigned first;               // position
    unsigned shape;               // 8 bits for rows, 23 for pairs of entries, one if rows beyond reach are needed
    unsigned before;              // slices of the levels before its own
    unsigned start;               // in 64 slots
    __device__ unsigned rows() const { return shape & 0xffu; }
    __device__ unsigned pairs() const { return shape >> 8 & 0x7fffffu; }
    __device__ bool has_far() const { return shape >> 31 != 0; }
};
__device__ inline Narrow place(const Sweep &T, Offset s) {
    if (s >= T.slices) return {0, 0, 0, 0};
    const uint4 word = __ldcs(T.place + s);
    return {word.x, word.y, word.z, word.w};
}
