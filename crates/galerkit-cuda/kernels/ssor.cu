// ssor.cu: the rows of SSOR, s_i = w/d_i; before triangular.cu. Oracle: precond/ssor.rs.
__device__ inline Scalar forward(Scalar scale, Scalar x, Scalar sum) { return scale * (x - sum); }
__device__ inline Scalar backward(double damping, Scalar scale, Scalar u, Scalar sum) {
    return scalar(damping) * u - scale * sum;
}
