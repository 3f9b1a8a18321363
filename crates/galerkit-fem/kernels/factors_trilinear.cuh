// factors_trilinear.cuh: in front of points.cu, where D follows from eight vertices and one coefficient. Needs
// flux.cuh. D from the map of a cell, trilinear.rs: on a line of the first axis the derivative along it is constant,
// the others are linear.
struct Factors {
    static constexpr int NUMBERS = 23;
    Scalar X[3], Y0[3], Y1[3], Z0[3], Z1[3], weight, kappa, r;
    __device__ Factors(const Scalar *c, unsigned line) {
        const Scalar y = POINT[line / QZ], z = POINT[line % QZ];
        #pragma unroll
        for (int a = 0; a < 3; ++a) {
            const Scalar xyz = c[18 + a], xy = c[9 + a], xz = c[12 + a], yz = c[15 + a];
            X[a] = c[a] + xy * y + (xz + xyz * y) * z;
            Y0[a] = c[3 + a] + yz * z, Y1[a] = xy + xyz * z;
            Z0[a] = c[6 + a] + yz * y, Z1[a] = xz + xyz * y;
        }
        weight = WEIGHT[line / QZ] * WEIGHT[line % QZ];
        kappa = c[21], r = REACTS ? c[22] : zero();
    }
    __device__ Scalar flux(int q, Scalar &a, Scalar &b, Scalar &c) const {
        const Scalar x = POINT[q];
        const Scalar Y[3] = {Y0[0] + x * Y1[0], Y0[1] + x * Y1[1], Y0[2] + x * Y1[2]};
        const Scalar Z[3] = {Z0[0] + x * Z1[0], Z0[1] + x * Z1[1], Z0[2] + x * Z1[2]};
        return flux_of(X, Y, Z, kappa, r, weight * WEIGHT[q], a, b, c);
    }
};
