// scan.cuh: prefix sums inside of a block. In front of sort.cu and ordering.cu.

// Sum over the threads before this one, and over all. The whole block must call it.
__device__ inline Offset block_scan(Offset a, Offset &total) {
    __shared__ Offset warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    Offset sum = a;
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const Offset below = __shfl_up_sync(0xffffffffu, sum, distance);
        if (lane >= distance) sum += below;
    }
    __syncthreads();                                    // whoever still reads the sums of the last call
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads();
    Offset before = 0;
    total = 0;
    for (unsigned w = 0; w < warps; ++w) {
        if (w < warp) before += warp_sums[w];
        total += warp_sums[w];
    }
    return before + sum - a;
}
