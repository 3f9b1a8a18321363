// extension.cu: interior coefficients of cells from those of their boundary, and the transpose of that. A block has a
// cell in shared memory, a thread a line of it. In front of it stand DIM, the HIGHEST degree and TRANSPOSED. Passes of
// the transpose: cells into `local`, then sums in a fixed order. Launcher: multigrid/extension.rs. Oracle: the same.
constexpr unsigned NONE = 0xffffffffu, SIGN = 0x80000000u;
constexpr unsigned SIDE = HIGHEST + 1, MOST = SIDE * SIDE * (DIM == 3 ? SIDE : 1);

struct Cell {
    unsigned degree, interior, first;
};
struct Map {
    Offset interface, unknowns, total, cells;
    const Cell *cell;
    const unsigned *start, *index, *sum_start, *sum_place;
    const Scalar *ends;                                   // from start[p] on: c_2 of both ends, c_3 of both ends, ...
    Scalar *local;
};

__device__ inline Scalar signed_by(unsigned bits, Scalar value) { return bits & SIGN ? -value : value; }

// u = (1 - e) u along a line, or its transpose.
__device__ inline void line(const Scalar *c, unsigned degree, Scalar *u, unsigned stride) {
    Scalar low = u[0], high = u[stride];
    for (unsigned j = 2; j <= degree; ++j, c += 2) {
        Scalar &bubble = u[j * stride];
        if (TRANSPOSED) {
            low -= c[0] * bubble;
            high -= c[1] * bubble;
        } else bubble -= c[0] * low + c[1] * high;
    }
    if (TRANSPOSED) u[0] = low, u[stride] = high;
}

__device__ inline void cells(const Map &A, const Scalar *x, Scalar *y) {
    __shared__ double room[MOST];
    Scalar *u = reinterpret_cast<Scalar *>(room);
    for (Offset k = blockIdx.x; k < A.cells; k += gridDim.x) {
        const Cell cell = A.cell[k];
        const unsigned n = cell.degree + 1, size = n * n * (DIM == 3 ? n : 1), *index = A.index + cell.first;
        for (unsigned t = threadIdx.x; t < size; t += blockDim.x) {
            const unsigned bits = index[t], i = bits & ~SIGN;
            const bool is_interior = i >= A.interface && i < A.unknowns;
            const bool is_read = bits != NONE && is_interior == TRANSPOSED;
            u[t] = is_read ? signed_by(bits, x[i]) : zero();
        }
        __syncthreads();
        for (unsigned axis = 0, stride = 1; axis < DIM; ++axis, stride *= n) {
            for (unsigned l = threadIdx.x; l < size / n; l += blockDim.x)
                line(A.ends + A.start[cell.degree], cell.degree, u + l / stride * stride * n + l % stride, stride);
            __syncthreads();
        }
        for (unsigned t = threadIdx.x; t < size; t += blockDim.x) {
            const unsigned i = index[t];
            if (TRANSPOSED) A.local[cell.first + t] = u[t];
            else if (i >= A.interface && i < A.unknowns) y[i] = x[i] - u[t];
        }
        __syncthreads();
    }
}

__device__ inline void sums(const Map &A, const Scalar *x, Scalar *y) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.total; i += threads) {
        Scalar sum = i < A.unknowns ? x[i] : zero();
        if (i < A.interface || i >= A.unknowns) {
            const Offset slot = i < A.interface ? i : A.interface + (i - A.unknowns);
            for (unsigned k = A.sum_start[slot]; k < A.sum_start[slot + 1]; ++k) {
                const unsigned place = A.sum_place[k];
                sum -= signed_by(place, A.local[place & ~SIGN]);
            }
        }
        y[i] = sum;
    }
}

template <int PASS> __device__ inline void apply(const Map &A, const Scalar *x, Scalar *y) {
    if (PASS == 1) return sums(A, x, y);
    cells(A, x, y);
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    if (!TRANSPOSED)
        for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.interface; i += threads) y[i] = x[i];
}
