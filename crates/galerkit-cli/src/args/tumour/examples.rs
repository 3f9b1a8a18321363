//! The examples that `galerkit tumour --help` and `galerkit reproduce dhc --help` end with, run by the tests.

/// `galerkit tumour -h`: some of what `--help` has.
pub const TUMOUR_SHORT: &str = "\
Examples:
  galerkit tumour
  galerkit tumour --elements 30 --layers 1:0.2:1 --source 4,4 --days 60 --gif growth.gif
  galerkit tumour --dimension 1 --elements 40 --csv mass.csv --plot mass.svg

'galerkit tumour --help' explains layers, schemes and solvers. Lengths are in cm, times in days.";

/// `galerkit tumour --help`
pub const TUMOUR: &str = "\
Examples:
  galerkit tumour
  galerkit tumour --elements 30 --layers 1:0.2:1 --source 4,4 --days 60 --gif growth.gif
  galerkit tumour --elements 24 --source 3,4 --source 5,4 --days 30 --png two.png --vtu two.pvd
  galerkit tumour --dimension 1 --elements 40 --csv mass.csv --plot mass.svg
  galerkit tumour --dimensionless --box -1,1,-1,1 --elements 8 --layers 1@0:0.2 --source -0.5,0
  galerkit tumour --elements 20 --days 20 --solver ilu --scheme dirk-source --probe 3,4
  galerkit tumour --elements 20 --days 20 --adapt 1e-4
  galerkit tumour --elements 20 --days 20 --checkpoint half.json
  galerkit tumour --elements 20 --days 20 --resume half.json
  galerkit tumour --elements 6 --days 2 --spy spy
  printf '1 1\\n1 0.2\\n' > m.txt && galerkit tumour --map m.txt --elements 24 --days 9 --png m.png
  galerkit tumour --elements 24 --days 20 --grade 4 --at 7.25,20 --vtu graded.pvd
  galerkit tumour --dimension 1 --elements 16 --start eigenfunction --euler-steps 0 --end 20

c_t = div(D grad c) + rho c with no flux through the boundary. Lengths are in cm, times in days, D in cm^2/day (white matter 0.0065, \
grey matter a fifth), concentrations in masses of a source per cm or cm^2: with 100 000 cells in a source, the threshold 0.08 is \
8000 cells/cm^2. With --dimensionless lengths are multiples of sqrt(D/rho) = 0.74 cm and times of 1/rho = 83 days. The radius is half \
the length, or that of the circle with the area, in which c is above the threshold.

'--json' has times, mass and radius, the start first, and iterations of each step. Ctrl-C ends after the steps under way and writes \
what was asked for, the checkpoint first: a run that is resumed has the bits of one that was not interrupted.
Exit codes: 0 done, 2 failed, 130 interrupted.";

/// `galerkit reproduce dhc --help`
pub const REPRODUCE_DHC: &str = "\
Examples:
  galerkit reproduce dhc --sides 20 --steps 2 --device cpu
  galerkit reproduce dhc --sides 10,20 --steps 2 --device cpu --svg figures --json

The test problem is a point source in two layers; each step has two solves with A and one with A_0, BiCGSTAB with ILU(0) to 1e-10, \
as the source arranges it. Beside it stands our own arrangement, and the solver in modes. The source prints no times, only pictures \
of them and 'up to 50 % over MATLAB for fine discretizations'.";
