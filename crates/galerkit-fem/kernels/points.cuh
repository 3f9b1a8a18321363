// points.cuh: sizes of points.cu and of the factors in front of it. Before it stand DIM, N = p + 1, Q, REACTS, ARRAYS,
// IN_SHARED, TRILINEAR, the Q x N table VALUES, the Q x Q table SLOPES, POINT and WEIGHT, and WARPS and CELLS of a
// group.
constexpr int NZ = DIM == 3 ? N : 1, QZ = DIM == 3 ? Q : 1, POINTS = Q * Q * QZ;
constexpr int ROW = QZ | 1, PLANE = Q * ROW, ROOM = Q * PLANE, ENTRIES = DIM * (DIM + 1) / 2;
constexpr int MAPS = TRILINEAR ? 23 : 0, MAP_PARTS = MAPS * CELLS / (32 * WARPS) + 1, GROUP_ROOM = CELLS * (ARRAYS * ROOM + MAPS);
constexpr unsigned MOST_GROUPS = IN_SHARED ? SHARED / (GROUP_ROOM * sizeof(Scalar)) : 1;
static_assert(CELLS * Q * QZ <= 32 * WARPS, "a thread for each line");
