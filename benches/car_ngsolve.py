"""Sound in a car with an open roof, in the plane, by NGSolve (pip install ngsolve), and the same mesh for galerkit.

car_ngsolve.py MESH_SIZE DEGREE HZ [MESH.msh]

A cabin of 2.4 m x 1.2 m with an opening of 1.2 m below a half-disc of air of radius 1.5 m; du/dn = 1 on the front wall, du/dn = iku on the arc,
du/dn = 0 elsewhere. Straight triangles. Interior functions are condensed, the rest is eliminated by NGSolve's complex symmetric
factorisation; two threads. With a file name the mesh is written for

galerkit helmholtz --mesh MESH.msh --degree DEGREE --frequency HZ --threads 2 --json - --probe -0.35,-0.3 --probe 0.55,-0.3 \\
    --wall 1=velocity:1 --wall 2=rigid
"""
import sys
import time
from math import pi

from ngsolve import *
from netgen.geom2d import SplineGeometry


def geometry():
    g = SplineGeometry()
    at = [g.AppendPoint(x, y) for x, y in
          [(-1.2, 0), (-1.2, -1.2), (1.2, -1.2), (1.2, 0), (0.6, 0), (1.5, 0), (1.5, 1.5), (0, 1.5), (-1.5, 1.5), (-1.5, 0), (-0.6, 0)]]
    line = lambda a, b, bc: g.Append(["line", at[a], at[b]], bc=bc)
    line(0, 1, "panel")                                        # the panel in front
    for a, b in [(1, 2), (2, 3), (3, 4), (4, 5)]:
        line(a, b, "wall")
    g.Append(["spline3", at[5], at[6], at[7]], bc="outer")
    g.Append(["spline3", at[7], at[8], at[9]], bc="outer")
    for a, b in [(9, 10), (10, 0)]:
        line(a, b, "wall")
    return g


def write_gmsh(path):
    """Triangles, and segments of the boundary with the tags 1 panel, 2 wall, 3 outer."""
    tags = {"panel": 1, "wall": 2, "outer": 3}
    cells = [(1, tags[e.mat], e.vertices) for e in mesh.Elements(BND)] + [(2, 1, e.vertices) for e in mesh.Elements(VOL)]
    with open(path, "w") as out:
        print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes", mesh.nv, sep="\n", file=out)
        for i, vertex in enumerate(mesh.vertices):
            print(i + 1, *vertex.point, 0, file=out)
        print("$EndNodes\n$Elements", len(cells), sep="\n", file=out)
        for i, (shape, tag, vertices) in enumerate(cells):
            print(i + 1, shape, 2, tag, tag, *(v.nr + 1 for v in vertices), file=out)
        print("$EndElements", file=out)


size, degree, hertz = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
k = 2 * pi * hertz / 343
mesh = Mesh(geometry().GenerateMesh(maxh=size))
if len(sys.argv) > 4:
    write_gmsh(sys.argv[4])
SetNumThreads(2)
with TaskManager():
    begun, cpu = time.perf_counter(), time.process_time()
    V = H1(mesh, order=degree, complex=True)
    u, v = V.TnT()
    a = BilinearForm(V, symmetric=True, condense=degree > 1)
    a += (grad(u) * grad(v) - k * k * u * v) * dx
    a += -1j * k * u * v * ds("outer")
    f = LinearForm(V)
    f += v * ds("panel")
    a.Assemble()
    f.Assemble()
    assembled = time.perf_counter()
    gf = GridFunction(V)
    inverse = a.mat.Inverse(V.FreeDofs(a.condense), inverse="sparsecholesky")
    if a.condense:
        r = f.vec.CreateVector()
        r.data = f.vec + a.harmonic_extension_trans * f.vec
        gf.vec.data = inverse * r
        gf.vec.data += a.harmonic_extension * gf.vec
        gf.vec.data += a.inner_solve * f.vec
    else:
        gf.vec.data = inverse * f.vec
    solved, cpu = time.perf_counter(), time.process_time() - cpu
heads = [gf(mesh(x, -0.3)) for x in (-0.35, 0.55)]
print(f"{mesh.ne} triangles, degree {degree}, {V.ndof} unknowns, {hertz} Hz: assembly {assembled - begun:.3f} s, "
      f"elimination {solved - assembled:.3f} s, together {solved - begun:.3f} s, {cpu:.3f} s of processors")
print("pressures", heads)
