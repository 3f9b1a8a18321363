// modal_nodes.cu: values at nodes from modes, u_ij = sum_m V_mj x_im. A thread has a node; neighbours share x and read
// V side by side. Launcher and oracle: collocation/modal.rs.
struct Map {
    Offset along, nodes, rows, modes;
    const unsigned *unknown;                              // which unknowns along x are values
    const Scalar *V;
};

template <class Row> __device__ inline void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset threads = Offset(gridDim.x) * blockDim.x;
    for (Offset k = Offset(blockIdx.x) * blockDim.x + threadIdx.x; k < A.along * A.nodes; k += threads) {
        const Offset i = A.unknown[k / A.nodes], j = k % A.nodes;
        Scalar sum = zero();
        for (Offset first = 0; first < A.modes; first += 32) {
            const Offset width = A.modes - first < 32 ? A.modes - first : 32;
            const Scalar *share = x + first * A.rows + i * width;
            for (Offset m = 0; m < width; ++m) sum += share[m] * A.V[(first + m) * A.nodes + j];
        }
        row(k)(sum);
    }
}
