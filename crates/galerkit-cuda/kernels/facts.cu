// facts.cu: what set-up must know of a square matrix in compressed rows, in two passes over it on the device: what the
// rows say, and whether entries mirror each other. Integers, minima and flags; the one sum has a fixed order for a
// given launch shape. Launcher: convert/facts.rs. Oracles: sparse/symmetry.rs, sparse/csr.rs, krylov/backward.rs;
// solver/singular.rs of the facade.

constexpr unsigned TEAM = 8;                            // lanes that share a row

struct Found {
    // Minima; all ones to begin with.
    Offset not_finite;                                  // number of the first such entry
    Offset empty;                                       // row without entries
    Offset not_positive;                                // row whose diagonal entry has a real part that is not
    Offset not_real_positive;                           // the same, or an imaginary part
    Offset not_invertible;                              // row whose diagonal entry has no finite reciprocal
    // Sums; zero to begin with.
    Offset vanishing;                                   // rows that sum to zero
    Offset dominant;                                    // rows whose diagonal entry is at least as large as the others together
    Offset above, below;                                // entries on either side of the diagonal
    // Flags; zero to begin with.
    Offset unmirrored;                                  // an entry above has none at its mirror image
    Offset not_symmetric, not_hermitian;                // values differ
};

struct Facts {
    Offset rows;
    double eps;
    const Offset *start;
    const unsigned *col;
    const Scalar *val;
    Found *found;
    double *squares;                                    // one sum a block
};

__device__ inline double imaginary(Real) { return 0.0; }
__device__ inline double imaginary(Complex a) { return double(a.im); }
template <class T> __device__ inline T all_team(T a) {
    for (unsigned offset = TEAM / 2; offset > 0; offset /= 2) a += __shfl_xor_sync(0xffffffffu, a, offset);
    return a;
}

extern "C" __global__ void row_facts(const __grid_constant__ Facts a) {
    __shared__ double sums[32];
    const Offset teams = thread_count() / TEAM;
    const unsigned lane = threadIdx.x % TEAM;
    double squares = 0;
    for (Offset first = thread_index() / 32 * (32 / TEAM); first < a.rows; first += teams) {
        const Offset i = first + threadIdx.x % 32 / TEAM;
        const bool exists = i < a.rows;
        const Offset begin = exists ? a.start[i] : 0, end = exists ? a.start[i + 1] : 0;
        double re = 0, im = 0, size = 0, radius = 0, own = 0, own_im = 0;
        bool invertible = false;
        for (Offset k = begin + lane; k < end; k += TEAM) {
            const Scalar v = a.val[k];
            const double x = double(real(v)), y = imaginary(v);
            if (!is_finite(v)) atomicMin(&a.found->not_finite, k);
            squares += x * x + y * y;
            re += x, im += y, size += fabs(x) + fabs(y);
            if (a.col[k] == i) {
                own = x, own_im = y;
                invertible = is_finite(v) && !is_zero(v) && is_finite(scalar(1) / v);
            } else {
                radius += double(modulus(v));
            }
        }
        re = all_team(re), im = all_team(im), size = all_team(size), radius = all_team(radius);
        own = all_team(own), own_im = all_team(own_im);
        const unsigned team = (0xffu << threadIdx.x % 32 / TEAM * TEAM);
        const bool has_inverse = __ballot_sync(0xffffffffu, invertible) & team;
        if (!exists || lane != 0) continue;
        if (begin == end) atomicMin(&a.found->empty, i);
        if (!(own > 0)) atomicMin(&a.found->not_positive, i);
        if (!(own > 0) || own_im != 0) atomicMin(&a.found->not_real_positive, i);
        if (!has_inverse) atomicMin(&a.found->not_invertible, i);
        if (hypot(re, im) <= double(end - begin) * a.eps * size) atomicAdd(&a.found->vanishing, 1ull);
        if (hypot(own, own_im) >= radius) atomicAdd(&a.found->dominant, 1ull);
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, offset);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = squares;
    __syncthreads();
    if (threadIdx.x == 0) {
        double sum = 0;
        for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += sums[w];
        a.squares[blockIdx.x] = sum;
    }
}

// The first entry of a row whose column is not below i.
__device__ inline Offset lower_bound(const unsigned *col, Offset begin, Offset end, unsigned i) {
    while (begin < end) {
        const Offset middle = begin + (end - begin) / 2;
        if (col[middle] < i) begin = middle + 1;
        else end = middle;
    }
    return begin;
}

extern "C" __global__ void mirror_facts(const __grid_constant__ Facts a) {
    Offset above = 0, below = 0;
    bool unmirrored = false, not_symmetric = false, not_hermitian = false;
    for (Offset i = thread_index() / TEAM; i < a.rows; i += thread_count() / TEAM) {
        for (Offset k = a.start[i] + threadIdx.x % TEAM; k < a.start[i + 1]; k += TEAM) {
            const unsigned j = a.col[k];
            const Scalar v = a.val[k];
            Scalar other = v;
            if (j < i) {
                ++below;
                continue;
            }
            if (j > i) {
                ++above;
                const Offset end = a.start[j + 1], place = lower_bound(a.col, a.start[j], end, unsigned(i));
                if (place == end || a.col[place] != i) {
                    unmirrored = true;
                    continue;
                }
                other = a.val[place];
            }
            not_symmetric = not_symmetric || !is_zero(v - other);
            not_hermitian = not_hermitian || !is_zero(v - conj(other));
        }
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        above += __shfl_xor_sync(0xffffffffu, above, offset);
        below += __shfl_xor_sync(0xffffffffu, below, offset);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&a.found->above, above);
        atomicAdd(&a.found->below, below);
    }
    if (unmirrored) a.found->unmirrored = 1;
    if (not_symmetric) a.found->not_symmetric = 1;
    if (not_hermitian) a.found->not_hermitian = 1;
}

struct Diagonal { Offset rows; const Offset *start; const unsigned *col; const Scalar *val; Scalar *out; };

// a_ii; zero where it is not stored.
extern "C" __global__ void diagonal(const __grid_constant__ Diagonal a) {
    for (Offset i = thread_index(); i < a.rows; i += thread_count()) {
        const Offset end = a.start[i + 1], place = lower_bound(a.col, a.start[i], end, unsigned(i));
        a.out[i] = place < end && a.col[place] == i ? a.val[place] : zero();
    }
}
