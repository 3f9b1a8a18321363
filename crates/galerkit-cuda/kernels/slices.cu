// slices.cu: CSR to slices of 32 rows on the device, a warp a slice and a lane a row: the arrays that map/sliced.rs and
// map/diagonals.rs make on the host, bit for bit. Position p holds row order[p], or row p where there is no order.
// After prelude.cuh and sort.cu. Launcher: convert/slices.rs. Oracles: map/columns.rs, map/aligned.rs, map/short.rs,
// map/diagonals.rs.

constexpr unsigned LANES = 32, ALL = 0xffffffffu, PAD = 0xffffffffu, NARROW_PAD = 0xffffu;

struct Rows { Offset rows, cols; const Offset *start; const unsigned *col; const Scalar *val; const unsigned *order; };

// The row of this lane; none behind the last.
struct Row { bool exists; Offset i, begin; unsigned length; };

__device__ inline Row row_of(const Rows &A, Offset slice) {
    const Offset p = slice * LANES + threadIdx.x % LANES;
    if (p >= A.rows) return {false, 0, 0, 0};
    const Offset i = A.order ? A.order[p] : p;
    return {true, i, A.start[i], unsigned(A.start[i + 1] - A.start[i])};
}

__device__ inline unsigned warp_most(unsigned a) { return __reduce_max_sync(ALL, a); }
__device__ inline unsigned warp_least(unsigned a) { return __reduce_min_sync(ALL, a); }
__device__ inline Offset warp_index() { return thread_index() / LANES; }
__device__ inline Offset warp_count() { return thread_count() / LANES; }

constexpr unsigned MOST_ROWS = 4096;                     // of a window
struct Windows { Rows A; Offset window; unsigned *order; };

// Every window of rows by falling length, equal ones as they were: a row comes behind all that are longer. A block a
// window.
extern "C" __global__ void sort_windows(const __grid_constant__ Windows a) {
    __shared__ unsigned length[MOST_ROWS];
    for (Offset first = blockIdx.x * a.window; first < a.A.rows; first += gridDim.x * a.window) {
        const unsigned count = unsigned(first + a.window < a.A.rows ? a.window : a.A.rows - first);
        for (unsigned r = threadIdx.x; r < count; r += blockDim.x)
            length[r] = unsigned(a.A.start[first + r + 1] - a.A.start[first + r]);
        __syncthreads();
        for (unsigned r = threadIdx.x; r < count; r += blockDim.x) {
            const unsigned own = length[r];
            unsigned place = 0;
            for (unsigned other = 0; other < count; ++other)
                place += length[other] > own || (length[other] == own && other < r);
            a.order[first + place] = unsigned(first + r);
        }
        __syncthreads();
    }
}

struct Widths { Rows A; Offset slices; Offset *slots; unsigned *widest; };

// Slots of each slice, and the widest; that starts at 0.
extern "C" __global__ void widths(const __grid_constant__ Widths a) {
    unsigned widest = 0;
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        const unsigned width = warp_most(row_of(a.A, slice).length);
        widest = width > widest ? width : widest;
        if (threadIdx.x % LANES == 0) a.slots[slice] = Offset(width) * LANES;
    }
    if (threadIdx.x % LANES == 0) atomicMax(a.widest, widest);
}

// The columns of neighbouring rows are neighbours: a warp brings them in whole lines, and its lanes then read them from
// shared memory. Rows in another order, and slices of more than STAGED entries, are read where they are.
constexpr unsigned STAGED = 1024, WARPS = 8;             // blocks of 256 threads
__device__ inline const unsigned *columns_of(const Rows &A, Offset slice, const Row &row, unsigned *room) {
    const Offset end = (slice + 1) * LANES < A.rows ? (slice + 1) * LANES : A.rows;
    const Offset first = A.start[slice * LANES], count = A.start[end] - first;
    if (A.order || count > STAGED) return A.col + row.begin;
    __syncwarp();                                        // whoever still reads the last slice
    for (unsigned k = threadIdx.x % LANES; k < count; k += LANES) room[k] = A.col[first + k];
    __syncwarp();
    return room + (row.begin - first);
}

