// run.cuh: the sum over a run of slots, val[k] x[col[k]] for k = 0, step, 2 step, ... (count of them), by one thread
// and in stored order. Slots come in batches of COUNT, usually UNROLL; the columns of the next batch are read together
// with values and entries of x of the present one, so that a thread never waits for a column and then for what it
// names. A slot whose column is PAD is padding: x is not read for it, because 0 * NaN is not 0. What lies beyond the
// run counts as padding. The compiler keeps the batches together where it may use registers: __launch_bounds__(256, 4).
// Injected: UNROLL; Column: unsigned (the column) or unsigned short (its distance from base[0], base[1], ..., one a
// slot).

constexpr Column PAD = Column(~0u);
constexpr bool NARROW = sizeof(Column) == 2;

// The columns of COUNT slots.
template <unsigned COUNT> struct Batch {
    Column c[COUNT];
    unsigned base[COUNT];
};
template <unsigned COUNT>
__device__ inline Batch<COUNT> columns(const Column *col, const unsigned *base, unsigned e, unsigned count, Offset step) {
    Batch<COUNT> batch;
#pragma unroll
    for (unsigned u = 0; u < COUNT; ++u) {
        const bool inside = e + u < count;
        batch.c[u] = inside ? stored(col + u * step) : PAD;
        batch.base[u] = NARROW && inside ? base[e + u] : 0;
    }
    return batch;
}

template <unsigned COUNT = UNROLL>
__device__ inline Scalar run_sum(const Column *col, const unsigned *base, const Scalar *val, unsigned count,
                                 Offset step, const Scalar *x) {
    Scalar sum = zero();
    Batch<COUNT> now = columns<COUNT>(col, base, 0, count, step);
    for (unsigned e = 0; e < count; e += COUNT) {
        col += COUNT * step;
        const Batch<COUNT> next = columns<COUNT>(col, base, e + COUNT, count, step);
        Scalar a[COUNT], b[COUNT];
#pragma unroll
        for (unsigned u = 0; u < COUNT; ++u) {
            a[u] = now.c[u] == PAD ? zero() : stored(val + u * step);
            b[u] = now.c[u] == PAD ? zero() : gather(x + (now.base[u] + now.c[u]));
        }
#pragma unroll
        for (unsigned u = 0; u < COUNT; ++u) sum += a[u] * b[u];
        val += COUNT * step;
        now = next;
    }
    return sum;
}
