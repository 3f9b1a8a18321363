// ic.cu: the rows of L L^H, s_i = 1/l_ii; before triangular.cu. Oracle: precond/factors.rs.
__device__ inline Scalar forward(Scalar scale, Scalar x, Scalar sum) { return scale * (x - sum); }
__device__ inline Scalar backward(double, Scalar scale, Scalar u, Scalar sum) { return scale * (u - sum); }
