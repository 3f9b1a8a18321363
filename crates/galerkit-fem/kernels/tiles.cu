// tiles.cu: B^T D B u as in points.cu, by matrix instructions: a warp has a cell in registers, shares nothing and waits
// for nobody. Across the first axis there are 8 x 8 tiles, of which lane l has entries (l / 4, 2 (l % 4)) and the next
// (ptx.cuh); lines of the first axis stay in one lane. A product M X^T contracts the columns of X and makes rows of
// them, X M^T leaves its rows where they are. In front of it stand N = p + 1 and Q, both at most 8, REACTS, TRILINEAR,
// POINT, WEIGHT and the Q x N tables VALUES and DERIVATIVES.
constexpr int PLANE = Q * Q, POINTS = Q * PLANE, ENTRIES = 6 + REACTS;
struct Tile { Scalar entry[2]; };

// M, and M^T, for M = B or B': the part of a lane, zero outside.
__device__ inline Tile part(const Scalar *M, unsigned row, unsigned col) {
    Tile tile;
    #pragma unroll
    for (int s = 0; s < 2; ++s) tile.entry[s] = row < Q && col + s < N ? M[row * N + col + s] : zero();
    return tile;
}
__device__ inline Tile part_of_transpose(const Scalar *M, unsigned row, unsigned col) {
    Tile tile;
    #pragma unroll
    for (int s = 0; s < 2; ++s) tile.entry[s] = row < N && col + s < Q ? M[(col + s) * N + row] : zero();
    return tile;
}
// C + A B^T. Which lane has M X^T is which has M, then X: operands are laid out alike.
__device__ inline Tile plus_product(Tile C, Tile A, Tile B) {
    #pragma unroll
    for (int s = 0; s < 2; ++s) multiply_add_tile(C.entry, A.entry[s], B.entry[s]);
    return C;
}
__device__ inline Tile product(Tile A, Tile B) { return plus_product({zero(), zero()}, A, B); }

// D at the two points of a lane in each plane across the first axis, from memory.
struct Stored {
    static constexpr int NUMBERS = ENTRIES * POINTS;
    const Scalar *d;
    bool has[2];
    Tile D[ENTRIES];
    __device__ Stored(const Scalar *cell, unsigned row, unsigned col) : d(cell + row * Q + col) {
        #pragma unroll
        for (int s = 0; s < 2; ++s) has[s] = row < Q && col + s < Q;
    }
    __device__ void load(int q) {
        #pragma unroll
        for (int e = 0; e < ENTRIES; ++e) {
            const Scalar *at = d + e * POINTS + q * PLANE;
            if (Q == 8) {
                const double2 two = __ldcs(reinterpret_cast<const double2 *>(at));
                D[e] = {two.x, two.y};
            } else {
                #pragma unroll
                for (int s = 0; s < 2; ++s) D[e].entry[s] = has[s] ? stream(at + s) : zero();
            }
        }
    }
    // (a, b, c) = D (a, b, c); returns r
    __device__ Scalar flux(int, int s, Scalar &a, Scalar &b, Scalar &c) const {
        const Scalar x = a, y = b, z = c, d01 = D[1].entry[s], d02 = D[2].entry[s], d12 = D[4].entry[s];
        a = D[0].entry[s] * x + d01 * y + d02 * z;
        b = d01 * x + D[3].entry[s] * y + d12 * z;
        c = d02 * x + d12 * y + D[5].entry[s] * z;
        return REACTS ? D[ENTRIES - 1].entry[s] : zero();
    }
};

