// held.cuh: what a block of a persistent kernel keeps of a map in shared memory. Whoever waits at a barrier of all
// blocks finds its first-level cache empty, so a matrix would come from the second level in every pass. In front of the
// maps. A map that can be kept defines `Map held(const Map &, Room &)`: the same map with pointers to the arrays that
// were kept. Host side: generate/persistent/held.rs, program/room.rs.

// Shared memory that is free, and how much of it.
struct Room {
    char *at;
    Offset left;
};
__device__ inline Room room_behind(double2 *room, Offset bytes, Offset left) {
    return {reinterpret_cast<char *>(room) + bytes, left};
}

// Items begin to end of an array in shared memory, under the indices that they have in the array; the array itself
// where room is short. All threads of the block call it together, and find the items behind the next barrier of the block.
template <class T> __device__ inline const T *hold(Room &room, const T *array, Offset begin, Offset end) {
    const Offset bytes = ((end - begin) * sizeof(T) + 15) / 16 * 16;
    if (bytes > room.left) return array;
    T *const kept = reinterpret_cast<T *>(room.at);
    for (Offset k = threadIdx.x; k < end - begin; k += blockDim.x) kept[k] = array[begin + k];
    room.at += bytes, room.left -= bytes;
    return kept - begin;
}

// The positions of a block where each thread has one at most: `begin` to `end` of `count`. False where threads have
// several, whose slots are not next to each other.
__device__ inline bool own_positions(Offset count, Offset &begin, Offset &end) {
    begin = Offset(blockIdx.x) * blockDim.x, end = begin + blockDim.x;
    if (begin > count) begin = count;
    if (end > count) end = count;
    return count <= thread_count();
}

// Whether anything is held: the largest blocks have no registers for pointers that differ from block to block. As in
// generate/classes.rs.
constexpr bool HOLDS = PERSISTENT_THREADS <= 768;

// Makes `kept`, which is in shared memory, the map with what is held of it.
template <class Map> __device__ inline void keep(Map &kept, const Map &A, Room &room) {
    if constexpr (HOLDS) {
        const Map one = held(A, room);
        if (threadIdx.x == 0) kept = one;
    }
}
// The same for a map whose values change.
template <class Map> __device__ inline void keep_elsewhere(Map &kept, const Map &A) {
    if (HOLDS && threadIdx.x == 0) kept = A;
}
// What products are made with.
template <class Maps> __device__ inline const Maps &either(const Maps &kept, const Maps &all) {
    if constexpr (HOLDS) return kept;
    else return all;
}

// Reads an array of a map: from wherever it is in a persistent kernel, elsewhere as what is used once.
template <class T> __device__ inline T stored(const T *p) {
    if constexpr (PERSISTENT_THREADS > 32) return gather(p);
    else return stream(p);
}
