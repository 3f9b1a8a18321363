"""CuPy beside the example end-to-end: CSR arrays of SciPy on the host to x on the host, CG with Jacobi to 1e-8, 27 points, process warm.

    python3 benches/cupy_end_to_end.py 128 200
"""
import sys
import time

import cupy
import cupyx.scipy.sparse as gpu_sparse
import cupyx.scipy.sparse.linalg as gpu_linalg
import numpy
import scipy.sparse as sparse

for n in map(int, sys.argv[1:] or ["8"]):
    line = sparse.diags([numpy.ones(n - 1), numpy.ones(n), numpy.ones(n - 1)], [-1, 0, 1], format="csr")
    A = sparse.kron(sparse.kron(line, line, format="csr"), line, format="csr")
    A.data[:] = -1.0
    A.setdiag(26.0)
    b = numpy.ones(n**3)
    for _ in range(6):
        count = 0

        def step(_):
            global count
            count += 1

        cupy.cuda.Device().synchronize()
        begun = time.perf_counter()
        on_gpu = gpu_sparse.csr_matrix((cupy.asarray(A.data), cupy.asarray(A.indices), cupy.asarray(A.indptr)), shape=A.shape)
        inverse = 1.0 / on_gpu.diagonal()
        M = gpu_linalg.LinearOperator(A.shape, lambda r: inverse * r, dtype=b.dtype)
        x, info = gpu_linalg.cg(on_gpu, cupy.asarray(b), rtol=1e-8, M=M, callback=step)
        x = x.get()
        seconds = time.perf_counter() - begun
        residual = numpy.linalg.norm(b - A @ x) / numpy.linalg.norm(b)
        print(f"{n}^3 CuPy: {seconds:.4f} s, {count} iterations, true residual {residual:.2e}", flush=True)
        del on_gpu, inverse, M