// D from the map of a cell, trilinear.rs. Its numbers are the same for all lanes: they are read again in each plane.
struct Trilinear {
    static constexpr int NUMBERS = 23;
    const Scalar *c;
    Scalar y, z[2], weight[2];
    __device__ Trilinear(const Scalar *cell, unsigned row, unsigned col) : c(cell) {
        y = row < Q ? POINT[row] : zero();
        #pragma unroll
        for (int s = 0; s < 2; ++s) {
            const bool has = row < Q && col + s < Q;
            z[s] = has ? POINT[col + s] : zero();
            weight[s] = has ? WEIGHT[row] * WEIGHT[col + s] : zero();
        }
    }
    __device__ void load(int) {}
    __device__ Scalar flux(int q, int s, Scalar &a, Scalar &b, Scalar &g) const {
        const Scalar x = POINT[q];
        Scalar X[3], Y[3], Z[3];
        #pragma unroll
        for (int k = 0; k < 3; ++k) {
            const Scalar xy = c[9 + k], xz = c[12 + k], yz = c[15 + k], xyz = c[18 + k], mixed = yz + x * xyz;
            X[k] = c[k] + xy * y + (xz + xyz * y) * z[s];
            Y[k] = c[3 + k] + x * xy + mixed * z[s];
            Z[k] = c[6 + k] + x * xz + mixed * y;
        }
        return flux_of(X, Y, Z, c[21], REACTS ? c[22] : zero(), weight[s] * WEIGHT[q], a, b, g);
    }
};
template <bool> struct Geometry { typedef Stored Type; };
template <> struct Geometry<true> { typedef Trilinear Type; };
typedef Geometry<TRILINEAR>::Type Factors;

// Returns a part of (x, A x).
__device__ inline Scalar cells(const Map &A, const Kind &kind, const Scalar *x) {
    const unsigned lane = threadIdx.x % 32, row = lane / 4, col = lane % 4 * 2;
    const Tile B = part(VALUES, row, col), G = part(DERIVATIVES, row, col);
    const Tile BT = part_of_transpose(VALUES, row, col), GT = part_of_transpose(DERIVATIVES, row, col);
    Scalar energy = zero();
    for (Offset cell = thread_index() / 32; cell < kind.cells; cell += thread_count() / 32) {
        Factors D(kind.factors + cell * Factors::NUMBERS, row, col);
        const Offset place = kind.first[cell] + col * N + row;
        Scalar u[N][2], out[N][2];
        #pragma unroll
        for (int i = 0; i < N; ++i)
            #pragma unroll
            for (int s = 0; s < 2; ++s) {
                const bool has = row < N && col + s < N;
                u[i][s] = has ? gathered(A, x, A.index[place + (i * N + s) * N]) : zero();
                out[i][s] = zero();
            }
        #pragma unroll 1
        for (int q = 0; q < Q; ++q) {
            __syncwarp();                                              // loads of later planes would take registers
            D.load(q);
            Tile value = {zero(), zero()}, slope = {zero(), zero()};   // (third, second) on plane q
            #pragma unroll
            for (int i = 0; i < N; ++i)
                #pragma unroll
                for (int s = 0; s < 2; ++s) {
                    value.entry[s] += VALUES[q * N + i] * u[i][s];
                    slope.entry[s] += DERIVATIVES[q * N + i] * u[i][s];
                }
            const Tile half = product(B, value);                       // (second, third): points, functions
            Tile first = product(product(B, slope), B), second = product(product(G, value), B), third = product(half, G);
            Tile w = {zero(), zero()};
            if (REACTS) w = product(half, B);
            #pragma unroll
            for (int s = 0; s < 2; ++s) {
                const Scalar X = first.entry[s], Y = second.entry[s], Z = third.entry[s], W = w.entry[s];
                const Scalar r = D.flux(q, s, first.entry[s], second.entry[s], third.entry[s]);
                energy += X * first.entry[s] + Y * second.entry[s] + Z * third.entry[s];
                if (REACTS) w.entry[s] = r * W, energy += W * w.entry[s];
            }
            Tile moment = product(product(GT, third), BT);             // (third, second): functions
            moment = plus_product(moment, product(BT, second), GT);
            if (REACTS) moment = plus_product(moment, product(BT, w), BT);
            const Tile flux = product(product(BT, first), BT);
            #pragma unroll
            for (int i = 0; i < N; ++i)
                #pragma unroll
                for (int s = 0; s < 2; ++s)
                    out[i][s] += VALUES[q * N + i] * moment.entry[s] + DERIVATIVES[q * N + i] * flux.entry[s];
        }
        #pragma unroll
        for (int i = 0; i < N; ++i)
            #pragma unroll
            for (int s = 0; s < 2; ++s) {
                const Offset at = place + (i * N + s) * N;
                if (row < N && col + s < N) put(A, at, A.index[at], out[i][s]);
            }
    }
    return energy;
}
