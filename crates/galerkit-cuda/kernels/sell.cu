// sell.cu: rows of y = A x, A in slices of HEIGHT rows (sliced ELL; K1, K1r and K1rs with HEIGHT = W). One thread a
// row, neighbouring threads on neighbouring rows: every load of the matrix is coalesced. Slot of entry e in lane l of
// slice s: slice_start[s] + e HEIGHT + l. Narrow columns: base[slice_start[s] / HEIGHT + e]. Injected: HEIGHT (rows of
// a slice), ORDERED (position p holds row order[p], not row p), Column, UNROLL (1 to 16). Traffic per slot: one Scalar,
// one Column, one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/sliced.rs.
struct Map {
    Offset rows;
    const Offset *slice_start;
    const Column *col;
    const unsigned *base;
    const Scalar *val;
    const unsigned *order;
};

// Slots that a thread has under way: twice as many where it has the registers of a persistent kernel of few threads.
constexpr bool HAS_REGISTERS = PERSISTENT_THREADS > 32 && PERSISTENT_THREADS <= 384 && sizeof(Scalar) <= 8;
constexpr unsigned SLOTS = HAS_REGISTERS && UNROLL <= 8 ? 2 * UNROLL : UNROLL;

// The slices of a block's rows.
__device__ inline Map held(const Map &A, Room &room) {
    Map kept = A;
    Offset begin, end;
    if (!own_positions(A.rows, begin, end) || blockDim.x % HEIGHT != 0) return kept;
    const Offset slice = (begin + HEIGHT - 1) / HEIGHT, behind = (end + HEIGHT - 1) / HEIGHT;
    const Offset first = A.slice_start[slice], last = A.slice_start[behind];
    kept.slice_start = hold(room, A.slice_start, slice, behind + 1);
    if (NARROW) kept.base = hold(room, A.base, first / HEIGHT, last / HEIGHT);
    kept.col = hold(room, A.col, first, last);
    kept.val = hold(room, A.val, first, last);
    if (ORDERED) kept.order = hold(room, A.order, begin, end);
    return kept;
}

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    for (Offset p = thread_index(); p < A.rows; p += thread_count()) {
        const Offset slice = p / HEIGHT, lane = p % HEIGHT;
        const Offset first = A.slice_start[slice];
        const unsigned width = unsigned((A.slice_start[slice + 1] - first) / HEIGHT);
        const unsigned *base = NARROW ? A.base + first / HEIGHT : A.base;
        const Scalar sum = run_sum<SLOTS>(A.col + first + lane, base, A.val + first + lane, width, HEIGHT, x);
        row(ORDERED ? Offset(stored(A.order + p)) : p)(sum);
    }
}
