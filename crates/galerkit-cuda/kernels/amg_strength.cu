// amg_strength.cu: what each row of a level says of itself (spec 08, section 2, steps 1, 2 and 8), for real symmetric
// matrices:
//     q_i = sqrt(|a_ii|),   l_i = q_i sum_j |a_ij| / q_j,   isolated: l_i <= 1.2 |a_ii|
//     w_ij = a_ij^2 / |a_jj|,   m_i = max_j w_ij
//     edge {i,j}: w_ij >= theta^2 m_i and w_ji >= theta^2 m_j, neither isolated
//     filter: a_ij stays if |a_ij b_j| >= theta_f max_k |a_ik b_k|, else it goes to the diagonal
// LANES (1 or 8) threads a row, columns ascending, sums in that order: the same bits as the host's. Traffic: two
// passes over A each. After amg.cuh. Launcher: amg/strength.rs. Oracle: linalg/multigrid/amg.

struct Strength {
    Level A;
    double theta_squared, theta_filter;
    Scalar *diagonal, *root;      // a_ii and q_i
    Scalar *weights;              // 1 / l_i, of the smoother
    unsigned char *isolated;
    Scalar *strongest;            // m_i
    Scalar *least;                // what |a_ij b_j| must reach to be kept
    Scalar *filtered, *filtered_root;   // the filtered diagonal and its q
    unsigned *degree, *edge;      // edges of row i from start[i] on
    Offset *key;
    Offset *failed;               // first entry that is not finite, first row without a positive diagonal
    unsigned char *kept;          // of each entry; none where nobody asks again
    Offset is_refill;             // keep what was kept
};

// The lane that finds it writes it; zero was there before.
extern "C" __global__ void amg_diagonal(const __grid_constant__ Strength a) {
    for (Offset i = thread_index() / LANES; i < a.A.rows; i += thread_count() / LANES)
        for (Offset k = a.A.start[i] + team_lane(); k < a.A.start[i + 1]; k += LANES)
            if (a.A.col[k] == i) a.diagonal[i] = a.A.val[k], a.root[i] = square_root(fabs(a.A.val[k]));
}

struct Sums { Scalar l1, strongest, largest; };

constexpr unsigned BATCH = LANES == 1 ? 4 : 2;                        // entries of a lane that are on their way at once

// One pass over a row: its l1 sum, and the largest w_ij and |a_ij b_j| off the diagonal.
__device__ inline Sums look(const Strength &a, Offset i, Offset begin, unsigned length) {
    Sums found = {0, 0, 0};
    const unsigned longest = steps(length);
    for (unsigned from = team_lane(); from - team_lane() < longest; from += BATCH * LANES) {
        unsigned j[BATCH];
        Scalar v[BATCH], root[BATCH], diagonal[BATCH];
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) {
            const unsigned e = from + u * LANES;
            j[u] = e < length ? a.A.col[begin + e] : 0, v[u] = e < length ? a.A.val[begin + e] : Scalar(0);
        }
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) root[u] = a.root[j[u]], diagonal[u] = a.diagonal[j[u]];
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) {
            const bool here = from + u * LANES < length;
            const Scalar size = fabs(v[u]);
            if (!is_finite(v[u])) atomicMin(a.failed, begin + from + u * LANES);
            if (here && j[u] != i) {
                const Scalar w = weight(v[u], diagonal[u]), share = size * fabs(near_null(a.A, j[u]));
                if (w > found.strongest) found.strongest = w;
                if (share > found.largest) found.largest = share;
            }
            add_in_order(found.l1, size / root[u], here);
        }
    }
    return {found.l1, team_max(found.strongest), team_max(found.largest)};
}

