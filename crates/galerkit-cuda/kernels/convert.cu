// convert.cu: CSR to ELL-WARP on the device (spec 07, sections 2, 3, 5), in steps: rows sorted by length, longest first
// and stable (sort.cu); groups of W rows cut into warps; a slot for every entry; columns; values. Row s is the row at
// sorted position s, row i the row i of the CSR matrix: i = order[s], s = position[i]. Any launch of whole warps is
// correct; all results are integers or copies. Launcher: convert.rs. Oracle: sparse/ell_warp.

constexpr unsigned TEAM = 8;                            // lanes that share a row of CSR

struct LongestRow { Offset rows; const Offset *start; unsigned *longest; };

// The longest row; `longest` starts at 0.
extern "C" __global__ void longest_row(const __grid_constant__ LongestRow a) {
    unsigned most = 0;
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        const unsigned length = unsigned(a.start[i + 1] - a.start[i]);
        most = length > most ? length : most;
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const unsigned other = __shfl_xor_sync(0xffffffffu, most, offset);
        most = other > most ? other : most;
    }
    if (threadIdx.x % 32 == 0) atomicMax(a.longest, most);
}

struct RowKeys { Offset rows, longest; const Offset *start; Offset *key, *item; };

// Keys whose ascending order is that of falling lengths.
extern "C" __global__ void row_keys(const __grid_constant__ RowKeys a) {
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        a.key[i] = a.longest - (a.start[i + 1] - a.start[i]);
        a.item[i] = i;
    }
}

struct PlaceRows { Offset rows; const Offset *start, *item; unsigned *order, *position, *length; };

extern "C" __global__ void place_rows(const __grid_constant__ PlaceRows a) {
    for (Offset s = thread_index(); s < a.rows; s += thread_count()) {
        const Offset i = a.item[s];
        a.order[s] = unsigned(i);
        a.position[i] = unsigned(s);
        a.length[s] = unsigned(a.start[i + 1] - a.start[i]);
    }
}

// Threshold and W; K1 and its kin have a threshold no row exceeds.
struct Warps {
    Offset rows, warp, threshold;
    const unsigned *length;
    Offset *first_warp;                                 // of each group; counts before they are summed up
    unsigned *row_start, *reduction;
    Offset *offset;                                     // first slot; number of slots before they are summed up
    unsigned *warp_of;                                  // of row s
};

// Walks the tree of halves of a group in order: store(row, lanes, slots of a lane) for each of its warps. Behind a
// stored part that ends at `done` rows comes the part whose size is the lowest bit of `done`.
template <class Store> __device__ inline void each_warp(const Warps &a, Offset group, Store store) {
    const unsigned W = unsigned(a.warp);
    const Offset first = group * W;
    for (unsigned done = 0, part = W; done < W && first + done < a.rows;) {
        const unsigned lanes = W / part;
        const Offset slots = (Offset(a.length[first + done]) + lanes - 1) / lanes;     // the first row is the longest
        if (slots <= a.threshold || part == 1) {
            store(first + done, lanes, slots);
            done += part;
            part = done & (0u - done);
        } else {
            part /= 2;
        }
    }
}

extern "C" __global__ void count_warps(const __grid_constant__ Warps a) {
    for (Offset g = thread_index(); g * a.warp < a.rows; g += thread_count()) {
        Offset count = 0;
        each_warp(a, g, [&](Offset, unsigned, Offset) { ++count; });
        a.first_warp[g] = count;
    }
}

extern "C" __global__ void lay_warps(const __grid_constant__ Warps a) {
    for (Offset g = thread_index(); g * a.warp < a.rows; g += thread_count()) {
        Offset w = a.first_warp[g];
        each_warp(a, g, [&](Offset s, unsigned lanes, Offset slots) {
            a.row_start[w] = unsigned(s);
            a.reduction[w] = lanes;
            a.offset[w] = slots * a.warp;
            const Offset end = s + a.warp / lanes < a.rows ? s + a.warp / lanes : a.rows;
            for (Offset row = s; row < end; ++row) a.warp_of[row] = unsigned(w);
            ++w;
        });
    }
}

struct Fill { Offset count, value; unsigned *out; };

extern "C" __global__ void fill(const __grid_constant__ Fill a) {
    for (Offset k = thread_index(); k < a.count; k += thread_count()) a.out[k] = unsigned(a.value);
}

struct Renumber { Offset count; const unsigned *col, *position; unsigned *out; };

// c' = position[c]
extern "C" __global__ void renumber(const __grid_constant__ Renumber a) {
    for (Offset k = thread_index(); k < a.count; k += thread_count()) a.out[k] = a.position[a.col[k]];
}

struct Scatter {
    Offset rows, warp, most;                            // rows of more than `most` entries are left out
    const Offset *start;
    const unsigned *col, *position, *warp_of, *row_start, *reduction;
    const Offset *offset;
    unsigned *out;
    Offset *slot_of;
};

// Entry e of row s: lane e mod t of its t lanes, slot e div t.
__device__ inline Offset slot(const Scatter &a, Offset s, Offset e) {
    const unsigned w = a.warp_of[s], lanes = a.reduction[w], shift = __ffs(lanes) - 1;
    return a.offset[w] + (s - a.row_start[w]) * lanes + (e >> shift) * a.warp + (e & (lanes - 1));
}

// Columns in stored order, or, if SORTED, each row by its columns: an entry's place is how many are smaller.
template <bool SORTED> __device__ inline void scatter(const Scatter &a) {
    for (Offset i = thread_index() / TEAM; i < a.rows; i += thread_count() / TEAM) {
        const Offset begin = a.start[i], end = a.start[i + 1], s = a.position[i];
        if (end - begin > a.most) continue;
        for (Offset k = begin + thread_index() % TEAM; k < end; k += TEAM) {
            const unsigned column = a.col[k];
            Offset e = SORTED ? 0 : k - begin;
            if (SORTED) for (Offset other = begin; other < end; ++other) e += a.col[other] < column;
            const Offset to = slot(a, s, e);
            a.out[to] = column;
            a.slot_of[k] = to;
        }
    }
}
extern "C" __global__ void scatter_stored(const __grid_constant__ Scatter a) { scatter<false>(a); }
extern "C" __global__ void scatter_sorted(const __grid_constant__ Scatter a) { scatter<true>(a); }

// Rows s < rows are too long to count smaller columns: their entries are sorted by (row, column) as pairs.
struct LongRows {
    Offset rows;
    const unsigned *order;
    const Offset *start, *first;                        // of row s among the pairs
    const unsigned *col;
    Offset *key, *item;
};

extern "C" __global__ void long_rows(const __grid_constant__ LongRows a) {
    for (Offset s = blockIdx.x; s < a.rows; s += gridDim.x) {
        const Offset i = a.order[s], begin = a.start[i], length = a.start[i + 1] - begin;
        for (Offset e = threadIdx.x; e < length; e += blockDim.x) {
            a.key[a.first[s] + e] = s << 32 | a.col[begin + e];
            a.item[a.first[s] + e] = begin + e;
        }
    }
}

struct ScatterLong { Scatter to; Offset count; const Offset *first, *key, *item; };

extern "C" __global__ void scatter_long(const __grid_constant__ ScatterLong a) {
    for (Offset p = thread_index(); p < a.count; p += thread_count()) {
        const Offset s = a.key[p] >> 32, to = slot(a.to, s, p - a.first[s]);
        a.to.out[to] = unsigned(a.key[p]);
        a.to.slot_of[a.item[p]] = to;
    }
}
