// refill.cu: what moves numbers after a conversion: values into slots, vectors into the sorted numbering and back; and
// columns as 16-bit distances from a base for each step (the slots that the W lanes of a warp read at once), if they
// fit. Launcher: convert.rs. Oracle: sparse/ell_warp, map/columns.rs.

struct Refill { Offset count; const Offset *slot_of; const Scalar *from; Scalar *val; };

// val[slot_of[k]] = from[k]; padding stays zero.
extern "C" __global__ void refill(const __grid_constant__ Refill a) {
    for (Offset k = thread_index(); k < a.count; k += thread_count()) a.val[stream(a.slot_of + k)] = stream(a.from + k);
}

struct Permute { Offset count; const unsigned *order; const Scalar *x; Scalar *y; };

// y[s] = x[order[s]]
extern "C" __global__ void permute_gather(const __grid_constant__ Permute a) {
    for (Offset s = thread_index(); s < a.count; s += thread_count()) a.y[s] = a.x[stream(a.order + s)];
}

// y[order[s]] = x[s]
extern "C" __global__ void permute_scatter(const __grid_constant__ Permute a) {
    for (Offset s = thread_index(); s < a.count; s += thread_count()) a.y[stream(a.order + s)] = a.x[s];
}

struct Narrow { Offset steps, warp; const unsigned *col; unsigned *base; unsigned short *distance; unsigned *far; };

// `far` becomes 1 if the columns of a step span too much; then nothing is of use.
extern "C" __global__ void narrow(const __grid_constant__ Narrow a) {
    for (Offset step = thread_index(); step < a.steps; step += thread_count()) {
        const unsigned *col = a.col + step * a.warp;
        unsigned least = ~0u;
        for (unsigned l = 0; l < a.warp; ++l) least = col[l] < least ? col[l] : least;    // padding is all ones
        a.base[step] = least == ~0u ? 0 : least;
        for (unsigned l = 0; l < a.warp; ++l) {
            const unsigned distance = col[l] - least;
            if (col[l] != ~0u && distance >= 0xffffu) *a.far = 1;
            a.distance[step * a.warp + l] = col[l] == ~0u ? 0xffffu : (unsigned short)distance;
        }
    }
}
