// narrow.cu: the sweeps of triangular.cu by one block, for triangles of many narrow levels: a level costs trips to
// shared memory instead of one through L2. Rows, sums and their order are the same, so bits are. Slices have 32 rows
// and an even number of entries here, padded with zeros, so that addresses are constants. They go round the warps in
// level order, and each waits until as many slices have ended as the levels before its own have. What a slice needs
// beside earlier rows is under way before its level begins: where it is stored three turns ahead, the numbers of its
// rows two, entries and x one. The last RING rows are in shared memory, and `near` has where: two entries a word, ZERO
// for padding. A slice that needs older rows reads all of them from `out`. Stored by map/triangular/narrow.rs.

constexpr unsigned RING = sizeof(Scalar) > sizeof(Real) ? 1024 : 2048, ZERO = RING;
constexpr unsigned EARLY = sizeof(Scalar) > 8 ? 2 : 6;                 // pairs of entries that a turn ahead loads: what registers allow

static_assert((RING + 1) * sizeof(Scalar) <= SCRATCH_BYTES, "the ring fits the scratch room");
__device__ inline Scalar *ring() { return static_cast<Scalar *>(scratch()); }
__device__ inline unsigned *ended() {
    __shared__ unsigned slices;
    return &slices;
}

// The row of a lane, and where the backward sweep finds u of it.
struct Index { unsigned row, position; };
template <int PASS> __device__ inline Index index(const Map &A, const Sweep &T, const Narrow &at) {
    const unsigned lane = threadIdx.x % 32;
    Index i = {0, 0};
    if (lane < at.rows()) i.row = stream(T.row + at.first + lane);
    if (PASS == 1 && lane < at.rows()) i.position = stream(A.position + at.first + lane);
    return i;
}

// Pairs of entries, from one on; padded.
struct Pairs {
    Scalar val[2 * EARLY];
    unsigned near[EARLY];
};
__device__ inline Pairs pairs(const Sweep &T, const Narrow &at, unsigned from) {
    const unsigned lane = threadIdx.x % 32;
    const Scalar *val = T.val + (Offset(at.start) + from) * 64 + lane;
    const unsigned *near = T.near + (Offset(at.start) + from) * 32 + lane;
    Pairs a;
    #pragma unroll
    for (unsigned b = 0; b < EARLY; ++b) {
        a.near[b] = ZERO | ZERO << 16;
        a.val[2 * b] = a.val[2 * b + 1] = zero();
        if (from + b < at.pairs()) {
            a.near[b] = stream(near + 32 * b);
            a.val[2 * b] = stream(val + 64 * b);
            a.val[2 * b + 1] = stream(val + 64 * b + 32);
        }
    }
    return a;
}
// Half of them, entry by entry.
template <unsigned HALF> __device__ inline void add(const Pairs &a, Scalar &sum) {
    Scalar needed[EARLY];
    #pragma unroll
    for (unsigned b = 0; b < EARLY; ++b) {
        const unsigned both = a.near[(HALF * EARLY + b) / 2];
        needed[b] = ring()[(HALF * EARLY + b) % 2 == 0 ? both & 0xffffu : both >> 16];
    }
    #pragma unroll
    for (unsigned b = 0; b < EARLY; ++b) sum += a.val[HALF * EARLY + b] * needed[b];
}

// What a row needs beside earlier rows; of its entries the first.
struct Row {
    Scalar own, scale;
    Pairs early;
};
template <int PASS>
__device__ inline Row row_of(const Map &A, const Sweep &T, const Scalar *x, const Narrow &at, const Index &i) {
    const unsigned lane = threadIdx.x % 32;
    Row row = {zero(), zero(), pairs(T, at, 0)};
    if (lane < at.rows()) row.own = gather(PASS == 0 ? x + i.row : A.forward.out + i.position);
    if (lane < at.rows()) row.scale = stream(T.scale + at.first + lane);
    return row;
}

__device__ inline Scalar row_sum(const Sweep &T, const Narrow &at, const Row &row) {
    Scalar sum = zero();
    if (at.has_far()) {
        const Offset first = Offset(at.start) * 64 + threadIdx.x % 32;
        for (unsigned e = 0; e < 2 * at.pairs(); ++e) {
            const unsigned col = stream(T.col + first + 32 * e);
            sum += stream(T.val + first + 32 * e) * (col == NONE ? zero() : gather(T.out + col));
        }
        return sum;
    }
    add<0>(row.early, sum);
    if (2 * at.pairs() > EARLY) add<1>(row.early, sum);
    for (unsigned from = EARLY; from < at.pairs(); from += EARLY) {
        const Pairs more = pairs(T, at, from);
        add<0>(more, sum);
        add<1>(more, sum);
    }
    return sum;
}

template <int PASS>
__device__ inline void finish(const Map &A, const Sweep &T, Scalar *y, const Narrow &at, const Index &i, const Row &row) {
    const unsigned lane = threadIdx.x % 32, p = at.first + lane;
    while (load_acquire_in_block(ended()) < at.before) {}
    if (lane < at.rows()) {
        const Scalar sum = row_sum(T, at, row);
        const Scalar out = PASS == 0 ? forward(row.scale, row.own, sum) : backward(A.damping, row.scale, row.own, sum);
        T.out[p] = ring()[p % RING] = out;
        if (PASS == 1) y[i.row] = out;
    }
    __syncwarp();
    if (lane == 0) add_release_in_block(ended(), 1);
}

template <int PASS> __device__ void narrow(const Map &A, const Scalar *x, Scalar *y) {
    if (blockIdx.x > 0) return;
    const Sweep &T = PASS == 0 ? A.forward : A.backward;
    if (threadIdx.x == 0) {
        ring()[ZERO] = zero();
        *ended() = 0;
    }
    __syncthreads();
    const unsigned warps = blockDim.x / 32;
    Offset s = threadIdx.x / 32;
    Narrow places[4] = {place(T, s), place(T, s + warps), place(T, s + 2 * warps)};
    Index indices[4] = {index<PASS>(A, T, places[0]), index<PASS>(A, T, places[1])};
    Row rows[2] = {row_of<PASS>(A, T, x, places[0], indices[0])};
    while (s < T.slices) {
        // Four turns of the loop, so that what is under way stays in its registers: a copy would wait for it.
        #pragma unroll
        for (unsigned turn = 0; turn < 4; ++turn, s += warps) {
            places[(turn + 3) % 4] = place(T, s + 3 * warps);
            indices[(turn + 2) % 4] = index<PASS>(A, T, places[(turn + 2) % 4]);
            rows[(turn + 1) % 2] = row_of<PASS>(A, T, x, places[(turn + 1) % 4], indices[(turn + 1) % 4]);
            if (s < T.slices) finish<PASS>(A, T, y, places[turn], indices[turn], rows[turn % 2]);
        }
    }
}
