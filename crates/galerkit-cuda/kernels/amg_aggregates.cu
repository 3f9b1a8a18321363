// amg_aggregates.cu: numbers of aggregates, and the rows that no root owns (spec 08, section 2, steps 5 to 7). In
// passes, all at once: a row with edges takes the number of its strongest neighbour that has one, a row without takes
// that of its strongest entry. One thread a row. Integers and comparisons: the same for any launch. After amg.cuh.
// Launcher: amg/aggregates.rs.

struct Numbers {
    Offset rows;
    const unsigned *degree, *owner;
    const unsigned char *isolated;
    const Offset *number;         // of each root
    unsigned *aggregate;          // NONE: none
    unsigned *rest, *orphan, *counts;
};

extern "C" __global__ void amg_number(const __grid_constant__ Numbers a) {
    for (Offset first = Offset(blockIdx.x) * blockDim.x; first < a.rows; first += thread_count()) {
        const Offset i = first + threadIdx.x;
        bool is_rest = false, is_orphan = false;
        if (i < a.rows) {
            const unsigned owner = a.owner[i];
            a.aggregate[i] = owner == NONE ? NONE : unsigned(a.number[owner]);
            is_rest = owner == NONE && a.degree[i] > 0;
            is_orphan = owner == NONE && a.degree[i] == 0 && !a.isolated[i];
        }
        append(is_rest, unsigned(i), a.rest, a.counts);
        append(is_orphan, unsigned(i), a.orphan, a.counts + 1);
    }
}

struct Joining {
    Offset count;
    const unsigned *list;
    Level A;
    const Scalar *diagonal;
    const unsigned *degree, *edge;
    unsigned *aggregate;
    unsigned *chosen;             // of each row of the list
    unsigned *left, *left_count;
};

// The number of the neighbour with the largest weight among those that have one; of equal ones the lowest number.
extern "C" __global__ void amg_join_neighbour(const __grid_constant__ Joining a) {
    for (Offset at = thread_index(); at < a.count; at += thread_count()) {
        const unsigned i = a.list[at], degree = a.degree[i], *edge = a.edge + a.A.start[i];
        unsigned chosen = NONE, e = 0;
        Scalar most = -1;
        for (Offset k = a.A.start[i]; e < degree; ++k) {              // edges are entries, in the same order
            const unsigned j = a.A.col[k];
            if (edge[e] != j) continue;
            ++e;
            const unsigned number = a.aggregate[j];
            const Scalar w = weight(a.A.val[k], a.diagonal[j]);
            if (number != NONE && (w > most || (w == most && number < chosen))) most = w, chosen = number;
        }
        a.chosen[at] = chosen;
    }
}

// The number of the strongest entry; of equal ones the lowest column.
extern "C" __global__ void amg_join_strongest(const __grid_constant__ Joining a) {
    for (Offset at = thread_index(); at < a.count; at += thread_count()) {
        const unsigned i = a.list[at];
        unsigned target = NONE;
        Scalar most = 0;
        for (Offset k = a.A.start[i]; k < a.A.start[i + 1]; ++k) {
            const unsigned j = a.A.col[k];
            const Scalar w = j == i ? Scalar(0) : weight(a.A.val[k], a.diagonal[j]);
            if (w > most) most = w, target = j;
        }
        a.chosen[at] = target == NONE ? NONE : a.aggregate[target];
    }
}

extern "C" __global__ void amg_join(const __grid_constant__ Joining a) {
    for (Offset first = Offset(blockIdx.x) * blockDim.x; first < a.count; first += thread_count()) {
        const Offset at = first + threadIdx.x;
        const unsigned i = at < a.count ? a.list[at] : 0, chosen = at < a.count ? a.chosen[at] : 0;
        if (at < a.count && chosen != NONE) a.aggregate[i] = chosen;
        append(at < a.count && chosen == NONE, i, a.left, a.left_count);
    }
}

struct Checksum { Offset rows; const unsigned *aggregate; Offset *sums; };

// sum_i h(i) (aggregate_i + 1) mod 2^64, which tells hierarchies apart; and how many rows are in no aggregate.
extern "C" __global__ void amg_checksum(const __grid_constant__ Checksum a) {
    Offset sum = 0, outside = 0;
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        sum += mixed(i) * Offset(a.aggregate[i] + 1u);
        outside += a.aggregate[i] == NONE;
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_xor_sync(ALL, sum, offset);
        outside += __shfl_xor_sync(ALL, outside, offset);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(a.sums, sum);
    if (threadIdx.x % 32 == 0 && outside > 0) atomicAdd(a.sums + 1, outside);
}
