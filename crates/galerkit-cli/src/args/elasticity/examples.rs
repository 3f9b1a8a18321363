//! The examples of `galerkit elasticity`; all are run by the tests.

/// `galerkit elasticity -h`: some of what `--help` has.
pub const ELASTICITY_SHORT: &str = "\
Examples:
  galerkit elasticity
  galerkit elasticity --geometry beam --traction right=0,0,-1e6 --png beam.png
  galerkit elasticity --geometry rod --cells 1 --json -

'galerkit elasticity --help' explains geometries, pieces of the boundary and modes.";

/// `galerkit elasticity --help`
pub const ELASTICITY: &str = "\
Examples:
  galerkit elasticity
  galerkit elasticity --geometry beam --traction right=0,0,-1e6 --png beam.png
  galerkit elasticity --geometry beam --cells 2 --degree 2 --young 70e9 --poisson 0.33 --vtu u.vtu
  galerkit elasticity --geometry beam --size 4,1,0.5 --simplices --force 0,0,-77e3 --clamp right
  galerkit elasticity --geometry beam --young 'if(x < 0.5, 210e9, 70e9)' --clamp 'x < 0.1'
  galerkit elasticity --geometry beam --displace 'right=0.001,0,0' --probe 0.5,0.05,0.05
  galerkit elasticity --geometry rod --cells 1 --json -
  galerkit elasticity --geometry rod --cells 1 --pressure side=1e8 --show displacement --png rod.png
  galerkit elasticity --geometry girder --cells 1 --modes translations
  galerkit elasticity --geometry girder --cells 1 --precond amg,coarse=100,precision=f32
  galerkit elasticity --geometry girder --cells 1 --method cholesky --precond none
  galerkit mesh convert 'gallery:box?n=3&simplices=1' box.msh
  galerkit elasticity --mesh box.msh --clamp left --traction right=0,1e6,0

Units are yours: m, N and Pa unless all numbers are given. Displacements are small (linear elasticity); the picture shows a multiple of them.

Ctrl-C ends the linear solve. Exit codes: 0 solved, 1 a tolerance was not met, 2 failed, 130 interrupted.";
