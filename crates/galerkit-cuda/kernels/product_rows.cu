// product_rows.cu: around the tables of a product: which rows need a larger one, rows that were computed in any order
// put in place, and the lower triangle of a product that is Hermitian. LANES (8) threads a row. After team.cuh.
// Launchers: product/two_passes.rs, once.rs.

struct Bin { Offset rows; const Offset *start; Offset least, most; unsigned *list, *count; };

// Rows with more than `least` and at most `most` entries.
extern "C" __global__ void product_bin(const __grid_constant__ Bin a) {
    for (Offset first = Offset(blockIdx.x) * blockDim.x; first < a.rows; first += thread_count()) {
        const Offset i = first + threadIdx.x, length = i < a.rows ? a.start[i + 1] - a.start[i] : 0;
        append(length > a.least && length <= a.most, unsigned(i), a.list, a.count);
    }
}

struct Longest { Offset rows; const Offset *start; unsigned *longest; };

extern "C" __global__ void product_longest(const __grid_constant__ Longest a) {
    unsigned longest = 0;
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        const unsigned length = unsigned(a.start[i + 1] - a.start[i]);
        longest = length > longest ? length : longest;
    }
    longest = __reduce_max_sync(ALL, longest);
    if (threadIdx.x % 32 == 0 && longest > load_relaxed(a.longest)) atomicMax(a.longest, longest);
}

struct Widen { Offset rows; const unsigned *length; Offset *start; };

extern "C" __global__ void product_widen(const __grid_constant__ Widen a) {
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) a.start[i] = a.length[i];
}

struct Place {
    Offset rows;
    const Offset *from;
    const unsigned *from_col;
    const Scalar *from_val;
    const Offset *start;
    unsigned *col;
    Scalar *val;
};

extern "C" __global__ void product_place(const __grid_constant__ Place a) {
    for (Offset i = thread_index() / LANES; i < a.rows; i += thread_count() / LANES) {
        const Offset from = a.from[i], begin = a.start[i];
        const unsigned length = unsigned(a.start[i + 1] - begin);
        for (unsigned e = team_lane(); e < length; e += LANES) {
            a.col[begin + e] = a.from_col[from + e];
            a.val[begin + e] = a.from_val[from + e];
        }
    }
}

struct Mirror { Offset rows; const Offset *start; const unsigned *col; Scalar *val; };
__device__ inline Real real_part(Real a) { return a; }
__device__ inline Complex real_part(Complex a) { return {a.re, Real(0)}; }

// Entries below the diagonal become the conjugates of those above, the diagonal real. Reads above only, writes below
// only.
extern "C" __global__ void product_mirror(const __grid_constant__ Mirror a) {
    for (Offset i = thread_index() / LANES; i < a.rows; i += thread_count() / LANES) {
        for (Offset k = a.start[i] + team_lane(); k < a.start[i + 1] && a.col[k] <= i; k += LANES) {
            const unsigned j = a.col[k];
            Offset low = a.start[j], high = a.start[j + 1];
            if (j == i) a.val[k] = real_part(a.val[k]);
            while (j < i && low < high) {
                const Offset middle = low + (high - low) / 2;
                if (a.col[middle] < i) low = middle + 1;
                else high = middle;
            }
            if (j < i) a.val[k] = conj(a.val[low]);
        }
    }
}

struct Sum { Offset count; const unsigned *list; const Offset *numbers; Offset *sum; };

// The sum of the numbers that a list names.
extern "C" __global__ void product_sum(const __grid_constant__ Sum a) {
    Offset sum = 0;
    for (Offset at = thread_index(); at < a.count; at += thread_count()) sum += a.numbers[a.list[at]];
    for (unsigned offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(ALL, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(a.sum, sum);
}

struct Work { Offset nnz; const unsigned *col; const Offset *start; const unsigned *length; Offset *sum; };

// Multiply-adds of a product: for each entry of A the length of the row of B that it names.
extern "C" __global__ void product_work(const __grid_constant__ Work a) {
    Offset sum = 0;
    for (Offset e = thread_index(); e < a.nnz; e += thread_count()) {
        const unsigned k = a.col[e];
        sum += a.length ? a.length[k] : a.start[k + 1] - a.start[k];
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(ALL, sum, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(a.sum, sum);
}
