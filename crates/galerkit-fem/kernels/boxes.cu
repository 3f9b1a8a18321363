// boxes.cu: boxes with constant coefficients, (D0 K (x) M (x) M + D1 M (x) K (x) M + D2 M (x) M (x) K + r M (x) M (x)
// M) u, one axis after the other. A thread has a line; a block as many cells as it has threads and shared memory for.
// In front of it stand DIM, N = p + 1 and the N x N table MASS; K is the identity but for its first two rows.
constexpr int NZ = DIM == 3 ? N : 1, LINES = N * NZ, CELL = N * LINES;
constexpr int ROW = NZ | 1, PLANE = N * ROW, ROOM = N * PLANE; // odd rows, or banks would collide
constexpr unsigned MOST_CELLS = SHARED / (2 * ROOM * sizeof(Scalar));

__device__ constexpr bool couples(int i, int j) {
    return i == j || (i < 2 && j < 4) || (j < 2 && i < 4) || (i >= 2 && j >= 2 && (i - j == 2 || j - i == 2));
}
__device__ inline void mass(const Scalar (&u)[N], Scalar (&v)[N]) {
    #pragma unroll
    for (int i = 0; i < N; ++i) {
        v[i] = zero();
        #pragma unroll
        for (int j = 0; j < N; ++j) if (couples(i, j)) v[i] += MASS[i * N + j] * u[j];
    }
}
__device__ inline Scalar stiffness(const Scalar (&u)[N], int i) {
    return i == 0 ? Scalar(0.5) * (u[0] - u[1]) : i == 1 ? Scalar(0.5) * (u[1] - u[0]) : u[i];
}

__device__ inline void first_axis(
    const Map &A, const Kind &kind, Offset cell, unsigned line, const Scalar *x, Scalar *a, Scalar *b) {
    const unsigned *index = A.index + kind.first[cell] + line;
    const Scalar D0 = kind.factors[cell * (DIM + 1)];
    Scalar u[N], v[N];
    #pragma unroll
    for (int i = 0; i < N; ++i) u[i] = gathered(A, x, index[i * LINES]);
    mass(u, v);
    const unsigned at = line / NZ * ROW + line % NZ;
    write(a + at, PLANE, v);
    #pragma unroll
    for (int i = 0; i < N; ++i) b[at + i * PLANE] = D0 * stiffness(u, i);
}
__device__ inline void second_axis(const Scalar *D, unsigned line, Scalar *a, Scalar *b) {
    const Scalar D1 = D[1], r = D[DIM];
    const unsigned at = line / NZ * PLANE + line % NZ;
    Scalar u[N], v[N], w[N], t[N];
    read(a + at, ROW, u);
    read(b + at, ROW, w);
    mass(u, v);
    mass(w, t);
    write(a + at, ROW, v);
    #pragma unroll
    for (int i = 0; i < N; ++i) b[at + i * ROW] = D1 * stiffness(u, i) + r * v[i] + t[i];
}
__device__ inline void third_axis(const Scalar *D, unsigned line, const Scalar *a, Scalar *b) {
    const Scalar D2 = D[2];
    const unsigned at = line / N * PLANE + line % N * ROW;
    Scalar u[N], w[N], t[N];
    read(a + at, 1, u);
    read(b + at, 1, w);
    mass(w, t);
    #pragma unroll
    for (int i = 0; i < N; ++i) b[at + i] = D2 * stiffness(u, i) + t[i];
}

__device__ inline void cells(const Map &A, const Kind &kind, const Scalar *x, Scalar *y) {
    const unsigned side = side_by_side(LINES, MOST_CELLS);
    Scalar *a = shared_room(), *b = a + side * ROOM;
    for (Offset from = Offset(blockIdx.x) * side; from < kind.cells; from += Offset(gridDim.x) * side) {
        const unsigned count = batch(kind, from, side);
        const Scalar *D = kind.factors + from * (DIM + 1);
        for (unsigned t = threadIdx.x; t < count * LINES; t += blockDim.x)
            first_axis(A, kind, from + t / LINES, t % LINES, x, a + t / LINES * ROOM, b + t / LINES * ROOM);
        __syncthreads();
        for (unsigned t = threadIdx.x; t < count * LINES; t += blockDim.x)
            second_axis(D + t / LINES * (DIM + 1), t % LINES, a + t / LINES * ROOM, b + t / LINES * ROOM);
        __syncthreads();
        if (DIM == 3) {
            for (unsigned t = threadIdx.x; t < count * LINES; t += blockDim.x)
                third_axis(D + t / LINES * (DIM + 1), t % LINES, a + t / LINES * ROOM, b + t / LINES * ROOM);
            __syncthreads();
        }
        for (unsigned t = threadIdx.x; t < count * CELL; t += blockDim.x) {
            const unsigned cell = t / CELL, i = t % CELL;
            const Offset place = kind.first[from + cell] + i;
            put(A, y, place, A.index[place], b[cell * ROOM + i / NZ * ROW + i % NZ]);
        }
        __syncthreads();
    }
}
