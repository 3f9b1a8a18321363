// amg_roots.cu: maximal independent sets at distance two along strong edges, twice (spec 08, section 2, steps 3 and 4;
// Bell, Dalton, Olson 2012). key = state << 62 | hash << 32 | row, state 1 undecided, 2 root, 0 out. A round: reach =
// largest key among a row and its neighbours; a row whose own key is the largest reach around it is a root, one that
// sees a root is out. Only rows that may still change are looked at. LANES (1 or 8) threads a row; integers and
// maxima: the same for any launch. After amg.cuh. Launcher: amg/roots.rs.

struct Graph { const Offset *start; const unsigned *degree, *edge; };
struct Round {
    Offset count;
    const unsigned *list;         // rows; all of them if there is none
    Graph G;
    Offset *key, *reach;
    unsigned *next, *next_count;  // rows that the next round must look at
};

__device__ inline unsigned state(Offset key) { return unsigned(key >> 62); }

constexpr unsigned BATCH = LANES == 1 ? 8 : 4;                        // neighbours that are on their way at once

// Calls `see` with neighbours of row i; those that fill up a batch are i itself.
template <class See> __device__ inline void each_neighbour(const Graph &G, unsigned i, unsigned degree, See see) {
    const unsigned *neighbour = G.edge + (degree > 0 ? G.start[i] : 0);
    for (unsigned first = team_lane(); first < degree; first += BATCH * LANES) {
        unsigned row[BATCH];
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) row[u] = first + u * LANES < degree ? neighbour[first + u * LANES] : i;
#pragma unroll
        for (unsigned u = 0; u < BATCH; ++u) see(row[u]);
    }
}

// The largest word among those of row i and its neighbours.
__device__ inline Offset largest(const Offset *word, const Graph &G, unsigned i, unsigned degree) {
    Offset most = degree > 0 ? word[i] : 0;
    each_neighbour(G, i, degree, [&](unsigned j) { const Offset w = word[j]; most = w > most ? w : most; });
    return team_max(most);
}

extern "C" __global__ void amg_reach(const __grid_constant__ Round a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.count; first += gridDim.x * share) {
        const Offset at = first + threadIdx.x / LANES;
        const bool exists = at < a.count;
        const unsigned i = exists && a.list ? a.list[at] : unsigned(at), degree = exists ? a.G.degree[i] : 0;
        const Offset most = largest(a.key, a.G, i, degree);
        const bool speaks = degree > 0 && team_lane() == 0;
        if (speaks) a.reach[i] = most;
        append(speaks && state(most) == 1, i, a.next, a.next_count);
    }
}

extern "C" __global__ void amg_decide(const __grid_constant__ Round a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.count; first += gridDim.x * share) {
        const Offset at = first + threadIdx.x / LANES;
        const unsigned i = at < a.count && a.list ? a.list[at] : unsigned(at);
        const Offset own = at < a.count ? a.key[i] : 0;
        const Offset most = largest(a.reach, a.G, i, state(own) == 1 ? a.G.degree[i] : 0);
        const bool speaks = state(own) == 1 && team_lane() == 0, is_root = most == own, is_out = state(most) == 2;
        if (speaks && is_root) a.key[i] = own ^ Offset(3) << 62;
        else if (speaks && is_out) a.key[i] = own & ~(Offset(3) << 62);
        append(speaks && !is_root && !is_out, i, a.next, a.next_count);
    }
}

struct Owners {
    Offset rows;
    Graph G;
    Offset *key, *reach;
    unsigned *owner;              // the root that a row belongs to, or NONE
    Offset *is_root;              // of either set, for the numbers; one more than there are rows
    Offset second;                // free neighbours that a candidate has at least
    unsigned *free, *candidate, *counts;
};

// The largest neighbour that is a root, or NONE.
__device__ inline unsigned root_nearby(const Owners &a, Offset i, unsigned degree) {
    unsigned found = 0;                                               // one more than the row
    each_neighbour(a.G, unsigned(i), degree, [&](unsigned j) {
        const bool is_root = j != i && state(a.key[j]) == 2;
        found = is_root && j + 1 > found ? j + 1 : found;
    });
    return team_max(found) - 1u;                                      // 0 - 1 is NONE
}

extern "C" __global__ void amg_first_owners(const __grid_constant__ Owners a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.rows; first += gridDim.x * share) {
        const Offset i = first + threadIdx.x / LANES;
        const unsigned degree = i < a.rows ? a.G.degree[i] : 0;
        const bool is_root = degree > 0 && state(a.key[i]) == 2;
        const unsigned nearby = root_nearby(a, i, is_root ? 0 : degree);
        if (i < a.rows && team_lane() == 0) a.owner[i] = is_root ? unsigned(i) : nearby;
    }
}

// Rows that no first root owns are free; those with enough free neighbours are candidates of the second set.
extern "C" __global__ void amg_candidates(const __grid_constant__ Owners a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.rows; first += gridDim.x * share) {
        const Offset i = first + threadIdx.x / LANES;
        const unsigned degree = i < a.rows ? a.G.degree[i] : 0;
        const bool is_free = degree > 0 && a.owner[i] == NONE;
        unsigned free = 0;
        const auto see = [&](unsigned j) { free += j != i && a.owner[j] == NONE; };
        each_neighbour(a.G, unsigned(i), is_free ? degree : 0, see);
        free = team_count(free);
        const bool speaks = i < a.rows && team_lane() == 0;
        const bool is_candidate = speaks && is_free && a.second > 0 && free >= a.second;
        if (speaks) a.key[i] = is_candidate ? undecided(i) : 0, a.reach[i] = 0;
        append(speaks && is_free, unsigned(i), a.free, a.counts);
        append(is_candidate, unsigned(i), a.candidate, a.counts + 1);
    }
}

extern "C" __global__ void amg_second_owners(const __grid_constant__ Owners a) {
    const Offset share = blockDim.x / LANES;
    for (Offset first = blockIdx.x * share; first < a.rows; first += gridDim.x * share) {
        const Offset i = first + threadIdx.x / LANES;
        const unsigned degree = i < a.rows ? a.G.degree[i] : 0;
        unsigned owner = i < a.rows ? a.owner[i] : NONE;
        const bool is_free = degree > 0 && owner == NONE, is_root = is_free && state(a.key[i]) == 2;
        const unsigned nearby = root_nearby(a, i, is_free && !is_root ? degree : 0);
        if (i >= a.rows || team_lane() != 0) continue;
        if (is_free) a.owner[i] = owner = is_root ? unsigned(i) : nearby;
        a.is_root[i] = owner == i;
    }
}
