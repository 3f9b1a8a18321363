// mirror.cu: whether a pattern mirrors itself, by the sums of linalg/sparse/mirror.rs: entries above the diagonal add a
// number of their place, entries below take that of their mirror image away. Integers only: the same sums for any
// launch. MIRROR_LANES (a power of two up to 32) share a row. Launcher: ordering.rs. Oracle: linalg's
// reverse_cuthill_mckee.

constexpr unsigned MIRROR_LANES = 8;

// The finaliser of SplitMix64, as in linalg/sparse/mirror.rs.
__device__ inline Offset mixed(Offset place) {
    place = (place ^ place >> 30) * 0xbf58476d1ce4e5b9ull;
    place = (place ^ place >> 27) * 0x94d049bb133111ebull;
    return place ^ place >> 31;
}

struct Look {
    Offset rows;
    const Offset *start;
    const unsigned *col;
    Offset *found;           // both sums and the longest row
};

// Sums that are zero where the pattern mirrors itself (linalg/sparse/mirror.rs), and the longest row.
extern "C" __global__ void mirror_look(const __grid_constant__ Look a) {
    Offset sums[2] = {0, 0}, longest = 0;
    for (Offset i = thread_index() / MIRROR_LANES; i < a.rows; i += thread_count() / MIRROR_LANES) {
        const Offset begin = a.start[i], end = a.start[i + 1];
        if (end - begin > longest) longest = end - begin;
        for (Offset k = begin + threadIdx.x % MIRROR_LANES; k < end; k += MIRROR_LANES) {
            const Offset j = stream(&a.col[k]);
            if (i == j) continue;
            const Offset place = i < j ? i << 32 | j : j << 32 | i;
            const Offset number[2] = {mixed(place), mixed(place ^ 0x9e3779b97f4a7c15ull)};
            for (unsigned s = 0; s < 2; ++s) sums[s] += i < j ? number[s] : -number[s];
        }
    }
    for (unsigned s = 0; s < 2; ++s) {
        const Offset sum = team_sum<32>(sums[s]);
        if (threadIdx.x % 32 == 0) atomicAdd(&a.found[s], sum);
    }
    if (longest > load_relaxed(&a.found[2])) atomicMax(&a.found[2], longest);   // few threads know a longer one
}
