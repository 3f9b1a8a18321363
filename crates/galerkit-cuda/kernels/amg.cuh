// amg.cuh: what the kernels of an algebraic multigrid's set-up share: a level, the hash of a row, the weight of an
// entry. After rounded.cuh, team.cuh.

struct Level {
    Offset rows;
    const Offset *start;
    const unsigned *col;
    const Scalar *val;
    const Scalar *b;              // the near-null vector; ones if there is none
};

__device__ inline Scalar near_null(const Level &A, Offset i) { return A.b ? A.b[i] : Scalar(1); }
__device__ inline Offset mixed(Offset i) {
    Offset z = (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
__device__ inline Offset undecided(Offset i) { return Offset(1) << 62 | mixed(i) >> 34 << 32 | i; }
__device__ inline Scalar weight(Scalar a, Scalar diagonal) { return rounded(a, a) / fabs(diagonal); }
