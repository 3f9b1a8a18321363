"""pyamg 5.4.1 on the matrices of the table in docs/multigrid.md: iterations of CG to 1e-8 and operator complexity.

python3 benches/pyamg_table.py  (from the root; pip install pyamg==5.4.1; data in ../shared/data or $GALERKIT_DATA)
"""
import gzip, os, sys
import numpy as np, scipy.io, scipy.sparse as sp, pyamg

DATA = os.environ.get("GALERKIT_DATA", "../shared/data")
STEP = 0x9E3779B97F4A7C15

def h(n):
    z = (np.arange(1, n + 1, dtype=np.uint64) * np.uint64(STEP))
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))

def rhs(n):
    return (h(n) >> np.uint64(11)).astype(float) / 2.0**52 - 1

def grid(dim, n):
    T = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n))
    I, A = sp.identity(n), T
    for _ in range(dim - 1):
        A = sp.kron(sp.identity(n), A) + sp.kron(T, sp.identity(A.shape[0]))
    return A.tocsr()

def box(n):
    S = sp.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(n, n))
    return (27.0 * sp.identity(n**3) - sp.kron(sp.kron(S, S), S)).tocsr()

def anisotropic(n, eps):
    T, I = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(n, n)), sp.identity(n)
    return (eps * sp.kron(I, T) + sp.kron(T, I)).tocsr()

def read(name):
    with gzip.open(f"{DATA}/{name}.mtx.gz") as file:
        return sp.csr_matrix(scipy.io.mmread(file))

PROBLEMS = [
    ("p2 64", lambda: grid(2, 64)), ("p2 256", lambda: grid(2, 256)), ("p3 16", lambda: grid(3, 16)),
    ("p3 32", lambda: grid(3, 32)), ("p27 16", lambda: box(16)), ("p27 32", lambda: box(32)),
    ("an 128", lambda: anisotropic(128, 0.01)), ("ani4", lambda: read("fem_systems/ani4")),
    ("lsc_F_2", lambda: read("fem_systems/lsc_F_2")), ("1138_bus", lambda: read("suitesparse/1138_bus")),
    ("bcsstk16", lambda: read("suitesparse/bcsstk16")),
]

def run(make, A, b):
    ml = make(A)
    residuals = []
    x = ml.solve(b, tol=1e-8, maxiter=300, accel="cg", residuals=residuals)
    true = np.linalg.norm(b - A @ x) / np.linalg.norm(b)
    return f"{len(residuals) - 1} / {ml.operator_complexity():.2f}" + ("" if true < 1.1e-8 else f" (true residual {true:.0e})")

JACOBI = ("jacobi", {"omega": 4.0 / 3.0})
SA = lambda A: pyamg.smoothed_aggregation_solver(A)
SA_J = lambda A: pyamg.smoothed_aggregation_solver(A, presmoother=JACOBI, postsmoother=JACOBI)
RS = lambda A: pyamg.ruge_stuben_solver(A)
print("problem | pyamg SA | pyamg SA, Jacobi | pyamg RS")
for name, make in PROBLEMS:
    A = make()
    b = rhs(A.shape[0])
    row = []
    for solver in (SA, SA_J, RS):
        try:
            row.append(run(solver, A, b))
        except Exception as error:
            row.append(f"fails: {type(error).__name__}")
    print(f"{name} | " + " | ".join(row), flush=True)
