// factors_stored.cuh: in front of points.cu, where D is in memory.
// D of a cell along a line of the first axis, from memory: entry e at point q is d[e * POINTS + q * Q * QZ].
struct Factors {
    static constexpr int NUMBERS = (ENTRIES + REACTS) * POINTS;
    const Scalar *d;
    __device__ Factors(const Scalar *cell, unsigned line) : d(cell + line) {}
    __device__ Scalar entry(int e, int q) const { return stream(d + e * POINTS + q * Q * QZ); }
    // (a, b, c) = D (a, b, c); returns r
    __device__ Scalar flux(int q, Scalar &a, Scalar &b, Scalar &c) const {
        const Scalar x = a, y = b, z = c;
        if (DIM == 3) {
            const Scalar d01 = entry(1, q), d02 = entry(2, q), d12 = entry(4, q);
            a = entry(0, q) * x + d01 * y + d02 * z;
            b = d01 * x + entry(3, q) * y + d12 * z;
            c = d02 * x + d12 * y + entry(5, q) * z;
        } else {
            const Scalar d01 = entry(1, q);
            a = entry(0, q) * x + d01 * y;
            b = d01 * x + entry(2, q) * y;
        }
        return REACTS ? entry(ENTRIES, q) : zero();
    }
};
