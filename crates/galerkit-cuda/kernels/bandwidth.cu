// bandwidth.cu: how fast this GPU reads and copies its memory, 16 bytes a load: what results are measured against.
// Entry i holds {i, FACTOR i}, so that the sum of everything read can be checked. Loads are evict-first, four of them
// under way in every thread. Launcher and oracle: bandwidth.rs.
typedef ulonglong2 Word;
constexpr Offset FACTOR = 0x9e3779b97f4a7c15ull;

struct Args {
    Offset count;
    Word *from;
    Word *to;
    Offset *sums;                                         // one a warp
};

extern "C" __global__ void bandwidth_fill(const __grid_constant__ Args a) {
    for (Offset i = thread_index(); i < a.count; i += thread_count()) a.from[i] = make_ulonglong2(i, FACTOR * i);
}

extern "C" __global__ void bandwidth_read(const __grid_constant__ Args a) {
    const Offset step = thread_count();
    Offset sum = 0, i = thread_index();
    for (; i + 3 * step < a.count; i += 4 * step) {
        const Word p = stream(a.from + i), q = stream(a.from + i + step);
        const Word r = stream(a.from + i + 2 * step), s = stream(a.from + i + 3 * step);
        sum += p.x + p.y + q.x + q.y + r.x + r.y + s.x + s.y;
    }
    for (; i < a.count; i += step) {
        const Word p = stream(a.from + i);
        sum += p.x + p.y;
    }
    for (unsigned offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) a.sums[thread_index() / 32] = sum;
}

extern "C" __global__ void bandwidth_copy(const __grid_constant__ Args a) {
    const Offset step = thread_count();
    Offset i = thread_index();
    for (; i + 3 * step < a.count; i += 4 * step) {
        const Word p = stream(a.from + i), q = stream(a.from + i + step);
        const Word r = stream(a.from + i + 2 * step), s = stream(a.from + i + 3 * step);
        __stcs(a.to + i, p);
        __stcs(a.to + i + step, q);
        __stcs(a.to + i + 2 * step, r);
        __stcs(a.to + i + 3 * step, s);
    }
    for (; i < a.count; i += step) __stcs(a.to + i, stream(a.from + i));
}
