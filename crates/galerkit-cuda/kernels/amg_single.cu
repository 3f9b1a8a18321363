// amg_single.cu: a matrix in single precision inside of double, times a power of four that brings its largest diagonal
// entry into [1, 4): nothing overflows or vanishes. One thread a row, or an entry. After prelude.cuh.
// Launcher: amg/single.rs. Oracle: linalg/multigrid/amg.

struct Largest { Offset rows; const Offset *start; const unsigned *col; const Scalar *val; Offset *largest; };

// The largest modulus of a diagonal entry, as the bits of a double, which ascend with it.
extern "C" __global__ void single_largest(const __grid_constant__ Largest a) {
    double largest = 0;
    for (Offset i = thread_index(); i < a.rows; i += thread_count())
        for (Offset k = a.start[i]; k < a.start[i + 1]; ++k)
            if (a.col[k] == i && fabs(a.val[k]) > largest) largest = fabs(a.val[k]);
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const double other = __shfl_xor_sync(0xffffffffu, largest, offset);
        if (other > largest) largest = other;
    }
    if (threadIdx.x % 32 == 0) atomicMax(a.largest, Offset(__double_as_longlong(largest)));
}

struct Rounding { Offset nnz; const Scalar *val; double scale; Single *out; };

extern "C" __global__ void single_round(const __grid_constant__ Rounding a) {
    for (Offset k = thread_index(); k < a.nnz; k += thread_count()) a.out[k] = Single(a.val[k] * Scalar(a.scale));
}
