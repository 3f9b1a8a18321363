"""The Fichera corner with NGSolve (pip install ngsolve): -Laplace u = 1, u = 0 on the boundary of (-1,1)^3 without [0,1]^3.

fichera_ngsolve.py hp HIGHEST_DEGREE MESH_SIZE   geometric refinement towards the re-entrant edges and the corner, a layer a degree
fichera_ngsolve.py h DEGREE MOST_UNKNOWNS        cells refined where the flux differs from its projection to H(div)

Interior functions are condensed, the rest is solved by sparse Cholesky; two threads.
"""
import sys
import time

from ngsolve import *
from netgen.occ import *

def geometry(hp):
    shape = Box(Pnt(-1, -1, -1), Pnt(1, 1, 1)) - Box(Pnt(0, 0, 0), Pnt(1, 1, 1))
    shape.faces.name = "all"
    if hp:
        # the three re-entrant edges leave the origin along the axes; their end at the origin is the singular vertex
        for e in shape.edges:
            c = e.center
            if sorted(abs(round(x, 6)) for x in (c.x, c.y, c.z)) == [0, 0, 0.5] and max(c.x, c.y, c.z) > 0:
                e.hpref = 1
        for v in shape.vertices:
            if abs(v.p.x) + abs(v.p.y) + abs(v.p.z) < 1e-9:
                v.hpref = 1
    return OCCGeometry(shape)

def solve(mesh, order):
    V = H1(mesh, order=order, dirichlet="all")
    u, v = V.TnT()
    a = BilinearForm(V, condense=order > 1)
    a += grad(u) * grad(v) * dx
    f = LinearForm(V)
    f += v * dx
    a.Assemble()
    f.Assemble()
    gf = GridFunction(V)
    inv = a.mat.Inverse(V.FreeDofs(a.condense), inverse="sparsecholesky")
    if a.condense:
        r = f.vec.CreateVector()
        r.data = f.vec + a.harmonic_extension_trans * f.vec
        gf.vec.data = inv * r
        gf.vec.data += a.harmonic_extension * gf.vec
        gf.vec.data += a.inner_solve * f.vec
    else:
        gf.vec.data = inv * f.vec
    energy = InnerProduct(f.vec, gf.vec)
    free = sum(1 for x in V.FreeDofs() if x)
    return gf, free, energy

mode = sys.argv[1]
SetNumThreads(2)
with TaskManager():
    t0 = time.perf_counter()
    if mode == "hp":
        for order in range(2, int(sys.argv[2]) + 1):
            t0 = time.perf_counter()
            mesh = Mesh(geometry(True).GenerateMesh(maxh=float(sys.argv[3])))
            mesh.RefineHP(levels=order - 1, factor=0.25)
            gf, free, energy = solve(mesh, order)
            elapsed = time.perf_counter() - t0
            print(f"NGSolve-hp degree {order} cells {mesh.ne} unknowns {free} energy {energy:.12f} elapsed {elapsed:.2f} s", flush=True)
    else:
        order, limit = int(sys.argv[2]), int(sys.argv[3])
        mesh = Mesh(geometry(False).GenerateMesh(maxh=1.0))
        while True:
            gf, free, energy = solve(mesh, order)
            elapsed = time.perf_counter() - t0
            print(f"NGSolve-h degree {order} cells {mesh.ne} unknowns {free} energy {energy:.12f} elapsed {elapsed:.2f} s", flush=True)
            if free > limit:
                break
            flux = grad(gf)
            gflux = GridFunction(HDiv(mesh, order=order - 1))
            gflux.Set(flux)
            err = Integrate((flux - gflux) * (flux - gflux), mesh, VOL, element_wise=True)
            limit_err = 0.25 * max(err)
            mesh.ngmesh.Elements3D().NumPy()["refine"] = err.NumPy() > limit_err
            mesh.Refine()
