// nodal_scaling.cu: N D^-1 N^T within each entity, N a product of one table along each axis. A thread has an unknown.
// Passes: t = D^-1 N^T x, then y = N t. Tables are small and shared by all entities of a degree. Launcher and oracle:
// multigrid/scaling.rs.
struct Block {
    unsigned first, bubbles, dim, table;                  // bubbles along each axis; where its table begins
};
struct Map {
    Offset rows;
    const unsigned *block_of;
    const Block *blocks;
    const Scalar *tables, *inverse;
    Scalar *room;
};

// Row `own` of N, or of its transpose, times x.
template <bool TRANSPOSED> __device__ inline Scalar product(const Block &b, unsigned own, const Scalar *table, const Scalar *x) {
    const unsigned n = b.bubbles, k0 = own % n, k1 = own / n % n, k2 = own / n / n;
    const unsigned n0 = b.dim > 0 ? n : 1, n1 = b.dim > 1 ? n : 1, n2 = b.dim > 2 ? n : 1;
    const auto entry = [&](bool extends, unsigned k, unsigned i) {
        return !extends ? Scalar(1) : TRANSPOSED ? table[i * n + k] : table[k * n + i];
    };
    Scalar sum = zero();
    for (unsigned i2 = 0; i2 < n2; ++i2) {
        Scalar plane = zero();
        for (unsigned i1 = 0; i1 < n1; ++i1) {
            Scalar line = zero();
            for (unsigned i0 = 0; i0 < n0; ++i0) line += entry(b.dim > 0, k0, i0) * x[(i2 * n1 + i1) * n0 + i0];
            plane += entry(b.dim > 1, k1, i1) * line;
        }
        sum += entry(b.dim > 2, k2, i2) * plane;
    }
    return sum;
}

template <int PASS> __device__ inline void apply(const Map &A, const Scalar *x, Scalar *y) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset i = Offset(blockIdx.x) * blockDim.x + threadIdx.x; i < A.rows; i += threads) {
        const Block b = A.blocks[A.block_of[i]];
        const Scalar *table = A.tables + b.table;
        const unsigned own = unsigned(i) - b.first;
        if (PASS == 0) A.room[i] = A.inverse[i] * product<true>(b, own, table, x + b.first);
        else y[i] = product<false>(b, own, table, A.room + b.first);
    }
}
