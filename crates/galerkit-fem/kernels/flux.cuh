// flux.cuh: fluxes from the map of a cell; for real scalars. With columns X, Y, Z of J and the rows k of det J^-1: D =
// kappa k k^T / det times the weight; (a, b, c) = D (a, b, c). Returns r det times it.
__device__ inline Scalar flux_of(const Scalar (&X)[3], const Scalar (&Y)[3], const Scalar (&Z)[3], Scalar kappa, Scalar r, Scalar weight,
                                 Scalar &a, Scalar &b, Scalar &c) {
    const Scalar k0[3] = {Y[1] * Z[2] - Y[2] * Z[1], Y[2] * Z[0] - Y[0] * Z[2], Y[0] * Z[1] - Y[1] * Z[0]};
    const Scalar k1[3] = {Z[1] * X[2] - Z[2] * X[1], Z[2] * X[0] - Z[0] * X[2], Z[0] * X[1] - Z[1] * X[0]};
    const Scalar k2[3] = {X[1] * Y[2] - X[2] * Y[1], X[2] * Y[0] - X[0] * Y[2], X[0] * Y[1] - X[1] * Y[0]};
    const Scalar det = X[0] * k0[0] + X[1] * k0[1] + X[2] * k0[2], s = kappa * weight * fast_reciprocal(det);
    const Scalar g0 = s * (a * k0[0] + b * k1[0] + c * k2[0]);
    const Scalar g1 = s * (a * k0[1] + b * k1[1] + c * k2[1]);
    const Scalar g2 = s * (a * k0[2] + b * k1[2] + c * k2[2]);
    a = k0[0] * g0 + k0[1] * g1 + k0[2] * g2;
    b = k1[0] * g0 + k1[1] * g1 + k1[2] * g2;
    c = k2[0] * g0 + k2[1] * g1 + k2[2] * g2;
    return r * weight * det;
}
