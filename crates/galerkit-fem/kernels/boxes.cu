// boxes.cu: boxes with constant coefficients, (D0 K (x) M (x) M + D1 M (x) K (x) M + D2 M (x) M (x) K + r M (x) M (x)
// M) u, the last axis first. A thread has a line of each axis in turn; it gathers and puts lines of the first axis,
// whose neighbours lie side by side in memory. In front of it stand DIM, N = p + 1, the N x N table MASS, and WARPS and
// CELLS of a group; K is the identity but for its first two rows.
constexpr int NZ = DIM == 3 ? N : 1, LINES = N * NZ;
constexpr int ROW = NZ | 1, PLANE = N * ROW, ROOM = N * PLANE; // odd rows, or banks would collide
constexpr unsigned MOST_GROUPS = SHARED / (2 * CELLS * ROOM * sizeof(Scalar));
static_assert(CELLS * LINES <= 32 * WARPS, "a thread for each line");

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
    return i == 0 ? Real(0.5) * (u[0] - u[1]) : i == 1 ? Real(0.5) * (u[1] - u[0]) : u[i];
}

// a = M u, b = D2 K u along the third axis; u is in a.
__device__ inline void third_axis(Scalar D2, Scalar *a, Scalar *b) {
    Scalar u[N], v[N];
    read(a, 1, u);
    mass(u, v);
    write(a, 1, v);
    #pragma unroll
    for (int i = 0; i < N; ++i) b[i] = D2 * stiffness(u, i);
}
// a' = M a, b' = D1 K a + M b + r a' along the second.
__device__ inline void second_axis(Scalar D1, Scalar r, Scalar *a, Scalar *b) {
    Scalar u[N], v[N], t[N];
    read(a, ROW, u);
    mass(u, v);
    write(a, ROW, v);
    #pragma unroll
    for (int i = 0; i < N; ++i) v[i] = r * v[i] + D1 * stiffness(u, i);
    if (DIM == 3) {
        read(b, ROW, u);
        mass(u, t);
    }
    #pragma unroll
    for (int i = 0; i < N; ++i) b[i * ROW] = DIM == 3 ? v[i] + t[i] : v[i];
}
// D0 K a + M b along the first.
__device__ inline void first_axis(Scalar D0, const Scalar *a, const Scalar *b, Scalar (&v)[N]) {
    Scalar u[N];
    read(b, PLANE, u);
    mass(u, v);
    read(a, PLANE, u);
    #pragma unroll
    for (int i = 0; i < N; ++i) v[i] += D0 * stiffness(u, i);
}

// Returns a part of (x, A x).
__device__ inline Scalar cells(const Map &A, const Kind &kind, const Scalar *x) {
    const Group<WARPS> group(gridDim.x, MOST_GROUPS);
    Scalar energy = zero();
    if (group.is_idle) return energy;
    const unsigned cell = group.thread / LINES, line = group.thread % LINES;
    Scalar *a = shared_room() + (2 * CELLS * group.index + cell) * ROOM, *b = a + CELLS * ROOM;
    const unsigned first = line / NZ * ROW + line % NZ, second = line / NZ * PLANE + line % NZ;
    const unsigned third = line / N * PLANE + line % N * ROW;
    for (Offset from = group.first * CELLS; from < kind.cells; from += group.stride * CELLS) {
        const bool works = cell < CELLS && from + cell < kind.cells;
        const Scalar *D = kind.factors + (from + cell) * (DIM + 1);
        Offset place = 0;
        unsigned bits[N];
        Scalar u[N];
        if (works) {
            place = kind.first[from + cell] + line;
            #pragma unroll
            for (int i = 0; i < N; ++i) bits[i] = A.index[place + i * LINES];
            #pragma unroll
            for (int i = 0; i < N; ++i) u[i] = gathered(A, x, bits[i]);
            write(a + first, PLANE, u);
        }
        group.meet();
        if (DIM == 3) {
            if (works) third_axis(D[2], a + third, b + third);
            group.meet();
        }
        if (works) second_axis(D[1], D[DIM], a + second, b + second);
        group.meet();
        if (works) {
            Scalar v[N];
            first_axis(D[0], a + first, b + first, v);
            #pragma unroll
            for (int i = 0; i < N; ++i) {
                energy += conj(u[i]) * v[i];
                put(A, place + i * LINES, bits[i], v[i]);
            }
        }
    }
    return energy;
}
