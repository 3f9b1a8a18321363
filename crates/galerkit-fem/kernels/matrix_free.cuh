// matrix_free.cuh: what all kinds of cells share, and the sums behind them. In front of it stands `constexpr int
// KINDS`. Passes: hanging values, one for each kind of cells, sums of hanging functions, sums of interface unknowns.
// Without hanging functions the first and the last but one are left out. Launcher: device.rs. Oracle: reference.rs.
constexpr unsigned NONE = 0xffffffffu, SIGN = 0x80000000u;

// Cells of one kind: how many, where the local functions of each begin, their factors.
struct Kind {
    Offset cells;
    const unsigned *first;
    const Scalar *factors;
};
struct Rows {
    const unsigned *start, *col;
    const Scalar *val;
};
struct Map {
    Offset interface, unknowns, hanging;
    const unsigned *index, *sum_start, *sum_place;
    Rows constraints, transposed;
    Scalar *local, *hanging_value, *hanging_sum;
    Scalar *room;                                      // for cells that shared memory is too small for
    Kind kinds[KINDS];
};

// Shared memory of a block: all kinds use the same.
__device__ inline Scalar *shared_room() {
    __shared__ double room[SHARED / sizeof(double)];
    return reinterpret_cast<Scalar *>(room);
}

__device__ inline Scalar signed_by(unsigned bits, Scalar value) { return bits & SIGN ? -value : value; }

// What a local function gathers.
__device__ inline Scalar gathered(const Map &A, const Scalar *x, unsigned bits) {
    if (bits == NONE) return zero();
    const unsigned i = bits & ~SIGN;
    return signed_by(bits, i < A.unknowns ? x[i] : A.hanging_value[i - A.unknowns]);
}

// The result of a local function: final for unknowns in the interior of a cell, to be summed for others.
__device__ inline void put(const Map &A, Scalar *y, Offset place, unsigned bits, Scalar value) {
    const unsigned i = bits & ~SIGN;
    if (i >= A.interface && i < A.unknowns) y[i] = signed_by(bits, value);
    else if (bits != NONE) A.local[place] = value;
}

__device__ inline Scalar row_times(const Rows &C, Offset i, const Scalar *x) {
    Scalar sum = zero();
    for (unsigned k = C.start[i]; k < C.start[i + 1]; ++k) sum += C.val[k] * x[C.col[k]];
    return sum;
}

__device__ inline Scalar sum_of_cells(const Map &A, Offset row) {
    Scalar sum = zero();
    for (unsigned k = A.sum_start[row]; k < A.sum_start[row + 1]; ++k) {
        const unsigned place = A.sum_place[k];
        sum += signed_by(place, A.local[place & ~SIGN]);
    }
    return sum;
}

// C x
__device__ inline void hanging_values(const Map &A, const Scalar *x) {
    for (Offset i = thread_index(); i < A.hanging; i += thread_count())
        A.hanging_value[i] = row_times(A.constraints, i, x);
}

__device__ inline void hanging_sums(const Map &A) {
    for (Offset i = thread_index(); i < A.hanging; i += thread_count())
        A.hanging_sum[i] = sum_of_cells(A, A.interface + i);
}

__device__ inline void interface_sums(const Map &A, Scalar *y) {
    for (Offset i = thread_index(); i < A.interface; i += thread_count()) {
        const Scalar sum = sum_of_cells(A, i);
        y[i] = A.hanging ? sum + row_times(A.transposed, i, A.hanging_sum) : sum;
    }
}

// Cells that a block multiplies side by side: as many as have a thread for each of their lines, and shared memory.
__device__ inline unsigned side_by_side(unsigned lines, unsigned most) {
    const unsigned cells = blockDim.x / lines < most ? blockDim.x / lines : most;
    return cells > 0 ? cells : 1;
}
// Cells of a batch that begins at a cell.
__device__ inline unsigned batch(const Kind &kind, Offset from, unsigned side) {
    return kind.cells - from < side ? unsigned(kind.cells - from) : side;
}

// v = T u, and v = T^T u, for a table T of TO x FROM or FROM x TO entries.
template <int FROM, int TO> __device__ inline void multiply(const Scalar *T, const Scalar (&u)[FROM], Scalar (&v)[TO]) {
    #pragma unroll
    for (int i = 0; i < TO; ++i) {
        v[i] = zero();
        #pragma unroll
        for (int j = 0; j < FROM; ++j) v[i] += T[i * FROM + j] * u[j];
    }
}
template <int FROM, int TO>
__device__ inline void multiply_transposed(const Scalar *T, const Scalar (&u)[FROM], Scalar (&v)[TO]) {
    #pragma unroll
    for (int i = 0; i < TO; ++i) {
        v[i] = zero();
        #pragma unroll
        for (int j = 0; j < FROM; ++j) v[i] += T[j * TO + i] * u[j];
    }
}
template <int COUNT> __device__ inline void read(const Scalar *s, int stride, Scalar (&u)[COUNT]) {
    #pragma unroll
    for (int i = 0; i < COUNT; ++i) u[i] = s[i * stride];
}
template <int COUNT> __device__ inline void write(Scalar *s, int stride, const Scalar (&u)[COUNT]) {
    #pragma unroll
    for (int i = 0; i < COUNT; ++i) s[i * stride] = u[i];
}
