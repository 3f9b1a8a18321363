// points.cu: B^T D B u with D stored at Q Gauss points in each direction. Values first, axis after axis; then slopes
// from values at the points of a line; fluxes; and all of it transposed. A thread has a line. In front of it stand DIM,
// N = p + 1, Q, REACTS, IN_SHARED, the Q x N table VALUES, the Q x Q table SLOPES, and WARPS and CELLS of a group.
constexpr int NZ = DIM == 3 ? N : 1, QZ = DIM == 3 ? Q : 1, POINTS = Q * Q * QZ;
constexpr int ROW = QZ | 1, PLANE = Q * ROW, ROOM = Q * PLANE, ENTRIES = DIM * (DIM + 1) / 2;
constexpr unsigned MOST_GROUPS = IN_SHARED ? SHARED / (CELLS * DIM * ROOM * sizeof(Scalar)) : 1;

// Coefficients to values along the first axis: a line is (j, k) below N x NZ.
__device__ inline void gather_first(const Map &A, const unsigned *index, unsigned line, const Scalar *x, Scalar *v) {
    Scalar u[N], w[Q];
    #pragma unroll
    for (int i = 0; i < N; ++i) u[i] = gathered(A, x, index[i * N * NZ + line]);
    multiply(VALUES, u, w);
    write(v + line / NZ * ROW + line % NZ, PLANE, w);
}
// Along another axis, in place; along the last also its slopes.
__device__ inline void to_values(Scalar *v, int stride, Scalar *slopes) {
    Scalar u[N], w[Q], g[Q];
    read(v, stride, u);
    multiply(VALUES, u, w);
    write(v, stride, w);
    if (slopes) {
        multiply(SLOPES, w, g);
        write(slopes, stride, g);
    }
}
__device__ inline void to_slopes(const Scalar *v, int stride, Scalar *slopes) {
    Scalar w[Q], g[Q];
    read(v, stride, w);
    multiply(SLOPES, w, g);
    write(slopes, stride, g);
}
// Along the first axis: its slopes, the fluxes D grad u at its points, and what the first axis and r u contribute. Returns
// grad u . D grad u + r u^2 at its points.
__device__ inline Scalar fluxes(const Scalar *D, unsigned line, Scalar *v, Scalar *g1, Scalar *g2) {
    const unsigned at = line / QZ * ROW + line % QZ;
    Scalar w[Q], g[Q], f[Q], energy = zero();
    read(v + at, PLANE, w);
    multiply(SLOPES, w, g);
    #pragma unroll
    for (int q = 0; q < Q; ++q) {
        const Scalar *d = D + q * Q * QZ + line;                  // entry e of D at this point: d[e * POINTS]
        const unsigned s = at + q * PLANE;
        const Scalar a = g[q], b = g1[s], c = DIM == 3 ? g2[s] : zero();
        if (DIM == 3) {
            const Scalar d01 = stream(d + POINTS), d02 = stream(d + 2 * POINTS), d12 = stream(d + 4 * POINTS);
            f[q] = stream(d) * a + d01 * b + d02 * c;
            g1[s] = d01 * a + stream(d + 3 * POINTS) * b + d12 * c;
            g2[s] = d02 * a + d12 * b + stream(d + 5 * POINTS) * c;
            energy += c * g2[s];
        } else {
            const Scalar d01 = stream(d + POINTS);
            f[q] = stream(d) * a + d01 * b;
            g1[s] = d01 * a + stream(d + 2 * POINTS) * b;
        }
        energy += a * f[q] + b * g1[s];
        const Scalar flow = REACTS ? stream(d + ENTRIES * POINTS) * w[q] : zero();
        energy += w[q] * flow;
        w[q] = flow;
    }
    multiply_transposed(SLOPES, f, g);
    #pragma unroll
    for (int q = 0; q < Q; ++q) v[at + q * PLANE] = g[q] + w[q];
    return energy;
}
// v = v + G^T f along an axis; along the last then integrals against functions.
__device__ inline void add_fluxes(Scalar *v, int stride, const Scalar *flux, bool is_last) {
    Scalar f[Q], g[Q], w[Q], u[N];
    read(flux, stride, f);
    read(v, stride, w);
    multiply_transposed(SLOPES, f, g);
    #pragma unroll
    for (int q = 0; q < Q; ++q) w[q] += g[q];
    if (is_last) {
        multiply_transposed(VALUES, w, u);
        write(v, stride, u);
    } else write(v, stride, w);
}
__device__ inline void to_moments(Scalar *v, int stride) {
    Scalar w[Q], u[N];
    read(v, stride, w);
    multiply_transposed(VALUES, w, u);
    write(v, stride, u);
}
__device__ inline void put_first(const Map &A, Offset first, unsigned line, const Scalar *v) {
    Scalar w[Q], u[N];
    read(v + line / NZ * ROW + line % NZ, PLANE, w);
    multiply_transposed(VALUES, w, u);
    #pragma unroll
    for (int i = 0; i < N; ++i) {
        const Offset place = first + i * N * NZ + line;
        put(A, place, A.index[place], u[i]);
    }
}