// Entries of a slice step by step: place(step, is one here, its column, its number). ALIGNED: a shorter row leaves a
// step out while its next column lies farther from the diagonal than that of the first longest row, and it has steps to
// leave out.
template <bool ALIGNED, class Place> __device__ inline unsigned each_step(const Row &row, const unsigned *columns, Place place) {
    const unsigned width = warp_most(row.length);
    const unsigned longest = __ffs(__ballot_sync(ALL, row.length == width)) - 1;
    unsigned e = 0;
    for (unsigned step = 0; step < width; ++step) {
        bool here = e < row.length;
        const unsigned column = here ? columns[e] : PAD;
        if (ALIGNED) {
            const long long offset = (long long)column - (long long)row.i;
            const long long usual = __shfl_sync(ALL, offset, longest);
            here = here && !(width - step > row.length - e && offset > usual);
        }
        place(step, here, column, row.begin + e);
        e += here;
    }
    return width;
}

struct Check { Rows A; Offset slices; unsigned *far; };

template <bool ALIGNED> __device__ inline bool is_far(const Row &row, const unsigned *columns) {
    bool far = false;
    each_step<ALIGNED>(row, columns, [&](unsigned, bool here, unsigned column, Offset) {
        const unsigned least = warp_least(here ? column : PAD), most = warp_most(here ? column : 0);
        far = far || (least != PAD && most - least >= NARROW_PAD);
    });
    return far;
}

// far[0]: the columns of a step span more than 16 bits hold; far[1]: aligned ones do.
extern "C" __global__ void check_narrow(const __grid_constant__ Check a) {
    __shared__ unsigned room[WARPS][STAGED];
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        const volatile unsigned *known = a.far;          // what one warp has found, the others need not look for
        const bool plain = __shfl_sync(ALL, known[0], 0), aligned = __shfl_sync(ALL, known[1], 0);
        if (plain && aligned) return;
        const Row row = row_of(a.A, slice);
        const unsigned *columns = columns_of(a.A, slice, row, room[threadIdx.x / LANES]);
        if (!plain && is_far<false>(row, columns)) a.far[0] = 1;
        if (!aligned && is_far<true>(row, columns)) a.far[1] = 1;
    }
}

// Slots of slice s begin at slice_start[s], or where all have one width at s width 32.
struct Store {
    Rows A;
    Offset slices, width;
    const Offset *slice_start;
    void *col;
    unsigned *base;
    Scalar *val;
    unsigned *source, *diagonal, *found;                 // where somebody asks: entries of slots, slots of the diagonal and how many
};

// Notes which entry is in a slot, and whether it is the diagonal's.
__device__ inline void note(unsigned *source, unsigned *diagonal, unsigned *found, Offset slot, bool here, Offset k, bool is_diagonal, Offset i) {
    source[slot] = here ? unsigned(k) : PAD;
    if (here && is_diagonal) {
        diagonal[i] = unsigned(slot);
        atomicAdd(found, 1u);
    }
}

