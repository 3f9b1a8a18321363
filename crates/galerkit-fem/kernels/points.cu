// points.cu: B^T D B u at Q Gauss points in each direction. Values first, axis after axis; then slopes from values at
// the points of a line; fluxes; and all of it transposed. A thread has a line of each axis in turn. With three arrays
// nothing stays in registers from one line to the next; with two, a thread keeps its line of the first axis while
// another takes its place. In front of it stand points.cuh and struct Factors, from factors_stored.cuh or
// factors_trilinear.cuh. Coefficients to values along a line, in place; slopes of these, too, if asked.
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
__device__ inline void to_slopes(const Scalar *v, int stride, Scalar (&g)[Q]) {
    Scalar w[Q];
    read(v, stride, w);
    multiply(SLOPES, w, g);
}
// v = G^T f, added to v if they are not the same.
__device__ inline void from_slopes(Scalar *v, int stride, const Scalar *flux) {
    Scalar f[Q], g[Q];
    read(flux, stride, f);
    multiply_transposed(SLOPES, f, g);
    #pragma unroll
    for (int q = 0; q < Q; ++q) v[q * stride] = ARRAYS == 3 ? v[q * stride] + g[q] : g[q];
}
// v = B^T (v + G^T f)
__device__ inline void from_slopes_to_moments(Scalar *v, int stride, const Scalar *flux) {
    Scalar f[Q], w[Q], u[N];
    read(flux, stride, f);
    multiply_transposed(SLOPES, f, w);
    #pragma unroll
    for (int q = 0; q < Q; ++q) w[q] += v[q * stride];
    multiply_transposed(VALUES, w, u);
    write(v, stride, u);
}
__device__ inline void to_moments(Scalar *v, int stride) {
    Scalar w[Q], u[N];
    read(v, stride, w);
    multiply_transposed(VALUES, w, u);
    write(v, stride, u);
}
// Along the first axis, of which w has the values: fluxes in s and t, where slopes along the others were, and in w what
// the first axis and the reaction contribute. Returns grad u . D grad u + r u^2 at the points. Without reaction the
// values are not kept: registers are few.
__device__ inline Scalar fluxes(const Factors &D, Scalar (&w)[Q], Scalar *s, Scalar *t) {
    Scalar g[Q], r[Q], energy = zero();
    multiply(SLOPES, w, g);
    #pragma unroll
    for (int q = 0; q < Q; ++q) {
        const Scalar y = s[q * PLANE], z = DIM == 3 ? t[q * PLANE] : zero();
        Scalar a = g[q], b = y, c = z;
        const Scalar reaction = D.flux(q, a, b, c);
        energy += conj(g[q]) * a + conj(y) * b;
        g[q] = a, s[q * PLANE] = b;
        if (DIM == 3) energy += conj(z) * c, t[q * PLANE] = c;
        if (REACTS) r[q] = reaction * w[q], energy += conj(w[q]) * r[q], w[q] = r[q];
    }
    multiply_transposed(SLOPES, g, r);
    #pragma unroll
    for (int q = 0; q < Q; ++q) w[q] = REACTS ? w[q] + r[q] : r[q];
    return energy;
}

// Returns a part of (x, A x).
__device__ inline Scalar cells(const Map &A, const Kind &kind, const Scalar *x) {
    const Group<WARPS> group(IN_SHARED || gridDim.x < ROOMS ? gridDim.x : ROOMS, MOST_GROUPS);
    Scalar energy = zero();
    if (group.is_idle) return energy;
    const unsigned cell = group.thread / (Q * QZ), line = group.thread % (Q * QZ);
    Scalar *room = IN_SHARED ? shared_room() : A.room + Offset(blockIdx.x) * ROOM_SIZE;
    Scalar *v = room + GROUP_ROOM * group.index + cell * ROOM, *t = v + CELLS * ROOM;
    Scalar *maps = room + GROUP_ROOM * group.index + CELLS * ARRAYS * ROOM;
    Scalar *s = ARRAYS == 3 ? t + CELLS * ROOM : v;                   // slopes along the second axis
    const unsigned first = line / QZ * ROW + line % QZ, second = line / QZ * PLANE + line % QZ;
    const unsigned third = line / Q * PLANE + line % Q * ROW;
    const bool has_second = DIM == 2 || line % QZ < N, has_first = line / QZ < N && has_second;
    for (Offset from = group.first * CELLS; from < kind.cells; from += group.stride * CELLS) {
        const bool works = cell < CELLS && from + cell < kind.cells;
        const Offset place = works ? kind.first[from + cell] + line / QZ * NZ + line % QZ : 0;
        Scalar w[Q], g[Q], numbers[MAP_PARTS];
        #pragma unroll
        for (int k = 0; k < MAP_PARTS; ++k) {
            // On their way while unknowns are gathered: fluxes need them.
            const int at = int(group.thread) + k * 32 * WARPS;
            if (at < MAPS * CELLS && from * MAPS + at < kind.cells * MAPS) numbers[k] = stream(kind.factors + from * MAPS + at);
        }
        if (works && has_first) {
            Scalar u[N];
            #pragma unroll
            for (int i = 0; i < N; ++i) u[i] = gathered(A, x, A.index[place + i * N * NZ]);
            multiply(VALUES, u, w);
            write(v + first, PLANE, w);
        }
        #pragma unroll
        for (int k = 0; k < MAP_PARTS; ++k) {
            const int at = int(group.thread) + k * 32 * WARPS;
            if (at < MAPS * CELLS) maps[at] = numbers[k];
        }
        group.meet();
        if (works && has_second) to_values(v + second, ROW, nullptr);
        group.meet();
        if (DIM == 3) {
            if (works) to_values(v + third, 1, t + third);
            group.meet();
        }
        if (works) {
            to_slopes(v + second, ROW, g);
            if (ARRAYS == 2) read(v + first, PLANE, w);
        }
        if (ARRAYS == 2) group.meet();
        if (works) write(s + second, ROW, g);
        group.meet();
        if (works) {
            const Factors D(TRILINEAR ? maps + MAPS * cell : kind.factors + (from + cell) * Factors::NUMBERS, line);
            if (ARRAYS == 3) read(v + first, PLANE, w);
            energy += fluxes(D, w, s + first, t + first);
            if (ARRAYS == 3) write(v + first, PLANE, w);
        }
        group.meet();
        if (works) from_slopes(v + second, ROW, s + second);
        group.meet();
        if (ARRAYS == 2) {
            #pragma unroll
            for (int q = 0; q < Q; ++q) if (works) v[first + q * PLANE] += w[q];
            group.meet();
        }
        if (DIM == 3) {
            if (works) from_slopes_to_moments(v + third, 1, t + third);
            group.meet();
        }
        if (works && has_second) to_moments(v + second, ROW);
        group.meet();
        if (works && has_first) {
            Scalar u[N];
            read(v + first, PLANE, w);
            multiply_transposed(VALUES, w, u);
            #pragma unroll
            for (int i = 0; i < N; ++i) put(A, place + i * N * NZ, A.index[place + i * N * NZ], u[i]);
        }
    }
    return energy;
}
