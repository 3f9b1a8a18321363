// sell_short.cu: rows of y = A x, A in slices of HEIGHT rows that all have WIDTH slots a row, few of them: nothing has
// to be looked up to know where a row is. What takes time is to wait for memory, so a thread asks for everything that
// does not depend on x at once, for ROWS rows, and for what else the rows need. Slot of entry e in lane l of slice s:
// (s WIDTH + e) HEIGHT + l. Narrow columns: base[s WIDTH + e]. Injected: HEIGHT, WIDTH, ROWS (1 or 2), ORDERED
// (position p holds row order[p], not row p), Column, UNROLL (for run.cuh). Traffic per slot: one Scalar, one Column,
// one gathered x. Oracle: backend/reference/spmv.rs. Loader: map/sliced.rs.
struct Map {
    Offset rows;
    const Column *col;
    const unsigned *base;
    const Scalar *val;
    const unsigned *order;
};

// The sums of the rows at some positions.
template <unsigned N> __device__ inline void sums(const Map &A, const Offset (&p)[N], const Scalar *x, Scalar (&sum)[N]) {
    Column c[N][WIDTH];
    unsigned base[N][WIDTH];
    Scalar a[N][WIDTH], b[N][WIDTH];
#pragma unroll
    for (unsigned r = 0; r < N; ++r) {
        const Offset step = p[r] / HEIGHT * WIDTH, lane = p[r] % HEIGHT;
#pragma unroll
        for (unsigned e = 0; e < WIDTH; ++e) {
            c[r][e] = stored(A.col + (step + e) * HEIGHT + lane);
            base[r][e] = NARROW ? A.base[step + e] : 0;
            a[r][e] = stored(A.val + (step + e) * HEIGHT + lane);
        }
    }
#pragma unroll
    for (unsigned r = 0; r < N; ++r)
#pragma unroll
        for (unsigned e = 0; e < WIDTH; ++e) b[r][e] = c[r][e] == PAD ? zero() : gather(x + (base[r][e] + c[r][e]));
#pragma unroll
    for (unsigned r = 0; r < N; ++r) {
        sum[r] = zero();
#pragma unroll
        for (unsigned e = 0; e < WIDTH; ++e) sum[r] += a[r][e] * b[r][e];
    }
}

__device__ inline Offset row_at(const Map &A, Offset p) { return ORDERED ? Offset(stored(A.order + p)) : p; }

// So many rows of this thread, `apart` from each other.
template <unsigned ROWS_HERE, class Row>
__device__ inline void some_rows(const Map &A, Offset p, Offset apart, const Scalar *x, Row row) {
    Offset at[ROWS_HERE];
#pragma unroll
    for (unsigned r = 0; r < ROWS_HERE; ++r) at[r] = p + r * apart;
    Scalar sum[ROWS_HERE];
    if constexpr (ROWS_HERE == 2) {
        auto a = row(row_at(A, at[0])), b = row(row_at(A, at[1]));
        sums(A, at, x, sum);
        a(sum[0]), b(sum[1]);
    } else {
        auto a = row(row_at(A, at[0]));
        sums(A, at, x, sum);
        a(sum[0]);
    }
}

// The slices of a block's rows.
__device__ inline Map held(const Map &A, Room &room) {
    Map kept = A;
    Offset begin, end;
    if (!own_positions(A.rows, begin, end) || blockDim.x % HEIGHT != 0) return kept;
    const Offset first = (begin + HEIGHT - 1) / HEIGHT * WIDTH, last = (end + HEIGHT - 1) / HEIGHT * WIDTH;
    if (NARROW) kept.base = hold(room, A.base, first, last);
    kept.col = hold(room, A.col, first * HEIGHT, last * HEIGHT);
    kept.val = hold(room, A.val, first * HEIGHT, last * HEIGHT);
    if (ORDERED) kept.order = hold(room, A.order, begin, end);
    return kept;
}

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset apart = thread_count();
    Offset p = thread_index();
    for (; p + (ROWS - 1) * apart < A.rows; p += ROWS * apart) some_rows<ROWS>(A, p, apart, x, row);
    for (; p < A.rows; p += apart) some_rows<1>(A, p, apart, x, row);
}
