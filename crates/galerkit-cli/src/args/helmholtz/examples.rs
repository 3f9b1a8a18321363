//! The examples of `galerkit helmholtz`; all are run by the tests.

/// `galerkit helmholtz -h`: some of what `--help` has.
pub const HELMHOLTZ_SHORT: &str = "\
Examples:
  galerkit helmholtz
  galerkit helmholtz --geometry square --cells 16 --wavenumber 10 --exact plane:0.4 --json -
  galerkit helmholtz --geometry car --sweep 50:100:10 --cells 6 --plot response.svg

'galerkit helmholtz --help' explains geometries, walls and truncations.";

/// `galerkit helmholtz --help`
pub const HELMHOLTZ: &str = "\
Examples:
  galerkit helmholtz
  galerkit helmholtz --geometry square --cells 16 --wavenumber 10 --exact plane:0.4 --json -
  galerkit helmholtz --geometry duct --wavenumber 5 --method orthodir:50 --precond none
  galerkit helmholtz --geometry square --degree 2 --simplices --wavenumber 6 --exact point:-1,0.5
  galerkit helmholtz --geometry square --cells 16 --wavenumber 10 --gls --exact plane:0.4
  galerkit helmholtz --geometry cube --cells 4 --degree 2 --wavenumber 5 --exact plane:1,2,2
  galerkit helmholtz --geometry duct --cells 4 --degree 3 --wavenumber 5+0.1i --probe 1,0.5
  galerkit helmholtz --geometry annulus --wavenumber 4 --boundary bgt2 --exact multipole:1
  galerkit helmholtz --geometry annulus --wavenumber 4 --boundary pml:0.5:10 --scatter hard
  galerkit helmholtz --geometry shell --cells 2 --degree 2 --wavenumber 1 --boundary infinite:2
  galerkit helmholtz --geometry square --wavenumber 0 --wall left=soft:1 --wall right=soft
  galerkit helmholtz --geometry square --wavenumber 20 --precond shifted --source 0.5,0.5
  galerkit helmholtz --geometry square --degree 2 --wavenumber 8 --volume 'exp(-50*(x-0.3)^2)'
  galerkit helmholtz --geometry cube --wavenumber 5 --operator matrix-free --exact plane:1,2,2
  galerkit helmholtz --geometry cube --wavenumber 5 --exact plane:1,2,2 --precond shifted:0.5:amg
  galerkit helmholtz --geometry square --wavenumber 9 --case source:0.2,0.5 --case source:0.8,0.5
  galerkit helmholtz --geometry car --frequency 120 --boundary infinite:4 --vtu p.vtu --png p.png
  galerkit helmholtz --geometry car --frequency 90 --cells 6 --show phase --png p.png --gif p.gif
  galerkit helmholtz --geometry car --sweep 50:100:10 --cells 6 --plot response.svg
  galerkit helmholtz --geometry car --sweep 50:60:5 --cells 6 --csv response.csv --precond ilu0

Time factor e^(-i omega t), outgoing waves e^(+ikr). Errors are relative. Pressures are peak values, in Pa for the car, whose panel \
vibrates with 1 mm/s; levels are r.m.s. values over 20 micropascal.

Ctrl-C ends the linear solve. Exit codes: 0 solved, 1 a tolerance was not met, 2 failed, 130 interrupted.";

/// `galerkit reproduce alinea --help`
pub const REPRODUCE_ALINEA: &str = "\
Examples:
  galerkit reproduce alinea --max-unknowns 500 --repetitions 1 --svg figures
  galerkit reproduce alinea --max-unknowns 500 --repetitions 1 --device cpu --json

Without arguments sizes go up to half a million unknowns, which takes some minutes.";
