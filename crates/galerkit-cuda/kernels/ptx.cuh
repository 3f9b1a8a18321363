// ptx.cuh: everything that is said in PTX because CUDA C++ has no words for it without headers. In front of
// prelude.cuh. Only here stands assembler, so that whoever compiles kernels for something else has one place to replace
// (emulator/kernel.h).
#ifdef __CUDACC__

// Kernels of a graph are launched before the kernel in front of them has ended (programmatic dependent launch, from
// compute capability 9.0 on): each waits here until what that one wrote is there, and then lets the next be launched.
__device__ inline void after_previous_kernel() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// So many threads of the block wait for each other, whole warps, at barrier 1 to 15 of the block; 0 is that of
// __syncthreads.
__device__ inline void group_barrier(unsigned which, unsigned threads) {
    asm volatile("barrier.sync %0, %1;" ::"r"(which), "r"(threads) : "memory");
}

// C += A B for tiles of a warp, 8 x 4 times 4 x 8: lane l has A(l / 4, l % 4), B(l % 4, l / 4), C(l / 4, 2 (l % 4)) and
// the next in its row. All lanes call it together. From compute capability 8.0 on.
__device__ inline void multiply_add_tile(double (&C)[2], double A, double B) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(C[0]), "+d"(C[1]) : "d"(A), "d"(B));
}
// 1 / a, to a unit in the last place or two: the hardware's 20 bits and one step of third order. Not for subnormal
// numbers.
__device__ inline double fast_reciprocal(double a) {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
    const double e = fma(-a, r, 1.0);
    return fma(r, fma(e, e, e), r);
}
__device__ inline float fast_reciprocal(float a) { return 1.0f / a; }
// Adds to a word of global memory and returns what stood there; what was written before is seen by who adds or loads
// later.
__device__ inline unsigned add_acquire_release(unsigned *p, unsigned a) {
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(p), "r"(a) : "memory");
    return before;
}
__device__ inline void add_release(unsigned *p, unsigned a) {
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" :: "l"(p), "r"(a) : "memory");
}
__device__ inline unsigned load_acquire(const unsigned *p) {
    unsigned w;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(w) : "l"(p) : "memory");
    return w;
}

// The same inside of a block, in shared memory.
__device__ inline void add_release_in_block(unsigned *p, unsigned a) {
    asm volatile("red.release.cta.shared.add.u32 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(p))), "r"(a) : "memory");
}
__device__ inline unsigned load_acquire_in_block(const unsigned *p) {
    unsigned w;
    asm volatile("ld.acquire.cta.shared.u32 %0, [%1];" : "=r"(w) : "r"(unsigned(__cvta_generic_to_shared(p))) : "memory");
    return w;
}

// Relaxed accesses at the scope of the GPU: each word travels whole and never out of a stale first-level cache.
__device__ inline unsigned load_relaxed(const unsigned *p) {
    unsigned w;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(w) : "l"(__cvta_generic_to_global(p)));
    return w;
}
__device__ inline unsigned long long load_relaxed(const unsigned long long *p) {
    unsigned long long w;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(__cvta_generic_to_global(p)));
    return w;
}
__device__ inline void store_relaxed(unsigned *p, unsigned w) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(w) : "memory");
}
__device__ inline void store_relaxed(unsigned long long *p, unsigned long long w) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(w) : "memory");
}

#if __CUDA_ARCH__ >= 900
// Where another block of the cluster has the shared variable that this block has at p.
template <class T> __device__ inline T *in_block(T *p, unsigned rank) {
    T *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(p), "r"(rank));
    return there;
}
// All threads of all blocks of the cluster wait for all, by a barrier of the hardware.
__device__ inline void cluster_barrier() {
    asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}
#endif

#endif
