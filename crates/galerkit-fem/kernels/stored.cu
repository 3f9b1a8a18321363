// stored.cu: cells with all entries of their matrix, which is symmetric: threads read neighbouring entries of a row.
// In front of it stand DIM and N = p + 1.
constexpr int CELL = DIM == 3 ? N * N * N : N * N;

__device__ inline void cells(const Map &A, const Kind &kind, const Scalar *x, Scalar *y) {
    for (Offset t = thread_index(); t < kind.cells * CELL; t += thread_count()) {
        const Offset cell = t / CELL, i = t % CELL, first = kind.first[cell];
        const Scalar *K = kind.factors + cell * CELL * CELL + i;
        Scalar sum = zero();
        for (int j = 0; j < CELL; ++j) sum += K[j * CELL] * gathered(A, x, A.index[first + j]);
        put(A, y, first + i, A.index[first + i], sum);
    }
}
