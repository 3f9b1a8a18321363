// ordering.cu: reverse Cuthill-McKee of a pattern that mirrors itself, the order of linalg/sparse/rcm.rs vertex for vertex.
// One persistent kernel makes all sweeps. A level is three steps, after each of which all blocks wait for all:
//   meet    every vertex that the level leads to keeps the least position of a parent
//   count   the children of each parent, and where they begin among those of the block's parents
//   place   children behind those of all parents before, by degree, then by number
// Integers and minima only: the same order for any launch of whole warps whose blocks are resident together.
// Positions have 31 bits. LANES (a power of two up to 32, divides the threads of a block) share a row. Launcher: ordering.rs. Oracle: linalg's rcm.rs.

constexpr unsigned LANES = 8, SWEEPS = 6, NOBODY = 0xffffffffu;

// What the host reads: how many vertices have a number in the end, and the levels of all sweeps. `arrived` is the
// barrier's.
struct State { Offset placed, levels; unsigned arrived; };

struct Ordering {
    Offset rows, most_levels, most_components;
    const Offset *start;
    const unsigned *col;
    unsigned *parent;          // one more than the least position of a parent; what a sweep begins with: one less than any in it
    unsigned *offset, *order;  // by position
    unsigned *partial;         // children of each block's parents
    State *state;
};

// All blocks wait for all, and see what every block has written. The whole block must call it.
__device__ inline void wait_for_all(const Ordering &a, unsigned &epoch) {
    ++epoch;
    __syncthreads();
    if (threadIdx.x == 0) {
        add_release(&a.state->arrived, 1);
        while (int(load_acquire(&a.state->arrived) - epoch * gridDim.x) < 0) {}
    }
    __syncthreads();
}

// The least of a number over the block. The whole block must call it.
__device__ inline Offset block_least(Offset mine) {
    __shared__ Offset least;
    __syncthreads();                                    // whoever still reads that of the last call
    if (threadIdx.x == 0) least = ~Offset(0);
    __syncthreads();
    if (mine != ~Offset(0)) atomicMin(&least, mine);
    __syncthreads();
    return least;
}

// The first vertex from `v` on without a number; every block looks by itself.
__device__ inline Offset next_root(const Ordering &a, Offset v) {
    for (; v < a.rows; v += blockDim.x) {
        const Offset mine = v + threadIdx.x;
        const Offset found = block_least(mine < a.rows && a.parent[mine] == NOBODY ? mine : ~Offset(0));
        if (found < a.rows) return found;
    }
    return a.rows;
}

__device__ inline unsigned degree(const Ordering &a, unsigned w) { return unsigned(a.start[w + 1] - a.start[w]); }

// The first vertex of least degree at some positions; every block looks by itself.
__device__ inline unsigned least_degree(const Ordering &a, unsigned begin, unsigned end) {
    Offset least = ~Offset(0);
    for (unsigned p = begin + threadIdx.x; p < end; p += blockDim.x) {
        const Offset key = Offset(degree(a, a.order[p])) << 32 | p;
        if (key < least) least = key;
    }
    return a.order[unsigned(block_least(least))];
}

// The positions of a level that a block counts and places the children of.
struct Part { unsigned begin, end; };
__device__ inline Part part_of(unsigned begin, unsigned end) {
    const Offset size = end - begin;
    return {begin + unsigned(size * blockIdx.x / gridDim.x), begin + unsigned(size * (blockIdx.x + 1) / gridDim.x)};
}

__device__ inline void meet(const Ordering &a, unsigned begin, unsigned end) {
    const unsigned lane = threadIdx.x % LANES;
    for (unsigned p = begin + unsigned(thread_index() / LANES); p < end; p += unsigned(thread_count() / LANES)) {
        const unsigned v = a.order[p], mark = p + 1;
        for (Offset k = a.start[v] + lane; k < a.start[v + 1]; k += LANES) {
            unsigned *parent = &a.parent[a.col[k]];
            if (*parent > mark) atomicMin(parent, mark);   // an old value can only be larger
        }
    }
}

__device__ inline void count(const Ordering &a, unsigned begin, unsigned end) {
    const unsigned lane = threadIdx.x % LANES, teams = blockDim.x / LANES;
    const Part part = part_of(begin, end);
    unsigned before = 0;
    for (unsigned tile = part.begin; tile < part.end; tile += teams) {
        const unsigned p = tile + threadIdx.x / LANES;
        unsigned children = 0;
        if (p < part.end) {
            const unsigned v = a.order[p];
            for (Offset k = a.start[v] + lane; k < a.start[v + 1]; k += LANES) children += a.parent[a.col[k]] == p + 1;
        }
        Offset total;
        const unsigned below = unsigned(block_scan(children, total));
        if (p < part.end && lane == 0) a.offset[p] = before + below;
        before += unsigned(total);
    }
    if (threadIdx.x == 0) a.partial[blockIdx.x] = before;
}

