// team.cuh: teams of LANES threads (1, 2, 4 ... 32, injected) that share a row, and lists that blocks append to.
// Whole warps call these together. After prelude.cuh.

constexpr unsigned ALL = 0xffffffffu;
enum : unsigned { NONE = 0xffffffffu };                                // no row, no column, no number

__device__ inline unsigned team_lane() { return threadIdx.x % LANES; }
// The votes of the own team, its first lane in bit 0.
__device__ inline unsigned team_ballot(bool a) {
    if constexpr (LANES == 1) return a;
    return __ballot_sync(ALL, a) >> threadIdx.x % 32 / LANES * LANES & (LANES == 32 ? ALL : (1u << LANES % 32) - 1);
}
__device__ inline unsigned lanes_below() { return (1u << team_lane()) - 1; }
template <class T> __device__ inline T team_max(T a) {
    for (unsigned offset = LANES / 2; offset > 0; offset /= 2) {
        const T other = __shfl_xor_sync(ALL, a, offset);
        if (other > a) a = other;
    }
    return a;
}
__device__ inline unsigned team_count(unsigned a) {
    for (unsigned offset = LANES / 2; offset > 0; offset /= 2) a += __shfl_xor_sync(ALL, a, offset);
    return a;
}
__device__ inline Real from_lane(Real a, unsigned lane) { return __shfl_sync(ALL, a, lane, LANES); }
__device__ inline Complex from_lane(Complex a, unsigned lane) {
    return {__shfl_sync(ALL, a.re, lane, LANES), __shfl_sync(ALL, a.im, lane, LANES)};
}
// Adds the terms of the lanes that have one, in ascending order; every lane has the sum.
template <class T> __device__ inline void add_in_order(T &sum, T term, bool present) {
    if constexpr (LANES == 1) {
        if (present) sum += term;
    } else {
        const unsigned votes = team_ballot(present);
#pragma unroll
        for (unsigned lane = 0; lane < LANES; ++lane) {
            const T other = from_lane(term, lane);
            if (votes >> lane & 1) sum += other;
        }
    }
}
// Steps of a loop in which the lanes of a warp meet, for a row of so many entries.
__device__ inline unsigned steps(unsigned length) {
    return LANES == 1 ? length : __reduce_max_sync(ALL, length);
}

// Appends an item of each thread that wants it to a list. The whole block calls it; the order of a list means nothing.
__device__ inline void append(bool wants, unsigned item, unsigned *list, unsigned *count) {
    __shared__ unsigned before[32], first;
    const unsigned lane = threadIdx.x % 32, votes = __ballot_sync(ALL, wants);
    if (lane == 0) before[threadIdx.x / 32] = __popc(votes);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned w = 0; w < blockDim.x / 32; ++w) {
            const unsigned own = before[w];
            before[w] = sum;
            sum += own;
        }
        first = sum > 0 ? atomicAdd(count, sum) : 0;
    }
    __syncthreads();
    if (wants) list[first + before[threadIdx.x / 32] + __popc(votes & ((1u << lane) - 1))] = item;
    __syncthreads();
}