// The diagonal entry with what the filter drops.
__device__ inline Scalar filter(const Strength &a, Offset i, Offset begin, unsigned length, Scalar least) {
    Scalar dropped = 0;
    for (unsigned from = 0, longest = steps(length); from < longest; from += LANES) {
        const unsigned e = from + team_lane();
        Scalar term = 0;
        bool drops = false;
        if (e < length && a.A.col[begin + e] != i) {
            const Scalar v = a.A.val[begin + e], b = near_null(a.A, a.A.col[begin + e]), share = fabs(v) * fabs(b);
            drops = a.is_refill ? !a.kept[begin + e] : !(share > 0 && share >= least);
            if (a.kept) a.kept[begin + e] = !drops;
            term = rounded(v, b);
        }
        add_in_order(dropped, term, drops);
    }
    const Scalar own = a.diagonal[i], b = near_null(a.A, i), all = b == 0 ? own : own + dropped / b;
    return !(fabs(all) >= fabs(own) / 2) || rounded(all, own) <= 0 ? own : all;
}

extern "C" __global__ void amg_statistics(const __grid_constant__ Strength a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.A.rows; first += gridDim.x * share) {
        const Offset i = first + threadIdx.x / LANES;
        const bool exists = i < a.A.rows;
        const Offset begin = exists ? a.A.start[i] : 0;
        const unsigned length = exists ? unsigned(a.A.start[i + 1] - begin) : 0;
        const Sums found = look(a, i, begin, length);
        const Scalar least = Scalar(a.theta_filter) * found.largest;
        const Scalar filtered = filter(a, exists ? i : 0, begin, length, least);
        if (!exists || team_lane() != 0) continue;
        const Scalar l1 = rounded(a.root[i], found.l1);
        if (!(a.diagonal[i] > 0)) atomicMin(a.failed + 1, i);
        a.weights[i] = Scalar(1) / l1, a.isolated[i] = l1 <= Scalar(1.2) * fabs(a.diagonal[i]);
        a.strongest[i] = found.strongest, a.least[i] = least;
        a.filtered[i] = filtered, a.filtered_root[i] = square_root(fabs(filtered));
    }
}

// Whether entry k, in column j of a row with this diagonal entry, is strong from both sides.
__device__ inline bool is_strong(const Strength &a, Offset k, unsigned j, Scalar own, Scalar least) {
    const Scalar v = a.A.val[k], there = weight(v, a.diagonal[j]), back = weight(v, own);
    const Scalar least_back = Scalar(a.theta_squared) * a.strongest[j];
    return !a.isolated[j] && there > 0 && there >= least && back > 0 && back >= least_back;
}

extern "C" __global__ void amg_edges(const __grid_constant__ Strength a) {
    const Scalar theta = Scalar(a.theta_squared);
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.A.rows; first += gridDim.x * share) {
        const Offset i = first + threadIdx.x / LANES;
        const bool takes_part = i < a.A.rows && !a.isolated[i];
        const Offset begin = takes_part ? a.A.start[i] : 0;
        const unsigned length = takes_part ? unsigned(a.A.start[i + 1] - begin) : 0;
        const Scalar own = takes_part ? a.diagonal[i] : Scalar(1);
        const Scalar least = takes_part ? theta * a.strongest[i] : Scalar(0);
        unsigned degree = 0;
        const unsigned longest = steps(length);
        for (unsigned from = team_lane(); from - team_lane() < longest; from += BATCH * LANES) {
            unsigned j[BATCH];
            bool strong[BATCH];
#pragma unroll
            for (unsigned u = 0; u < BATCH; ++u)
                j[u] = from + u * LANES < length ? a.A.col[begin + from + u * LANES] : unsigned(i);
#pragma unroll
            for (unsigned u = 0; u < BATCH; ++u)
                strong[u] = j[u] != i && is_strong(a, begin + from + u * LANES, j[u], own, least);
#pragma unroll
            for (unsigned u = 0; u < BATCH; ++u) {
                const unsigned votes = team_ballot(strong[u]);
                if (strong[u]) a.edge[begin + degree + __popc(votes & lanes_below())] = j[u];
                degree += __popc(votes);
            }
        }
        if (i >= a.A.rows || team_lane() != 0) continue;
        a.degree[i] = degree, a.key[i] = degree > 0 ? undecided(i) : 0;
    }
}
