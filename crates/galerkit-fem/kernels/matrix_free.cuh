// matrix_free.cuh: what all kinds of cells share, and the sums behind them. In front of it stand `constexpr int KINDS`,
// `constexpr bool HANGS, BESIDE` and sizes of shared memory. Passes by elements: hanging values, all cells, sums of
// hanging functions; the first and the last only where functions hang. Then rows. Launcher: device.rs. Oracle:
// reference.rs.
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
    Offset interface, unknowns, hanging, rows;         // rows beyond the unknowns of cells are those of the matrix beside them
    const unsigned *index;
    const Offset *pairs, *lists;                       // what interface unknowns, then hanging functions sum, Sums::pairs
    Rows constraints, transposed, beside;
    Scalar *local, *interior;                          // results of cells: to be summed; final
    Scalar *hanging_value, *hanging_sum;
    Scalar *room;                                      // for cells that shared memory is too small for
    Scalar *beside_value;
    Kind kinds[KINDS];
};

// Tables are real, whatever the scalar.
__device__ inline Complex operator*(Real a, Complex b) { return {a * b.re, a * b.im}; }

// Shared memory of a block: all kinds use the same.
__device__ inline Scalar *shared_room() {
    __shared__ double2 room[(SHARED + sizeof(double2) - 1) / sizeof(double2)];
    return reinterpret_cast<Scalar *>(room);
}

__device__ inline Scalar signed_by(unsigned bits, Scalar value) { return bits & SIGN ? -value : value; }

// What a local function gathers.
__device__ inline Scalar gathered(const Map &A, const Scalar *x, unsigned bits) {
    if (bits == NONE) return zero();
    const unsigned i = bits & ~SIGN;
    return signed_by(bits, !HANGS || i < A.unknowns ? x[i] : A.hanging_value[i - A.unknowns]);
}

// The result of a local function: final for unknowns in the interior of a cell, to be summed for others.
__device__ inline void put(const Map &A, Offset place, unsigned bits, Scalar value) {
    const unsigned i = bits & ~SIGN, inside = i - unsigned(A.interface);
    const bool is_final = inside < unsigned(A.unknowns - A.interface);
    Scalar *to = is_final ? A.interior + inside : A.local + place;
    if (bits != NONE) *to = is_final ? signed_by(bits, value) : value;
}

__device__ inline Scalar row_times(const Rows &C, Offset i, const Scalar *x) {
    Scalar sum = zero();
    for (unsigned k = C.start[i]; k < C.start[i + 1]; ++k) sum += C.val[k] * x[C.col[k]];
    return sum;
}

__device__ inline Scalar result(const Map &A, unsigned place) {
    return place == NONE ? zero() : signed_by(place, A.local[place & ~SIGN]);
}

// Faces have two cells at most, and most functions of higher degree are theirs: both places are found at once.
__device__ inline Scalar sum_of_cells(const Map &A, Offset row) {
    const Offset pair = A.pairs[row];
    const unsigned one = unsigned(pair), other = unsigned(pair >> 32);
    if (one != NONE) return result(A, one) + result(A, other);
    const Offset *list = A.lists + 2 * Offset(other >> 4);
    unsigned fours = other & 15;
    if (fours == 0) fours = unsigned(list[0]), list += 2;
    Scalar sum = zero();
    for (; fours > 0; --fours, list += 2) {
        const Offset two = list[0], more = list[1];
        sum += (result(A, unsigned(two)) + result(A, unsigned(two >> 32)))
             + (result(A, unsigned(more)) + result(A, unsigned(more >> 32)));
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

// The rows of the matrix beside cells that are not empty. Returns a part of (x, A x).
__device__ inline Scalar beside_values(const Map &A, const Scalar *x) {
    Scalar energy = zero();
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) {
        if (A.beside.start[i] == A.beside.start[i + 1]) continue;
        A.beside_value[i] = row_times(A.beside, i, x);
        energy += conj(x[i]) * A.beside_value[i];
    }
    return energy;
}

__device__ inline Scalar row_of_cells(const Map &A, Offset i) {
    if (BESIDE && i >= A.unknowns) return zero();
    if (i >= A.interface) return A.interior[i - A.interface];
    const Scalar sum = sum_of_cells(A, i);
    return HANGS ? sum + row_times(A.transposed, i, A.hanging_sum) : sum;
}
__device__ inline Scalar row_of(const Map &A, Offset i) {
    const Scalar sum = row_of_cells(A, i);
    return BESIDE && A.beside.start[i] != A.beside.start[i + 1] ? sum + A.beside_value[i] : sum;
}

template <class Row> __device__ inline void each_row(const Map &A, const Scalar *, Row row) {
    for (Offset i = thread_index(); i < A.rows; i += thread_count()) row(i)(row_of(A, i));
}

// Warps of a block that multiply some cells together, and wait for nobody else. Groups go through all batches of cells.
template <int WARPS> struct Group {
    unsigned index, thread;
    Offset first, stride;
    bool is_idle;

    // In blocks of the launch that have room, so many groups at most.
    __device__ Group(unsigned blocks, unsigned most) {
        const unsigned all = blockDim.x / THREADS_OF_IT, few = all < most ? all : most, groups = few < 15 ? few : 15;
        index = threadIdx.x / THREADS_OF_IT;
        thread = threadIdx.x % THREADS_OF_IT;
        first = Offset(blockIdx.x) * groups + index;
        stride = Offset(blocks) * groups;
        is_idle = index >= groups || blockIdx.x >= blocks;
    }
    __device__ void meet() const {
        if (WARPS == 1) __syncwarp();
        else group_barrier(1 + index, THREADS_OF_IT);
    }
    static constexpr unsigned THREADS_OF_IT = 32 * WARPS;
};

// v = T u, and v = T^T u, for a table T of TO x FROM or FROM x TO entries.
template <int FROM, int TO> __device__ inline void multiply(const Real *T, const Scalar (&u)[FROM], Scalar (&v)[TO]) {
    #pragma unroll
    for (int i = 0; i < TO; ++i) {
        v[i] = zero();
        #pragma unroll
        for (int j = 0; j < FROM; ++j) v[i] += T[i * FROM + j] * u[j];
    }
}
template <int FROM, int TO>
__device__ inline void multiply_transposed(const Real *T, const Scalar (&u)[FROM], Scalar (&v)[TO]) {
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