template <bool ALIGNED, bool NARROW> __device__ inline void store(const Store &a) {
    __shared__ unsigned room[WARPS][STAGED];
    const unsigned lane = threadIdx.x % LANES;
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        const Offset first = a.width ? slice * a.width * LANES : a.slice_start[slice];
        const Row row = row_of(a.A, slice);
        const auto put = [&](unsigned step, bool here, unsigned column, Offset k) {
            const Offset slot = first + Offset(step) * LANES + lane;
            if (a.source) {
                note(a.source, a.diagonal, a.found, slot, here, k, column == row.i, row.i);
                return;
            }
            if (NARROW) {
                const unsigned least = warp_least(here ? column : PAD), base = least == PAD ? 0 : least;
                if (lane == 0) a.base[first / LANES + step] = base;
                static_cast<unsigned short *>(a.col)[slot] = here ? (unsigned short)(column - base) : (unsigned short)NARROW_PAD;
            } else {
                static_cast<unsigned *>(a.col)[slot] = here ? column : PAD;
            }
            a.val[slot] = here ? a.A.val[k] : zero();
        };
        const unsigned *columns = columns_of(a.A, slice, row, room[threadIdx.x / LANES]);
        const unsigned stored = each_step<ALIGNED>(row, columns, put);
        for (unsigned step = stored; step < a.width; ++step) put(step, false, PAD, 0);
    }
}
extern "C" __global__ void store_wide(const __grid_constant__ Store a) { store<false, false>(a); }
extern "C" __global__ void store_narrow(const __grid_constant__ Store a) { store<false, true>(a); }
extern "C" __global__ void store_aligned(const __grid_constant__ Store a) { store<true, true>(a); }

// Column less row of entries: the first MOST that are different, in any order; `count` says how many, more than MOST if
// more.
constexpr unsigned MOST = 8;
struct Offsets { Rows A; Offset slices; long long *found; unsigned *count; };

extern "C" __global__ void find_diagonals(const __grid_constant__ Offsets a) {
    const long long NONE = (long long)(1ull << 63);
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        if (*static_cast<volatile unsigned *>(a.count)) return;       // too many
        const Row row = row_of(a.A, slice);
        for (unsigned e = 0; e < row.length; ++e) {
            const long long offset = (long long)a.A.col[row.begin + e] - (long long)row.i;
            unsigned place = 0;
            for (; place < MOST; ++place) {
                long long there = static_cast<volatile long long *>(a.found)[place];
                if (there == NONE)
                    there = (long long)atomicCAS(reinterpret_cast<Offset *>(a.found + place), Offset(NONE), Offset(offset));
                if (there == NONE || there == offset) break;
            }
            if (place == MOST) *a.count = 1;
        }
    }
}

// A slot for every row on every diagonal, `width` of them in ascending order. `missing` becomes 1 if an entry that
// could be is not.
struct Diagonals {
    Rows A;
    Offset slices, width;
    const long long *offset;
    Scalar *val;
    unsigned *present, *missing;
    unsigned *source, *diagonal, *found;
};

extern "C" __global__ void store_diagonals(const __grid_constant__ Diagonals a) {
    const unsigned lane = threadIdx.x % LANES;
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        const Row row = row_of(a.A, slice);
        unsigned e = 0;
        for (unsigned d = 0; d < a.width; ++d) {
            const long long column = (long long)row.i + a.offset[d];
            const bool here = e < row.length && a.A.col[row.begin + e] == column;
            const bool could = row.exists && column >= 0 && column < (long long)a.A.cols;
            const Offset step = slice * a.width + d, slot = step * LANES + lane;
            const unsigned present = __ballot_sync(ALL, here);
            if (a.source) {
                note(a.source, a.diagonal, a.found, slot, here, row.begin + e, a.offset[d] == 0, row.i);
            } else {
                a.val[slot] = here ? a.A.val[row.begin + e] : zero();
                if (lane == 0) a.present[step] = present;
                if (could && !here) *a.missing = 1;
            }
            e += here;
        }
    }
}

struct Localise { Offset slices; const Offset *first; const unsigned *first_entry, *source; unsigned short *local; };

// The place of each slot's source behind the first entry of its tile, of which each slice knows.
extern "C" __global__ void localise(const __grid_constant__ Localise a) {
    for (Offset slice = warp_index(); slice < a.slices; slice += warp_count()) {
        const unsigned from = a.first_entry[slice];
        for (Offset slot = a.first[slice] + threadIdx.x % LANES; slot < a.first[slice + 1]; slot += LANES) {
            const unsigned k = a.source[slot];
            a.local[slot] = (unsigned short)(k == PAD ? NARROW_PAD : k - from);
        }
    }
}
