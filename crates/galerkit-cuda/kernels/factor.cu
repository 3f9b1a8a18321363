// factor.cu: incomplete factors F = L + D + U on one pattern in compressed rows, by elimination or by fixed-point sweeps.
//     ILU   l_ik = f_ik / u_kk,   f_ij -= l_ik u_kj   for k < i ascending, j > k in row i
//     IC    l_ik = (a_ik - sum_{j<k} l_ij conj(l_kj)) / l_kk,   l_ii = sqrt(a_ii - sum_{k<i} |l_ik|^2)
//     sweep f_ij <- a_ij - sum_{k < i, j} (f_ik / f_kk) f_kj   from what the last sweep wrote
// A team of LANES threads shares a row, each lane the entries LANES apart, and subtracts in ascending k as the host does;
// products are rounded before they are added, as on the host: same bits. Constants: LANES (8, 16, 32), about a row's length.
// Elimination is free of synchronisation: rows go round the teams in level order, all teams are resident, and a row waits
// for the values it needs (messages.cuh stands before this text), so the first unfinished row has all it needs and a team
// that is at it. Teams of one warp may wait for each other: their lanes are scheduled apart.
// Launcher: factor.rs. Oracle: precond/{ilu,ic,fixed_point}.rs.

struct Factor {
    Offset rows;
    const unsigned *order;        // rows, level by level
    const Offset *start;          // first slot of each row
    const Offset *diagonal;       // slot of each diagonal entry
    const unsigned *col;
    const Offset *mirror;         // IC: where U has the entry that L has here
    const Scalar *a;              // values of A on the pattern
    Scalar *work;                 // rows under way
    Scalar *f;                    // L below the diagonal; above it U, pending until known
    Scalar *inverse;              // 1/u_ii or 1/l_ii, pending until known
    Scalar *pivot;
    Offset *failed;               // the first row without a usable pivot
};

__device__ inline Real square(Real a) { return rounded(a, a); }
__device__ inline Real square(Complex a) { return rounded(a.re, a.re) + rounded(a.im, a.im); }
__device__ inline Real reciprocal(Real a) { return Real(1) / a; }
__device__ inline Complex reciprocal(Complex a) {                     // as num_complex divides
    const Real size = square(a);
    return {(a.re + rounded(Real(0), a.im)) / size, (rounded(Real(0), a.re) - a.im) / size};
}
__device__ inline Real drop(Real a, Real real) { return a - real; }
__device__ inline Complex drop(Complex a, Real real) { return {a.re - real, a.im}; }
__device__ inline Real broadcast(unsigned mask, Real a, unsigned from) { return __shfl_sync(mask, a, from, LANES); }
__device__ inline Complex broadcast(unsigned mask, Complex a, unsigned from) {
    return {__shfl_sync(mask, a.re, from, LANES), __shfl_sync(mask, a.im, from, LANES)};
}

// The slot of column j among the ascending columns from first to end; end if it is not there.
__device__ inline Offset find(const unsigned *col, Offset first, Offset end, unsigned j) {
    Offset low = first, high = end;
    while (low < high) {
        const Offset middle = (low + high) / 2;
        if (col[middle] < j) low = middle + 1;
        else high = middle;
    }
    return low < end && col[low] == j ? low : end;
}

__device__ inline Scalar await(const Scalar *p) {
    Message m;
    for (receive(p, m); is_pending(m); receive(p, m)) __nanosleep(40); // leaves L2 to those who work
    return value(m);
}

// Keeps a pivot and its inverse; the least row that has none is remembered.
__device__ inline void conclude(const Factor &F, unsigned i, Scalar pivot, Scalar inverse, bool usable) {
    if (!(usable && is_finite(pivot) && is_finite(inverse))) atomicMin(F.failed, Offset(i));
    F.pivot[i] = pivot;
    publish(F.inverse + i, inverse);
}

// The rows of a team, neighbours on different multiprocessors.
__device__ inline Offset team_index() { return Offset(threadIdx.x / LANES) * gridDim.x + blockIdx.x; }
__device__ inline Offset team_count() { return thread_count() / LANES; }