// Calls work(cell, line) for `lines` lines of each of `count` cells; then the group waits for all of them.
template <class Work>
__device__ inline void each_line(const Group<WARPS> &group, unsigned count, unsigned lines, Work work) {
    for (unsigned t = group.thread; t < count * lines; t += group.THREADS_OF_IT) work(t / lines, t % lines);
    group.meet();
}

// Returns a part of (x, A x).
__device__ inline Scalar cells(const Map &A, const Kind &kind, const Scalar *x) {
    const Group<WARPS> group(IN_SHARED || gridDim.x < ROOMS ? gridDim.x : ROOMS, MOST_GROUPS);
    Scalar energy = zero();
    if (group.is_idle) return energy;
    Scalar *room = IN_SHARED ? shared_room() : A.room + Offset(blockIdx.x) * ROOM_SIZE;
    Scalar *v = room + group.index * (DIM * CELLS * ROOM), *g1 = v + CELLS * ROOM, *g2 = g1 + CELLS * ROOM; // g2: 3D alone
    for (Offset from = group.first * CELLS; from < kind.cells; from += group.stride * CELLS) {
        const unsigned count = kind.cells - from < CELLS ? unsigned(kind.cells - from) : CELLS;
        each_line(group, count, N * NZ, [&](unsigned c, unsigned line) {
            gather_first(A, A.index + kind.first[from + c], line, x, v + c * ROOM);
        });
        each_line(group, count, Q * NZ, [&](unsigned c, unsigned line) {
            const unsigned at = c * ROOM + line / NZ * PLANE + line % NZ;
            to_values(v + at, ROW, DIM == 2 ? g1 + at : nullptr);
        });
        if (DIM == 3) {
            each_line(group, count, Q * Q, [&](unsigned c, unsigned line) {
                const unsigned at = c * ROOM + line / Q * PLANE + line % Q * ROW;
                to_values(v + at, 1, g2 + at);
            });
            each_line(group, count, Q * Q, [&](unsigned c, unsigned line) {
                const unsigned at = c * ROOM + line / Q * PLANE + line % Q;
                to_slopes(v + at, ROW, g1 + at);
            });
        }
        each_line(group, count, Q * QZ, [&](unsigned c, unsigned line) {
            const Scalar *D = kind.factors + (from + c) * (ENTRIES + REACTS) * POINTS;
            energy += fluxes(D, line, v + c * ROOM, g1 + c * ROOM, g2 + c * ROOM);
        });
        each_line(group, count, Q * QZ, [&](unsigned c, unsigned line) {
            const unsigned at = c * ROOM + line / QZ * PLANE + line % QZ;
            add_fluxes(v + at, ROW, g1 + at, DIM == 2);
        });
        if (DIM == 3) {
            each_line(group, count, Q * Q, [&](unsigned c, unsigned line) {
                const unsigned at = c * ROOM + line / Q * PLANE + line % Q * ROW;
                add_fluxes(v + at, 1, g2 + at, true);
            });
            each_line(group, count, Q * N, [&](unsigned c, unsigned line) {
                to_moments(v + c * ROOM + line / N * PLANE + line % N, ROW);
            });
        }
        each_line(group, count, N * NZ, [&](unsigned c, unsigned line) {
            put_first(A, kind.first[from + c], line, v + c * ROOM);
        });
    }
    return energy;
}
