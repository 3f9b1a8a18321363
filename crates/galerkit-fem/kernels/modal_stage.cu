// modal_stage.cu: y = (L U)^-1 C0 x for each mode, five diagonals without fill. A thread has a mode and goes along x
// and back; the modes of a warp lie side by side. Warps are spread over blocks first: there are fewer of them than
// processors. Traffic per unknown: x, y twice, four factors. Launcher and oracle: collocation/modal.rs.
struct Map {
    Offset rows, modes;
    const Scalar *values, *C0;                            // four numbers for each row: columns 2e-1 to 2e+2
};

__device__ inline void solve_mode(Offset n, Offset w, const Scalar *f, const Scalar *C0, const Scalar *x, Scalar *y) {
    Scalar before = zero(), xm = zero(), x0 = x[0];
    for (Offset i = 0; i < n; i += 2) {                   // L z = C0 x
        const Scalar x1 = x[(i + 1) * w], x2 = i + 2 < n ? x[(i + 2) * w] : zero();
        const Scalar *c = C0 + 4 * i, *l = f + 4 * i * w;
        const Scalar b0 = c[0] * xm + c[1] * x0 + c[2] * x1 + c[3] * x2;
        const Scalar b1 = c[4] * xm + c[5] * x0 + c[6] * x1 + c[7] * x2;
        const Scalar even = b0 - l[0] * before;
        before = b1 - l[4 * w] * before - l[5 * w] * even;
        y[i * w] = even;
        y[(i + 1) * w] = before;
        xm = x1;
        x0 = x2;
    }
    Scalar after = zero();
    for (Offset i = n; i > 0; i -= 2) {                   // U y = z
        const Scalar *u = f + 4 * (i - 2) * w;
        const Scalar odd = u[6 * w] * (y[(i - 1) * w] - u[7 * w] * after);
        after = u[w] * (y[(i - 2) * w] - u[2 * w] * odd - u[3 * w] * after);
        y[(i - 1) * w] = odd;
        y[(i - 2) * w] = after;
    }
}

template <int PASS> __device__ inline void apply(const Map &A, const Scalar *x, Scalar *y) {
    const Offset lane = threadIdx.x % 32, warps = Offset(gridDim.x) * (blockDim.x / 32);
    for (Offset block = Offset(threadIdx.x / 32) * gridDim.x + blockIdx.x; 32 * block < A.modes; block += warps) {
        const Offset width = A.modes - 32 * block < 32 ? A.modes - 32 * block : 32, first = 32 * block * A.rows + lane;
        if (lane < width)
            solve_mode(A.rows, width, A.values + 4 * 32 * block * A.rows + lane, A.C0, x + first, y + first);
    }
}
