"""A times A and the transpose of A by SciPy, as `cargo run --release -p galerkit-bench --example sparse-product -- N POINTS` does it.

python benches/scipy_product.py [N] [7|27]
"""
import sys, time
import numpy as np, scipy.sparse as sp

n, points = (int(word) for word in (sys.argv[1:] + ["100", "7"][len(sys.argv) - 1:]))
T, I = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)), sp.identity(n)
if points == 7:
    A = sp.kron(sp.kron(T, I), I) + sp.kron(sp.kron(I, T), I) + sp.kron(sp.kron(I, I), T)
else:
    S = sp.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(n, n))
    A = 27.0 * sp.identity(n**3) - sp.kron(sp.kron(S, S), S)
A = A.tocsr()
work = np.diff(A.indptr)[A.indices].sum(dtype=np.int64)


def least(work, repeats=3):
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - begun)
    return min(times), found.nnz


def product():
    C = A @ A
    C.sort_indices()
    return C


seconds, entries = least(product)
print(f"rows {A.shape[0]}, entries {A.nnz}, SciPy, one thread")
print(f"product   {seconds:.3f} s, {work / seconds * 1e-9:.3f} G multiply-adds/s, {entries} entries, columns sorted")
print(f"transpose {least(lambda: A.T.tocsr())[0]:.3f} s")