// Children of the parents of blocks before this one, and of all. The whole block must call it.
__device__ inline unsigned children_before(const Ordering &a, unsigned &total) {
    Offset below = 0, rest = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) (b < blockIdx.x ? below : rest) += a.partial[b];
    Offset sum_below, sum_rest;
    block_scan(below, sum_below);
    block_scan(rest, sum_rest);
    total = unsigned(sum_below + sum_rest);
    return unsigned(sum_below);
}

// From position `first` on: those of the block's parents.
__device__ inline void place(const Ordering &a, unsigned begin, unsigned end, unsigned first) {
    const unsigned lane = threadIdx.x % LANES, teams = blockDim.x / LANES;
    const Part part = part_of(begin, end);
    for (unsigned p = part.begin + threadIdx.x / LANES; p < part.end; p += teams) {
        const unsigned v = a.order[p], at = first + a.offset[p];
        const Offset row = a.start[v], row_end = a.start[v + 1];
        for (Offset k = row + lane; k < row_end; k += LANES) {
            const unsigned w = a.col[k];
            if (a.parent[w] != p + 1) continue;
            const unsigned mine = degree(a, w);
            unsigned rank = 0;
            for (Offset l = row; l < row_end; ++l) {
                const unsigned u = a.col[l];
                if (u == w || a.parent[u] != p + 1) continue;
                const unsigned other = degree(a, u);
                rank += other < mine || (other == mine && u < w);
            }
            a.order[at + rank] = w;
        }
    }
}

// Vertices at some positions have no parent again.
__device__ inline void forget(const Ordering &a, unsigned begin, unsigned end) {
    for (unsigned p = begin + unsigned(thread_index()); p < end; p += unsigned(thread_count())) a.parent[a.order[p]] = NOBODY;
}

// Numbers the component of `root` from position `first` on; the end of it, its levels and its last one. False: too many
// levels.
struct Swept { unsigned end, last, levels; };
__device__ inline bool sweep(const Ordering &a, unsigned root, unsigned first, unsigned &all_levels, unsigned &epoch, Swept &swept) {
    if (thread_index() == 0) {
        a.order[first] = root;
        a.parent[root] = first;
    }
    unsigned begin = first, end = first + 1;
    swept.levels = 0;
    while (begin < end) {
        if (all_levels == a.most_levels) return false;
        ++all_levels;
        ++swept.levels;
        wait_for_all(a, epoch);                         // the level is there
        meet(a, begin, end);
        wait_for_all(a, epoch);
        count(a, begin, end);
        wait_for_all(a, epoch);
        unsigned total;
        const unsigned before = children_before(a, total);
        place(a, begin, end, end + before);
        swept.last = begin;
        begin = end;
        end += total;
    }
    swept.end = end;
    wait_for_all(a, epoch);
    return true;
}

// Sweeps over the component of `root` until the levels no longer grow.
__device__ inline bool number_component(const Ordering &a, unsigned root, unsigned first, unsigned &levels, unsigned &epoch, unsigned &end) {
    Swept swept = {};
    unsigned deepest = 0;
    for (unsigned s = 1; s <= SWEEPS; ++s) {
        if (!sweep(a, root, first, levels, epoch, swept)) return false;
        if (s > 1 && swept.levels <= deepest) break;
        deepest = swept.levels;
        if (s == SWEEPS) break;
        root = least_degree(a, swept.last, swept.end);
        wait_for_all(a, epoch);                         // all have read the order before it is made anew
        forget(a, first, swept.end);
        wait_for_all(a, epoch);
    }
    end = swept.end;
    return true;
}

extern "C" __global__ void __launch_bounds__(1024, 1) ordering_number(const __grid_constant__ Ordering a) {
    unsigned epoch = 0, placed = 0, levels = 0;
    Offset root = 0;
    for (unsigned components = 0; placed < a.rows && components < a.most_components; ++components) {
        root = next_root(a, root);
        wait_for_all(a, epoch);                         // all have found it before it is marked
        unsigned end = placed;
        if (root == a.rows || !number_component(a, unsigned(root), placed, levels, epoch, end)) break;
        placed = end;
    }
    if (thread_index() == 0) {
        a.state->placed = placed;
        a.state->levels = levels;
    }
}

struct Reverse { Offset rows; const unsigned *order; unsigned *old; };

extern "C" __global__ void ordering_reverse(const __grid_constant__ Reverse a) {
    for (Offset s = thread_index(); s < a.rows; s += thread_count()) a.old[s] = a.order[a.rows - 1 - s];
}
