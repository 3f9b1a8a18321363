// ilu.cu: the rows of L U with a unit diagonal in L, s_i = 1/u_ii; before triangular.cu. Oracle: precond/factors.rs.
__device__ inline Scalar forward(Scalar, Scalar x, Scalar sum) { return x - sum; }
__device__ inline Scalar backward(double, Scalar scale, Scalar u, Scalar sum) { return scale * (u - sum); }
