// amg_prolongator.cu: P = T - g (A^F T) on the pattern of A^F T (spec 08, section 2, step 9), g_i = (4/3) sign(a^F_ii)
// / l^F_i. One thread a row, its columns in ROOM registers; rows with more columns are passed on to a slower text.
// Terms by ascending k: the same bits as the host's. Traffic: one pass over A for the pattern, one for the values.
// After amg.cuh. Launcher: amg/prolongator.rs.

constexpr unsigned MOST_KEPT = 256;                                   // rows with more are not smoothed

struct Prolongator {
    Level A;
    const Scalar *least, *filtered, *filtered_root;
    const unsigned char *kept;    // of each entry, where it was decided before
    const unsigned *aggregate;
    Offset is_smoothed;
    Offset *start;                // of each row of P; count: its entries
    unsigned *col;
    Scalar *val;
    unsigned *list, *count;       // rows that were passed on
};

// Whether entry k of row i is in the filtered matrix.
__device__ inline bool stays(const Prolongator &a, Offset i, Offset k) {
    const unsigned j = a.A.col[k];
    if (j == i) return true;
    if (a.kept) return a.kept[k];
    const Scalar share = fabs(a.A.val[k]) * fabs(near_null(a.A, j));
    return share > 0 && share >= a.least[i];
}
__device__ inline Scalar tentative(const Prolongator &a, Offset i) { return near_null(a.A, i); }
__device__ inline Scalar damping(const Prolongator &a, Offset i, Scalar l1) {
    const Scalar g = Scalar(4.0 / 3.0) / rounded(a.filtered_root[i], l1);
    return a.filtered[i] < 0 ? -g : g;
}
// The entry of P where the sum over A^F T is known.
__device__ inline Scalar entry(const Prolongator &a, Offset i, unsigned column, Scalar g, Scalar sum) {
    return (column == a.aggregate[i] ? tentative(a, i) : Scalar(0)) - rounded(g, sum);
}

struct Columns {
    unsigned col[ROOM];
    Scalar sum[ROOM];
    unsigned count;
};
__device__ inline void add(Columns &c, unsigned column, Scalar term) {
    unsigned place = c.count;
#pragma unroll
    for (unsigned s = 0; s < ROOM; ++s)
        if (s < c.count && c.col[s] == column) place = s;
#pragma unroll
    for (unsigned s = 0; s < ROOM; ++s)
        if (s == place) c.sum[s] = (place == c.count ? Scalar(0) : c.sum[s]) + term, c.col[s] = column;
    c.count += place == c.count;
}

constexpr unsigned BATCH = 4;                                         // entries that are on their way at once

// Row i of A^F T; the l1 sum of A^F, and how many entries off the diagonal stay.
__device__ inline unsigned multiply(const Prolongator &a, Offset i, Columns &c, Scalar &l1) {
    unsigned kept = 0;
    c.count = 0, l1 = 0;
    const Offset end = a.A.start[i + 1];
    const Scalar own = a.filtered[i];
    for (Offset first = a.A.start[i]; first < end; first += BATCH) {
        unsigned j[BATCH], column[BATCH];
        Scalar v[BATCH], root[BATCH];
        bool here[BATCH];
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) {
            here[u] = first + u < end && stays(a, i, first + u);
            j[u] = here[u] ? a.A.col[first + u] : unsigned(i);
            v[u] = j[u] == i ? own : a.A.val[first + u];
        }
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) column[u] = a.aggregate[j[u]], root[u] = a.filtered_root[j[u]];
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) {
            if (!here[u]) continue;
            kept += j[u] != i;
            l1 += fabs(v[u]) / root[u];
            if (column[u] != NONE && c.count <= ROOM) add(c, column[u], rounded(v[u], tentative(a, j[u])));
        }
    }
    return kept;
}

extern "C" __global__ void amg_prolongator_count(const __grid_constant__ Prolongator a) {
    for (Offset first = Offset(blockIdx.x) * blockDim.x; first < a.A.rows; first += thread_count()) {
        const Offset i = first + threadIdx.x;
        bool is_long = false;
        if (i < a.A.rows) {
            Columns c;
            Scalar l1;
            const unsigned kept = a.is_smoothed ? multiply(a, i, c, l1) : MOST_KEPT + 1;
            is_long = kept <= MOST_KEPT && c.count > ROOM;
            if (!is_long) a.start[i] = kept > MOST_KEPT ? a.aggregate[i] != NONE : c.count;
        }
        append(is_long, unsigned(i), a.list, a.count);
    }
}

extern "C" __global__ void amg_prolongator_fill(const __grid_constant__ Prolongator a) {
    for (Offset i = thread_index(); i < a.A.rows; i += thread_count()) {
        const Offset begin = a.start[i];
        if (a.start[i + 1] - begin > ROOM) continue;                  // passed on
        Columns c;
        Scalar l1;
        const unsigned kept = a.is_smoothed ? multiply(a, i, c, l1) : MOST_KEPT + 1;
        if (kept > MOST_KEPT) {
            if (a.aggregate[i] != NONE) a.col[begin] = a.aggregate[i], a.val[begin] = tentative(a, i);
            continue;
        }
        const Scalar g = damping(a, i, l1);
#pragma unroll
        for (unsigned s = 0; s < ROOM; ++s) {
            unsigned rank = 0;
#pragma unroll
            for (unsigned t = 0; t < ROOM; ++t) rank += t < c.count && c.col[t] < c.col[s];
            if (s < c.count) a.col[begin + rank] = c.col[s], a.val[begin + rank] = entry(a, i, c.col[s], g, c.sum[s]);
        }
    }
}
