// product_dense.cu: rows that are too long for a hash table: a bit and a sum for every column, in global memory, of
// one block each. A row of C = A B, with the rows k of B one after the other; or a row whose entries are sorted by
// column. Bits are zero between rows. After scan.cuh, rounded.cuh, team.cuh. Blocks of 256 threads. Launcher:
// product/dense.rs. Oracle: linalg/sparse/product.rs.

// Of each block: so many words of bits, and 32 sums a word.
struct Accumulators { Offset words; unsigned *bits; Scalar *sums; };
struct Dense {
    Offset rows;
    const unsigned *list;
    const Offset *A_start;
    const unsigned *A_col;
    const Scalar *A_val;
    const Offset *B_start;
    const unsigned *B_col;
    const Scalar *B_val;
    Offset *start;                // of each row of C; count: its entries
    unsigned *col;
    Scalar *val;
    Accumulators own;
};

// Whether a column is new.
__device__ inline bool mark(unsigned *bits, unsigned j) {
    return !(atomicOr(bits + j / 32, 1u << j % 32) >> j % 32 & 1);
}

// The products of row i: each adds to the sum of its column.
__device__ inline void accumulate(const Dense &a, Offset i, unsigned *bits, Scalar *sums) {
    for (Offset k = a.A_start[i]; k < a.A_start[i + 1]; ++k) {
        const unsigned row = a.A_col[k];
        const Scalar factor = a.A_val[k];
        const Offset begin = a.B_start[row], end = a.B_start[row + 1];
        for (Offset e = begin + threadIdx.x; e < end; e += blockDim.x) {
            const unsigned j = a.B_col[e];
            const Scalar term = times(factor, a.B_val[e]);
            sums[j] = (mark(bits, j) ? zero() : sums[j]) + term;
        }
        __syncthreads();
    }
}

// Writes what is marked by ascending columns, and clears the marks; how much it was.
__device__ inline Offset collect(Accumulators own, unsigned *bits, const Scalar *sums, unsigned *col, Scalar *val) {
    Offset done = 0, total;
    for (Offset from = 0; from < own.words; from += blockDim.x) {
        const Offset w = from + threadIdx.x;
        unsigned word = w < own.words ? bits[w] : 0;
        Offset place = done + block_scan(__popc(word), total);
        done += total;
        if (word != 0) bits[w] = 0;
        for (; val && word != 0; word &= word - 1, ++place) {
            const unsigned j = unsigned(w) * 32 + __ffs(word) - 1;
            col[place] = j, val[place] = sums[j];
        }
    }
    __syncthreads();
    return done;
}

extern "C" __global__ void dense_count(const __grid_constant__ Dense a) {
    unsigned *bits = a.own.bits + blockIdx.x * a.own.words;
    for (Offset at = blockIdx.x; at < a.rows; at += gridDim.x) {
        const Offset i = a.list[at];
        for (Offset k = a.A_start[i] + threadIdx.x / 32; k < a.A_start[i + 1]; k += blockDim.x / 32) {
            const unsigned row = a.A_col[k];
            for (Offset e = a.B_start[row] + threadIdx.x % 32; e < a.B_start[row + 1]; e += 32) mark(bits, a.B_col[e]);
        }
        __syncthreads();
        const Offset count = collect(a.own, bits, nullptr, nullptr, nullptr);
        if (threadIdx.x == 0) a.start[i] = count;
    }
}

extern "C" __global__ void dense_fill(const __grid_constant__ Dense a) {
    unsigned *bits = a.own.bits + blockIdx.x * a.own.words;
    Scalar *sums = a.own.sums + blockIdx.x * a.own.words * 32;
    for (Offset at = blockIdx.x; at < a.rows; at += gridDim.x) {
        const Offset i = a.list[at];
        accumulate(a, i, bits, sums);
        collect(a.own, bits, sums, a.col + a.start[i], a.val + a.start[i]);
    }
}

// The rows of B that are listed, with their entries by ascending columns.
extern "C" __global__ void dense_sort(const __grid_constant__ Dense a) {
    unsigned *bits = a.own.bits + blockIdx.x * a.own.words;
    Scalar *sums = a.own.sums + blockIdx.x * a.own.words * 32;
    for (Offset at = blockIdx.x; at < a.rows; at += gridDim.x) {
        const Offset i = a.list[at];
        for (Offset e = a.B_start[i] + threadIdx.x; e < a.B_start[i + 1]; e += blockDim.x) {
            mark(bits, a.B_col[e]);
            sums[a.B_col[e]] = a.B_val[e];
        }
        __syncthreads();
        collect(a.own, bits, sums, a.col + a.start[i], a.val + a.start[i]);
    }
}
