// scan.cu: prefix sums of 64-bit numbers. Integers only: the same for any launch.
// After scan.cuh. Blocks of 256 threads; scan_partials: one block of 1024. Launcher: convert/kernels.rs.

// data[k] becomes the sum of what stood before k; data[count] the sum of all. Block b has the entries from b chunk on.
struct Scan { Offset count, chunk; Offset *data, *partials; };

extern "C" __global__ void scan_sums(const __grid_constant__ Scan a) {
    const Offset begin = blockIdx.x * a.chunk, end = begin + a.chunk < a.count ? begin + a.chunk : a.count;
    Offset sum = 0, total;
    for (Offset k = begin + threadIdx.x; k < end; k += blockDim.x) sum += a.data[k];
    block_scan(sum, total);
    if (threadIdx.x == 0) a.partials[blockIdx.x] = total;
}

struct ScanPartials { Offset blocks; Offset *partials, *total; };

extern "C" __global__ void scan_partials(const __grid_constant__ ScanPartials a) {
    Offset total;
    const Offset before = block_scan(threadIdx.x < a.blocks ? a.partials[threadIdx.x] : 0, total);
    if (threadIdx.x < a.blocks) a.partials[threadIdx.x] = before;
    if (threadIdx.x == 0) a.partials[a.blocks] = *a.total = total;
}

extern "C" __global__ void scan_apply(const __grid_constant__ Scan a) {
    const Offset begin = blockIdx.x * a.chunk, end = begin + a.chunk < a.count ? begin + a.chunk : a.count;
    Offset base = a.partials[blockIdx.x], total;
    for (Offset tile = begin; tile < end; tile += blockDim.x) {
        const Offset k = tile + threadIdx.x;
        const Offset before = block_scan(k < end ? a.data[k] : 0, total);
        if (k < end) a.data[k] = base + before;
        base += total;
    }
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) a.data[a.count] = a.partials[gridDim.x];
}
