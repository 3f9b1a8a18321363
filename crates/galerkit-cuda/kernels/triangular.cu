// triangular.cu: y = M^-1 x by a forward sweep (pass 0) and a backward sweep (pass 1), rows in level order.
//     u_i = forward(s_i, x_i, sum_{j<i} l_ij u_j)        v_i = backward(damping, s_i, u_i, sum_{j>i} u_ij v_j)        y = v
// The two functions stand before this text: ssor.cu, ilu.cu or ic.cu. Levels keep the preconditioner of the reference;
// colours would be another one, with other iteration counts. One thread a row, summing in stored order. A slice is up to
// 32 rows of ONE level and belongs to one warp, entry e of its row l at start + e height + l: no lane ever waits for a
// lane of its own warp. Slices go round the warps in level order and all warps are resident, so the first unfinished slice
// has all it needs and a warp that is at it: no deadlock.
// Rows wait for values, not for flags (messages.cuh, which stands before this text): a step costs one trip through L2, not
// three. Nothing is reset between products: pass 0 makes v pending again, pass 1 u. Both passes run, or neither.
// Triangles of many narrow levels are for one block: narrow.cu, which stands before this text.
// Constants: BATCH entries are waited for together (4, 8, 16). Launcher: map/triangular.rs. Oracle: map/triangular.rs of linalg.
// After Liu et al., "A synchronization-free algorithm for parallel sparse triangular solves", 2016.

// The sum over a row, its entries `height` slots apart; waits for the rows it needs, BATCH at a time.
__device__ inline Scalar row_sum(const Sweep &T, Offset k, Offset end, unsigned height) {
    Scalar sum = zero();
    for (; k < end; k += Offset(BATCH) * height) {
        unsigned col[BATCH];
        Scalar val[BATCH];
        Message needed[BATCH];
        #pragma unroll
        for (unsigned b = 0; b < BATCH; ++b) {
            const Offset slot = k + Offset(b) * height;
            col[b] = slot < end ? stream(T.col + slot) : NONE;
            val[b] = slot < end ? stream(T.val + slot) : zero();      // padding holds zeros
        }
        #pragma unroll
        for (unsigned b = 0; b < BATCH; ++b)
            for (unsigned w = 0; w < PARTS; ++w) needed[b].part[w] = col[b] == NONE ? 0 : PENDING;
        for (bool waiting = true; waiting;) {
            waiting = false;
            #pragma unroll
            for (unsigned b = 0; b < BATCH; ++b)
                if (is_pending(needed[b])) receive(T.out + col[b], needed[b]);
            #pragma unroll
            for (unsigned b = 0; b < BATCH; ++b) waiting |= is_pending(needed[b]);
            if (waiting) __nanosleep(40);                             // leaves L2 to those who work
        }
        #pragma unroll
        for (unsigned b = 0; b < BATCH; ++b) sum += val[b] * value(needed[b]);
    }
    return sum;
}

template <int PASS> __device__ void apply(const Map &A, const Scalar *x, Scalar *y) {
    if (A.is_narrow) return narrow<PASS>(A, x, y);
    const Sweep &T = PASS == 0 ? A.forward : A.backward;
    const unsigned lane = threadIdx.x % 32;
    const Offset all = thread_count() / 32, warps = A.warps < all ? A.warps : all;
    // Neighbouring slices go to different multiprocessors.
    const Offset warp = Offset(threadIdx.x / 32) * gridDim.x + blockIdx.x;
    if (warp >= warps) return;
    for (Offset s = warp; s < T.slices; s += warps) {
        const unsigned first = stream(T.first + s), height = stream(T.first + s + 1) - first;
        if (lane >= height) continue;
        const unsigned p = first + lane, i = stream(T.row + p);
        const Scalar scale = stream(T.scale + p);
        const Offset k = stream(T.start + s) + lane, end = stream(T.start + s + 1);
        if (PASS == 0) {
            const Scalar own = x[i];
            make_pending(A.backward.out + p);
            publish(T.out + p, forward(scale, own, row_sum(T, k, end, height)));
        } else {
            Scalar *u = A.forward.out + stream(A.position + p);
            Message own;
            receive(u, own);                                          // there since pass 0
            make_pending(u);
            const Scalar v = backward(A.damping, scale, value(own), row_sum(T, k, end, height));
            publish(T.out + p, v);
            y[i] = v;
        }
    }
}
