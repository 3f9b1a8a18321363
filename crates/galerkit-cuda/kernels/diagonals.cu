// diagonals.cu: rows of y = A x, A on WIDTH diagonals, few of them: entry e of row i is in column i + offset[e], so no
// columns are read and nothing waits for anything but memory. A thread asks for all that ROWS rows need at once. Slot
// of entry e of row i: (i / 32 WIDTH + e) 32 + i % 32. Bit i % 32 of present[i / 32 WIDTH + e]: whether A has that
// entry; COMPLETE: it has all whose column exists, and `present` is not read. Injected: WIDTH, ROWS (1 or 2), COMPLETE.
// Traffic per slot: one Scalar, one bit, one x. Oracle: backend/reference/spmv.rs. Loader: map/diagonals.rs.
struct Map {
    Offset rows, cols;
    const unsigned *present;
    const Scalar *val;
    Offset offset[WIDTH];              // negative ones modulo 2^64
};

// Entries of some rows and what they are multiplied by; asked for by `load`, used by `sum`.
struct Entries {
    Scalar a[WIDTH], b[WIDTH];
    __device__ void load(const Map &A, Offset i, const Scalar *x) {
        const Offset step = i / 32 * WIDTH, lane = i % 32;
#pragma unroll
        for (unsigned e = 0; e < WIDTH; ++e) {
            const Offset j = i + A.offset[e];
            const bool there = j < A.cols && (COMPLETE || (A.present[step + e] >> lane & 1));
            a[e] = stored(A.val + (step + e) * 32 + lane);
            b[e] = there ? gather(x + j) : zero();
        }
    }
    __device__ Scalar sum() const {
        Scalar sum = zero();
#pragma unroll
        for (unsigned e = 0; e < WIDTH; ++e) sum += a[e] * b[e];
        return sum;
    }
};

// The slots of a block's rows.
__device__ inline Map held(const Map &A, Room &room) {
    Map kept = A;
    Offset begin, end;
    if (!own_positions(A.rows, begin, end)) return kept;
    const Offset first = (begin + 31) / 32 * WIDTH, last = (end + 31) / 32 * WIDTH;
    if (!COMPLETE) kept.present = hold(room, A.present, first, last);
    kept.val = hold(room, A.val, first * 32, last * 32);
    return kept;
}

template <class Row> __device__ void each_row(const Map &A, const Scalar *x, Row row) {
    const Offset apart = thread_count();
    Offset i = thread_index();
    if constexpr (ROWS == 2)
        for (; i + apart < A.rows; i += 2 * apart) {
            auto one = row(i), other = row(i + apart);
            Entries first, second;
            first.load(A, i, x), second.load(A, i + apart, x);
            one(first.sum()), other(second.sum());
        }
    for (; i < A.rows; i += apart) {
        auto one = row(i);
        Entries entries;
        entries.load(A, i, x);
        one(entries.sum());
    }
}
