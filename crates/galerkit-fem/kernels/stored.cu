// stored.cu: cells with all entries of their matrix, which is symmetric: threads read neighbouring entries of a row.
// In front of it stand DIM and N = p + 1.
constexpr int CELL = DIM == 3 ? N * N * N : N * N;

// Returns a part of (x, A x).
__device__ inline Scalar cells(const Map &A, const Kind &kind, const Scalar *x) {
    Scalar energy = zero();
    for (Offset t = thread_index(); t < kind.cells * CELL; t += thread_count()) {
        const Offset cell = t / CELL, i = t % CELL, first = kind.first[cell];
        const Scalar *K = kind.factors + cell * CELL * CELL + i;
        Scalar sum = zero();
        for (int j = 0; j < CELL; ++j) sum += K[j * CELL] * gathered(A, x, A.index[first + j]);
        const unsigned bits = A.index[first + i];
        energy += conj(gathered(A, x, bits)) * sum;
        put(A, first + i, bits, sum);
    }
    return energy;
}
