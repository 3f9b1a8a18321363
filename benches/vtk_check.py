"""Files for ParaView by every command that writes them, and meshes converted to VTU, read by VTK itself.

python benches/vtk_check.py --galerkit GALERKIT [--data FOLDER]  (pip install vtk)

A file is good if VTK reads it without a word, its counts are those of the command's own report where it has one, its
cells are valid (vtkCellValidator), and every number is finite. One line a file, of a series the first and the last; the exit code is 1 if one is bad.
"""
import argparse, glob, json, os, shlex, subprocess, sys, tempfile
import vtk
from vtk.util.numpy_support import vtk_to_numpy
import numpy as np

RUNS = [
    ("poisson --domain lshape --layers 4 --degree 3 --vtu u.vtu --json r.json", []),
    ("poisson --domain fichera --adapt 0.05 --vtu u.vtu --json r.json", []),
    ("poisson --domain cube --cells 3 --degree 4 --vtu u.vtu --json r.json", []),
    ("heart --geometry slab --dx 1 --end 40 --quiet --vtu u.vtu --pvd phi.pvd --json r.json", ["nodes", "elements"]),
    ("heart --geometry sheet --size 30,30 --dx 2 --end 20 --quiet --beat all --vtu u.vtu --json r.json", ["nodes", "elements"]),
    ("heart --geometry ventricle --dx 5 --end 10 --quiet --vtu u.vtu --json r.json", ["nodes", "elements"]),
    ("helmholtz --geometry car --frequency 120 --boundary infinite:4 --vtu p.vtu", []),
    ("elasticity --geometry beam --cells 2 --degree 2 --young 70e9 --poisson 0.33 --vtu u.vtu", []),
    ("tumour --elements 16 --days 10 --vtu t.pvd", []),
]
MESHES = ["gallery:box?n=4&simplices=1", "gallery:box?n=3"]


class Complaints:
    """What VTK says while it reads; it would go to standard error otherwise."""

    def __init__(self):
        self.said = []

    def listen(self, object):
        for event in ("ErrorEvent", "WarningEvent"):
            object.AddObserver(event, self.note)

    def note(self, _, event):
        self.said.append(event)


def check(path, expected):
    """What is wrong with a file, and what it has."""
    complaints, reader = Complaints(), vtk.vtkXMLUnstructuredGridReader()
    complaints.listen(reader)
    reader.SetFileName(path)
    reader.Update()
    grid, wrong = reader.GetOutput(), list(complaints.said)
    if grid.GetNumberOfPoints() == 0 or grid.GetNumberOfCells() == 0:
        return ["empty"], ""
    for name, count in expected.items():
        found = grid.GetNumberOfPoints() if name == "nodes" else grid.GetNumberOfCells()
        if found != count:
            wrong.append(f"{found} {name} instead of {count}")
    names = []
    for where, data, count in (("", grid.GetPointData(), grid.GetNumberOfPoints()), ("cell:", grid.GetCellData(), grid.GetNumberOfCells())):
        for k in range(data.GetNumberOfArrays()):
            array = data.GetArray(k)
            names.append(where + array.GetName())
            if array.GetNumberOfTuples() != count:
                wrong.append(f"{array.GetName()} has {array.GetNumberOfTuples()} of {count} values")
            if not np.isfinite(vtk_to_numpy(array)).all():
                wrong.append(f"{array.GetName()} is not finite")
    if not np.isfinite(vtk_to_numpy(grid.GetPoints().GetData())).all():
        wrong.append("points are not finite")
    validator = vtk.vtkCellValidator()
    validator.SetInputData(grid)
    validator.Update()
    states = vtk_to_numpy(validator.GetOutput().GetCellData().GetArray("ValidityState"))
    if (states != 0).any():
        wrong.append(f"{int((states != 0).sum())} cells are not valid, states {sorted(set(states[states != 0].tolist()))}")
    named = getattr(vtk, "vtkCellTypeUtilities", vtk.vtkCellTypes).GetClassNameFromTypeId
    kinds = sorted({named(grid.GetCellType(k)) for k in range(grid.GetNumberOfCells())})
    return wrong, f"{grid.GetNumberOfPoints()} points, {grid.GetNumberOfCells()} cells ({', '.join(kinds)}), {', '.join(names)}"


def made(galerkit, arguments, folder):
    """Runs a command; its .vtu files."""
    ran = subprocess.run([galerkit, *shlex.split(arguments)], cwd=folder, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        sys.exit(f"galerkit {arguments}: {ran.stderr}")
    return sorted(glob.glob(os.path.join(folder, "**", "*.vtu"), recursive=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerkit", required=True)
    parser.add_argument("--data", help="a folder with meshes, each of which is converted")
    given = parser.parse_args()
    galerkit, bad = os.path.abspath(given.galerkit), 0
    meshes = MESHES + (sorted(glob.glob(os.path.join(os.path.abspath(given.data), "*.gz"))) if given.data else [])
    runs = RUNS + [(f"mesh convert {shlex.quote(mesh)} m.vtu", []) for mesh in meshes]
    print(f"VTK {vtk.vtkVersion().GetVTKVersion()}, {subprocess.run([galerkit, '--version'], capture_output=True, text=True).stdout.strip()}")
    for arguments, keys in runs:
        with tempfile.TemporaryDirectory() as folder:
            files = made(galerkit, arguments, folder)
            report = os.path.join(folder, "r.json")
            counts = json.load(open(report)) if keys else {}
            shown = arguments.replace(os.path.abspath(given.data) + os.sep, "") if given.data else arguments
            print(f"galerkit {shown}")
            if not files:
                print("  BAD: no file"); bad += 1
            for path in files if len(files) < 4 else [files[0], files[-1]]:
                wrong, has = check(path, {key: counts[key] for key in keys})
                bad += bool(wrong)
                print(f"  {'BAD: ' + '; '.join(wrong) + ': ' if wrong else ''}{os.path.basename(path)}: {has}")
    print("all are good" if bad == 0 else f"{bad} are bad")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
