// product.cu: C = A B in compressed rows, a hash table in shared memory for each row of C. A team of LANES threads (4
// to 32) has a row of C and SLOTS (a power of two) places. The rows k of B that row i of A names come one after the
// other, lanes over the columns of row k: these differ, so no two lanes add to one sum, and each sum has the order of
// the host's, wherever it lies. Rows with more columns than a table takes are passed on to a larger one. Blocks of
// THREADS. Traffic per product: a column and a Scalar of B, from the caches as a rule. After rounded.cuh, team.cuh.
// Launchers: product/table.rs, two_passes.rs, once.rs. Oracle: linalg/sparse/product.rs.

constexpr unsigned EMPTY = 0xffffffffu, TEAMS = THREADS / LANES, AHEAD = 4, MOST_PROBES = SLOTS < 64 ? SLOTS : 64;

struct Rows {
    const Offset *start;
    const unsigned *length;       // of each row; none where a row ends as the next begins
    const unsigned *col;
    const Scalar *val;
};
struct Product {
    Offset rows;
    const unsigned *list;         // the rows of C to be computed; all if there is none
    Rows A, B;
    Offset most;                  // fill: rows with more entries are left to others
    Offset *start;                // of each row of C; count: its entries
    unsigned *col;
    Scalar *val;
    unsigned *passed, *passed_count;
    Offset *cursor;               // once: entries so far, of all rows
    Offset room;                  // once: entries that there is room for
    unsigned *length;             // once: of each row
    Offset sorted;                // once: whether columns ascend
};
struct Table { volatile unsigned *key; Scalar *sum; };

// Adds a term to the sum of a column; 0 if there is no place for it, 1 if there was a sum, 2 if there is a new one.
template <bool SUMS> __device__ inline unsigned add(Table t, unsigned column, Scalar term, unsigned most_probes) {
    unsigned place = column * 0x9e3779b1u / (0x80000000u / SLOTS * 2u);
    for (unsigned probe = 0; probe < most_probes; ++probe) {
        unsigned found = t.key[place];
        if (found == EMPTY) {
            found = atomicCAS(const_cast<unsigned *>(t.key + place), EMPTY, column);
            if (found == EMPTY) {
                if (SUMS) t.sum[place] = zero() + term;
                return 2;
            }
        }
        if (found == column) {
            if (SUMS) t.sum[place] = t.sum[place] + term;
            return 1;
        }
        place = (place + 1) % SLOTS;
    }
    return 0;
}

// Row i of the product into an empty table; columns that were new to this lane. False in lanes that found no place.
template <bool SUMS>
__device__ inline bool multiply(const Product &a, Offset i, bool exists, Table t, unsigned probes, unsigned &fresh) {
    const Offset begin = exists ? a.A.start[i] : 0;
    const unsigned lane = team_lane(), length = exists ? unsigned(a.A.start[i + 1] - begin) : 0;
    const unsigned longest = steps(length);
    bool fits = true;
    const auto meet = [&](unsigned column, Scalar term) {
        const unsigned done = add<SUMS>(t, column, term, probes);
        fits = fits && done > 0;
        fresh += done == 2;
    };
    for (unsigned base = 0; base < longest; base += LANES) {
        Offset from = 0;
        unsigned count = 0;
        Scalar factor = zero();
        if (base + lane < length) {
            const unsigned k = a.A.col[begin + base + lane];
            if (SUMS) factor = a.A.val[begin + base + lane];
            from = a.B.start[k];
            count = a.B.length ? a.B.length[k] : unsigned(a.B.start[k + 1] - from);
        }
        for (unsigned first = 0; first < LANES && base + first < longest; first += AHEAD) {
            Offset row[AHEAD];
            unsigned entries[AHEAD], column[AHEAD];
            Scalar left[AHEAD], right[AHEAD];
#pragma unroll
            for (unsigned u = 0; u < AHEAD; ++u) {                    // what is near is on its way before it is needed
                row[u] = __shfl_sync(ALL, from, first + u, LANES) + lane;
                entries[u] = __shfl_sync(ALL, count, first + u, LANES);
                left[u] = SUMS ? from_lane(factor, first + u) : zero();
                right[u] = zero();
                if (lane < entries[u]) {
                    column[u] = a.B.col[row[u]];
                    if (SUMS) right[u] = a.B.val[row[u]];
                }
            }
#pragma unroll
            for (unsigned u = 0; u < AHEAD; ++u) {
                if (lane < entries[u]) meet(column[u], times(left[u], right[u]));
                for (unsigned e = LANES; lane + e < entries[u]; e += LANES)
                    meet(a.B.col[row[u] + e], SUMS ? times(left[u], a.B.val[row[u] + e]) : zero());
                if (SUMS) __syncwarp();                               // k is done before the next one begins
            }
        }
    }
    return fits;
}

template <bool SUMS> __device__ inline Table empty_table(Offset *room) {
    Scalar *sums = reinterpret_cast<Scalar *>(room);
    unsigned *keys = SUMS ? reinterpret_cast<unsigned *>(sums + TEAMS * SLOTS) : reinterpret_cast<unsigned *>(room);
    const Table t = {keys + threadIdx.x / LANES * SLOTS, sums + threadIdx.x / LANES * SLOTS};
    __syncwarp();                                                     // whoever still reads the last row
    for (unsigned s = team_lane(); s < SLOTS; s += LANES) t.key[s] = EMPTY;
    __syncwarp();
    return t;
}

// Moves what is in the table to its front; how much that is.
__device__ inline unsigned compact(Table t) {
    const unsigned lane = team_lane();
    unsigned count = 0;
    __syncwarp();
    for (unsigned s = lane; s < SLOTS; s += LANES) {
        const unsigned key = t.key[s];
        const Scalar sum = t.sum[s];
        const unsigned votes = team_ballot(key != EMPTY), place = count + __popc(votes & lanes_below());
        __syncwarp();
        if (key != EMPTY) t.key[place] = key, t.sum[place] = sum;
        count += __popc(votes);
        __syncwarp();
    }
    if (lane < 4 && count + lane < SLOTS) t.key[count + lane] = EMPTY;   // columns are compared by four
    __syncwarp();
    return count;
}

// Writes the front of a table, by ascending columns.
__device__ inline void write_sorted(Table t, unsigned count, unsigned *col, Scalar *val) {
    for (unsigned e = team_lane(); e < count; e += LANES) {
        const unsigned key = t.key[e];
        unsigned rank = 0;
        for (unsigned s = 0; s < count; s += 4) {
            const uint4 four = *reinterpret_cast<const uint4 *>(const_cast<const unsigned *>(t.key + s));
            rank += (four.x < key) + (four.y < key) + (four.z < key) + (four.w < key);
        }
        col[rank] = key, val[rank] = t.sum[e];
    }
}
