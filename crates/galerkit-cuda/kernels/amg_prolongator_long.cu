// amg_prolongator_long.cu: rows of P with more columns than there are registers for. One thread a row; rows are few. A
// column counts where it comes first; values are collected in the row of P itself, sorted as they come. After
// amg_prolongator.cu. Launcher: amg/prolongator.rs.

struct LongRows { Prolongator P; Offset rows; };

// Whether an entry before k leads to the same column.
__device__ inline bool came_before(const Prolongator &a, Offset i, Offset k) {
    const unsigned column = a.aggregate[a.A.col[k]];
    for (Offset e = a.A.start[i]; e < k; ++e)
        if (a.aggregate[a.A.col[e]] == column && stays(a, i, e)) return true;
    return false;
}

extern "C" __global__ void amg_long_count(const __grid_constant__ LongRows a) {
    for (Offset at = thread_index(); at < a.rows; at += thread_count()) {
        const unsigned i = a.P.list[at];
        Offset count = 0;
        for (Offset k = a.P.A.start[i]; k < a.P.A.start[i + 1]; ++k)
            count += stays(a.P, i, k) && a.P.aggregate[a.P.A.col[k]] != NONE && !came_before(a.P, i, k);
        a.P.start[i] = count;
    }
}

// Adds a term to a row whose columns ascend; how many it has then.
__device__ inline unsigned insert(unsigned *col, Scalar *val, unsigned count, unsigned column, Scalar term) {
    unsigned place = count;
    while (place > 0 && col[place - 1] >= column) --place;
    if (place < count && col[place] == column) {
        val[place] = val[place] + term;
        return count;
    }
    for (unsigned s = count; s > place; --s) col[s] = col[s - 1], val[s] = val[s - 1];
    col[place] = column, val[place] = Scalar(0) + term;
    return count + 1;
}

extern "C" __global__ void amg_long_fill(const __grid_constant__ LongRows a) {
    for (Offset at = thread_index(); at < a.rows; at += thread_count()) {
        const unsigned i = a.P.list[at];
        unsigned *col = a.P.col + a.P.start[i], count = 0;
        Scalar *val = a.P.val + a.P.start[i], l1 = 0;
        for (Offset k = a.P.A.start[i]; k < a.P.A.start[i + 1]; ++k) {
            if (!stays(a.P, i, k)) continue;
            const unsigned j = a.P.A.col[k], column = a.P.aggregate[j];
            const Scalar v = j == i ? a.P.filtered[i] : a.P.A.val[k];
            l1 += fabs(v) / a.P.filtered_root[j];
            if (column != NONE) count = insert(col, val, count, column, rounded(v, tentative(a.P, j)));
        }
        const Scalar g = damping(a.P, i, l1);
        for (unsigned s = 0; s < count; ++s) val[s] = entry(a.P, i, col[s], g, val[s]);
    }
}