// Subtracts l u from an entry; IC adds it up instead.
template <bool CHOLESKY> __device__ inline void subtract(Scalar *entry, Scalar l, Scalar u) {
    *entry = CHOLESKY ? *entry + times(l, u) : *entry - times(l, u);
}

template <bool CHOLESKY> __device__ inline void factor_rows(const Factor &F) {
    const unsigned lane = threadIdx.x % LANES, first_lane = threadIdx.x % 32 / LANES * LANES;
    const unsigned mask = (0xffffffffu >> (32 - LANES)) << first_lane;
    for (Offset p = team_index(); p < F.rows; p += team_count()) {
        const unsigned i = F.order[p];
        const Offset first = F.start[i], end = F.start[i + 1], diagonal = F.diagonal[i], own = first + lane;
        for (Offset t = own; t < end; t += LANES) F.work[t] = CHOLESKY ? zero() : F.a[t];
        const Offset limit = CHOLESKY ? diagonal : end;
        Scalar pivot = F.a[diagonal];                                  // IC: known to every lane
        for (Offset s = first; s < diagonal; ++s) {
            const unsigned k = F.col[s], owner = unsigned(s - first) % LANES;
            const Offset above = F.diagonal[k] + 1, last = F.start[k + 1];
            // What a lane's first entry needs is waited for beside the pivot; in short rows there are no others.
            const Offset u = own > s && own < limit ? find(F.col, above, last, F.col[own]) : last;
            Scalar l = zero(), met = zero();
            if (u < last) met = await(F.f + u);
            if (lane == owner) {
                l = times(CHOLESKY ? F.a[s] - F.work[s] : F.work[s], await(F.inverse + k));
                F.f[s] = l;
            }
            l = broadcast(mask, l, owner);
            if (u < last) subtract<CHOLESKY>(F.work + own, l, met);
            for (Offset t = own + LANES; t < limit; t += LANES) {
                const Offset v = t > s ? find(F.col, above, last, F.col[t]) : last;
                if (v < last) subtract<CHOLESKY>(F.work + t, l, await(F.f + v));
            }
            if (CHOLESKY) pivot = drop(pivot, square(l));
        }
        for (Offset t = own; t < end; t += LANES) {
            if (CHOLESKY && t < diagonal) publish(F.f + F.mirror[t], conj(F.f[t]));
            if (!CHOLESKY && t > diagonal) publish(F.f + t, F.work[t]);
            if (t != diagonal) continue;
            if (!CHOLESKY) pivot = F.work[t];
            const Scalar inverse = CHOLESKY ? scalar(Real(1) / sqrt(real(pivot))) : reciprocal(pivot);
            conclude(F, i, pivot, inverse, CHOLESKY ? real(pivot) > 0 : !is_zero(pivot));
        }
    }
}

// Before an elimination: nothing is known yet.
extern "C" __global__ void factor_begin(const __grid_constant__ Factor F) {
    for (Offset k = thread_index(); k < F.start[F.rows]; k += thread_count()) make_pending(F.f + k);
    for (Offset i = thread_index(); i < F.rows; i += thread_count()) make_pending(F.inverse + i);
}

extern "C" __global__ void __launch_bounds__(256, 4) factor_ilu(const __grid_constant__ Factor F) { factor_rows<false>(F); }
extern "C" __global__ void __launch_bounds__(256, 4) factor_ic(const __grid_constant__ Factor F) { factor_rows<true>(F); }

// One sweep: reads f and inverse, writes work.
extern "C" __global__ void __launch_bounds__(256, 4) factor_sweep(const __grid_constant__ Factor F) {
    for (Offset i = team_index(); i < F.rows; i += team_count()) {
        const Offset first = F.start[i], end = F.start[i + 1], diagonal = F.diagonal[i];
        for (Offset t = first + threadIdx.x % LANES; t < end; t += LANES) {
            const unsigned j = F.col[t];
            const Offset before = t < diagonal ? t : diagonal;         // k < i and k < j
            Scalar f = F.a[t];
            for (Offset s = first; s < before; ++s) {
                const unsigned k = F.col[s];
                const Offset last = F.start[k + 1], u = find(F.col, F.diagonal[k] + 1, last, j);
                if (u < last) f -= times(times(F.f[s], F.inverse[k]), F.f[u]);
            }
            F.work[t] = f;
        }
    }
}

