// diagonal.cu: y_i = d_i x_i. Traffic per row: one Scalar. Oracle: backend/reference.rs. Loader: map/diagonal.rs.
struct Map {
    const Scalar *d;
};

__device__ inline Scalar entry(const Map &D, Offset i) { return stream(D.d + i); }