// The inverse pivots of f.
extern "C" __global__ void factor_pivots(const __grid_constant__ Factor F) {
    for (Offset i = thread_index(); i < F.rows; i += thread_count()) {
        const Scalar pivot = F.f[F.diagonal[i]];
        conclude(F, unsigned(i), pivot, reciprocal(pivot), !is_zero(pivot));
    }
}

// After the last sweep: the columns of L divided by the pivots.
extern "C" __global__ void factor_scale(const __grid_constant__ Factor F) {
    for (Offset i = team_index(); i < F.rows; i += team_count())
        for (Offset s = F.start[i] + threadIdx.x % LANES; s < F.diagonal[i]; s += LANES)
            F.f[s] = times(F.f[s], F.inverse[F.col[s]]);
}

constexpr Offset NOTHING = ~Offset(0);    // no source: the slot holds zero

struct Spread { Offset count; const Offset *source; const Scalar *entries; Scalar *a; };

// The values of A on the pattern, from entries in another order.
extern "C" __global__ void factor_spread(const __grid_constant__ Spread p) {
    for (Offset n = thread_index(); n < p.count; n += thread_count()) {
        const Offset source = stream(p.source + n);
        p.a[n] = source == NOTHING ? zero() : p.entries[source];
    }
}

struct Shift { Offset rows; const Offset *diagonal; Scalar *a; double by; };

extern "C" __global__ void factor_shift(const __grid_constant__ Shift p) {
    for (Offset i = thread_index(); i < p.rows; i += thread_count()) {
        Scalar &d = p.a[p.diagonal[i]];
        d = times(d, scalar(p.by));
    }
}

struct HandOver { Offset count, entries; const Offset *source; const Scalar *f, *inverse; Scalar *val; };

// Gives the factors to the slices that are solved with: sources beyond the entries of f are rows of the diagonal.
extern "C" __global__ void factor_hand_over(const __grid_constant__ HandOver p) {
    for (Offset n = thread_index(); n < p.count; n += thread_count()) {
        const Offset source = stream(p.source + n);
        p.val[n] = source == NOTHING ? zero() : source < p.entries ? p.f[source] : p.inverse[source - p.entries];
    }
}

struct Signs { Offset rows; const Scalar *inverse; Offset *failed; double tolerance; };

// The first row whose pivot is not positive; imaginary parts may be rounding.
extern "C" __global__ void factor_signs(const __grid_constant__ Signs p) {
    for (Offset i = thread_index(); i < p.rows; i += thread_count()) {
        const Scalar v = p.inverse[i];
        const Real size = real(v), apart = modulus(v - scalar(size));
        if (!(size > 0 && apart <= Real(p.tolerance) * size)) atomicMin(p.failed, i);
    }
}

struct HandOverSingle { Offset count, entries; const Offset *source; const Scalar *f, *inverse; Single *val; };

// The same for slices in single precision.
extern "C" __global__ void factor_hand_over_single(const __grid_constant__ HandOverSingle p) {
    for (Offset n = thread_index(); n < p.count; n += thread_count()) {
        const Offset source = stream(p.source + n);
        const Scalar v = source == NOTHING ? zero() : source < p.entries ? p.f[source] : p.inverse[source - p.entries];
        p.val[n] = to_single(v);
    }
}

struct Fits { Offset rows; const Offset *start, *diagonal; const Scalar *f, *inverse; Offset *failed; };

// The first row with a number that overflows in single precision. What f has on the diagonal is not part of the
// factors.
extern "C" __global__ void factor_fits_single(const __grid_constant__ Fits p) {
    for (Offset i = thread_index(); i < p.rows; i += thread_count()) {
        bool fits = is_finite(to_single(p.inverse[i]));
        for (Offset k = p.start[i]; k < p.start[i + 1]; ++k) fits = fits && (k == p.diagonal[i] || is_finite(to_single(p.f[k])));
        if (!fits) atomicMin(p.failed, i);
    }
}
