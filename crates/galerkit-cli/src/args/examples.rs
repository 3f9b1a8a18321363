//! The examples that `--help` ends with. Every line that starts with `galerkit` is run by the tests, in this order.

/// `galerkit --help`
pub const TOP: &str = "\
Examples:
  galerkit solve                                      a 3D Poisson problem; fills results/
  galerkit convert 'gallery:poisson2d?n=50' A.mtx.gz  a gallery problem as a file
  galerkit info A.mtx.gz                              what kind of matrix is it?
  galerkit solve A.mtx.gz -o x.mtx                    solve it

Exit codes: 0 converged (or done), 1 not converged, 2 failed, 130 interrupted.
'galerkit COMMAND --help' has more.";

/// `galerkit solve -h`: some of what `--help` has.
pub const SOLVE_SHORT: &str = "\
Examples:
  galerkit convert 'gallery:poisson2d?n=50' A.mtx.gz
  galerkit solve A.mtx.gz -o x.mtx --plot residual.svg --history h.csv
  galerkit solve A.mtx.gz --method cg --precond ssor:1.5

'galerkit solve --help' explains every method and preconditioner, with an example of each.";

/// `galerkit solve --help`
pub const SOLVE: &str = "\
Examples:
  galerkit convert 'gallery:poisson2d?n=50' A.mtx.gz
  galerkit solve A.mtx.gz
  galerkit solve A.mtx.gz -o x.mtx --plot residual.svg --history h.csv
  galerkit solve A.mtx.gz --rhs x.mtx --precond ssor:1.5 --rtol 1e-10
  galerkit solve A.mtx.gz --rhs random --method lu --json -
  galerkit solve A.mtx.gz --method cg --precond ssor:1.5
  galerkit solve A.mtx.gz --method fcg --precond block-jacobi:4
  galerkit solve A.mtx.gz --method pipecg --explain
  galerkit solve A.mtx.gz --method minres
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method bicgstab --precond jacobi
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method idr:4
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method gcr:30
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method orthodir:50
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method gmres:50 --explain
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method cbgmres:30 --rtol 1e-12
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method fgmres:20 --plot f.svg
  galerkit solve 'gallery:convection_diffusion2d?n=20' --method vpgcr:10
  galerkit solve A.mtx.gz --method fcg --precond inner:cg,rtol=0.01
  galerkit solve 'gallery:poisson2d?n=40' --precond amg --json -
  galerkit solve 'gallery:poisson2d?n=50' --precond amg,lambda=lanczos:10 --near-null x.mtx
  galerkit solve 'gallery:anisotropic2d?n=40&eps=0.01' --precond amg:classical,coarse=100,cycle=W
  galerkit solve 'gallery:toeplitz?n=99' --method vpgcr --precond inner:bicgstab,precond=ilu0
  galerkit solve A.mtx.gz --method cg --precision hybrid --rtol 1e-12
  galerkit solve A.mtx.gz --method cg --precond ic0 --triangular sweeps:3 --explain
  galerkit solve A.mtx.gz --method cholesky
  galerkit solve 'gallery:toeplitz?n=50' --method dense
  gzip -dc A.mtx.gz | galerkit solve - --precision f32
  galerkit solve 'gallery:poisson3d?n=20&stencil=27' --format k2rs --threads 2
  galerkit solve 'gallery:poisson3d?n=20&stencil=27' --device auto --explain
  galerkit solve A.mtx.gz --device cpu
  galerkit solve A.mtx.gz --autotuning modelled

'--device cuda' insists on an NVIDIA GPU and fails where there is none; '--device cuda:1' takes the second.

Ctrl-C ends the iteration, writes what was asked for whole (x so far, its report) and exits with 130.
Exit codes: 0 converged, 1 not converged, 2 failed, 130 interrupted.";

/// `galerkit poisson -h`: some of what `--help` has.
pub const POISSON_SHORT: &str = "\
Examples:
  galerkit poisson
  galerkit poisson --domain lshape --degree 1 --layers 3 --slope 0.5 --json -
  galerkit poisson --domain square --cells 4 --degree 3 --exact 'exp(x)*sin(y)' --png u.png

'galerkit poisson --help' explains domains, expressions and boundary data.";

/// `galerkit poisson --help`
pub const POISSON: &str = "\
Examples:
  galerkit poisson
  galerkit poisson --domain cube --cells 2 --degree 3
  galerkit poisson --domain square --cells 4 --degree 3 --exact 'exp(x)*sin(y)' --png u.png
  galerkit poisson --domain square --cells 2 --degree 1,2,3 --refine-cells 0,3 --rhs 'x<1/2'
  galerkit poisson --domain square --kappa '1 + x*y' --dirichlet left=0 --neumann 1
  galerkit poisson --domain square --cells 4 --kappa '2,1/2,1+x^2' --exact 'sin(x)*y'
  galerkit poisson --domain square --degree 4 --dirichlet left=1 --robin 2,x --probe 0.5,0.5
  galerkit poisson --domain lshape --degree 1 --layers 3 --slope 0.5 --json -
  galerkit poisson --domain lshape --degree 2 --adapt 0.02 --compare --plot conv.svg
  galerkit poisson --domain vertex --degree 2 --layers 2 --slope 1
  galerkit poisson --domain fichera --cells 2 --method cg --precond ssor:1.2 --rtol 1e-8
  galerkit poisson --domain ball --degree 2 --probe 0,0,0
  galerkit poisson --domain cube --cells 4 --degree 4 --operator matrix-free

Errors are absolute, in the energy norm a(e, e)^(1/2) and in L2; 'energy' is a(u_h, u_h). Without Dirichlet or Robin data u is \
determined up to a constant: data must balance, and u_h has the mean 0.

Ctrl-C ends the linear solve. Exit codes: 0 solved, 1 a tolerance was not met, 2 failed, 130 interrupted.";

/// `galerkit info --help`
pub const INFO: &str = "\
Examples:
  galerkit info 'gallery:poisson2d?n=50'
  galerkit info 'gallery:williams?name=Circuit' --spy spy.svg
  galerkit info 'gallery:toeplitz?n=100' --json
  galerkit info 'gallery:anisotropic2d?n=40&eps=0.01' --aggregates aggregates.svg
  galerkit info 'gallery:poisson3d?n=100&stencil=27' --multigrid";

/// `galerkit convert --help`
pub const CONVERT: &str = "\
Examples:
  galerkit convert 'gallery:tetra?n=8' T.mtx.gz
  galerkit convert T.mtx.gz T.mtx --symmetric
  galerkit convert T.mtx ordered.mtx --ordering rcm
  galerkit convert T.mtx transposed.mtx --transpose";

/// `galerkit bench spmv --help`
pub const BENCH_SPMV: &str = "\
Examples:
  galerkit bench spmv 'gallery:poisson3d?n=20&stencil=27' --repetitions 2
  galerkit bench spmv 'gallery:poisson2d?n=50' --formats csr,sell:8 --csv spmv.csv --json spmv.json
  galerkit bench spmv 'gallery:poisson2d?n=50' 'gallery:tetra?n=8' --formats csr,k1,k2 --svg b.svg

GB/s are counted twice: by the least traffic that CSR needs (12 nnz + 20 n bytes in double precision), which \
makes formats comparable, and by the bytes each format really holds. The triad is measured between the formats.

With '--device cuda' products are timed by the GPU's clock, in replayed graphs of at least 2 ms; next to them cuSPARSE, if \
it is found (pip install nvidia-cusparse, or GALERKIT_CUSPARSE), each result checked before it is timed. Effective GB/s \
count 20 bytes an entry, as source 004 does. 'cache' marks matrices that fit the L2 cache.";

/// `galerkit bench cg --help`
pub const BENCH_CG: &str = "\
Examples:
  galerkit bench cg 'gallery:poisson2d?n=50' --formats csr,sell:8 --repetitions 2
  galerkit bench cg 'gallery:poisson3d?n=10' --precond ssor:1.2 --repetitions 1 --json -

With '--device cuda' an iteration is timed by itself, without set-up, and related to the bytes that it must move; grids of \
27 points are solved by CuPy too, if python3 has it.";

/// `galerkit bench krylov --help`
pub const BENCH_KRYLOV: &str = "\
Examples:
  galerkit bench krylov 'gallery:poisson2d?n=30' --methods cg,minres,gmres:30 --svg krylov.svg
  galerkit bench krylov 'gallery:toeplitz?n=50' --methods idr:4,gmres --precond none,jacobi
  galerkit bench krylov 'gallery:poisson1d?n=30' --methods cg,gmres:20 --table -

Methods that refuse a matrix are left out, with a note. A product is timed in loops that are under way, by the difference \
of a long and a short one (of very short solves by the whole); 'over cg' is that time relative to CG's with the same \
preconditioner. Vectors are those kept beside b and x, reductions the points of an iteration that wait for sums. \
Residuals are drawn over products with A, so that methods with several products an iteration compare fairly.";

/// `galerkit bench triangular --help`
pub const BENCH_TRIANGULAR: &str = "\
Examples:
  galerkit bench triangular 'gallery:poisson2d?n=40' --repetitions 2
  galerkit bench triangular 'gallery:poisson2d?n=30' --precond ilu0,ic0 --orderings natural,colours

Levels are those of the lower triangle: the steps that a forward solve takes one after the other. 'apply' is one \
preconditioning, 'to solution' the factorisation where it is made (GPU or host, by kernels or clock) and the solve. \
Colours have few levels and cost iterations; ParILU and Jacobi sweeps have no levels at all.";

/// `galerkit bench reorder --help`
pub const BENCH_REORDER: &str = "\
Examples:
  galerkit bench reorder 'gallery:tetra?n=8' --repetitions 2
  galerkit bench reorder 'gallery:poisson2d?n=50' --device cpu --repetitions 2 --json -

alpha is the number of products after which a cost is won back: cost / (CSR product - ELL-WARP product), rounded up. It is \
given for new values in a known pattern (refill) and for the whole conversion.";

/// `galerkit bench ordering --help`
pub const BENCH_ORDERING: &str = "\
Examples:
  galerkit bench ordering 'gallery:tetra?n=8&order=random' --repetitions 2
  galerkit bench ordering 'gallery:poisson2d?n=50' --device cpu --repetitions 2 --json -

Lines of x are how often a product fetches each cache line of x on average, by a model. A GPU is timed by its own clock, and
by that of the host with copies of pattern and order. An order that differs from that of one thread is an error.";

/// `galerkit reproduce vpgcr --help`
pub const REPRODUCE_VPGCR: &str = "\
Examples:
  galerkit reproduce vpgcr --gamma 0.2,0.8 --repetitions 1
  galerkit reproduce vpgcr --gamma 0.4 --device cpu --n 5000 --svg figures
  galerkit reproduce vpgcr --gamma 0.2 --device cpu --quiet --json

Without '--gamma' the whole table is computed, on one core, on all cores and on the GPU if there is one. Counts up to gamma \
= 0.8 must be equal; at gamma = 1 they depend on rounding and must be as near as spec 01 allows. The exit code is 1 if one \
is not. '--n 2097152' adds speed-ups for two million rows.";

/// `galerkit reproduce hpfem --help`
pub const REPRODUCE_HPFEM: &str = "\
Examples:
  galerkit reproduce hpfem --max-unknowns 1000 --device cpu
  galerkit reproduce hpfem --max-unknowns 2000 --device cpu --svg figures
  galerkit reproduce hpfem --max-unknowns 500 --device cpu --quiet --json

A is the stiffness matrix of hp finite elements, x is given and b = A x. CG, CG with Jacobi and with SSOR run in CSR and COO on \
all cores and on the GPU if there is one, and in CSR on one core; LU, Cholesky and Gaussian elimination on all cores as far as \
memory and '--seconds' allow. The table has set-up, transfer and loop of each, and Amdahl's law says what their shares allow. The exit code \
is 1 if a solve has not found x. The source had 40,000 unknowns; '--max-unknowns 20000000' is for a machine with a GPU.";

/// `galerkit doctor --help`
pub const DOCTOR: &str = "\
Examples:
  galerkit doctor
  galerkit doctor --no-bandwidth --json

GALERKIT_NVRTC names the compiler of GPU kernels (libnvrtc or its folder) where it is in no usual place; GALERKIT_CACHE \
names the folder that compiled kernels are kept in. The exit code is 0 whenever the CPU can be used.";

/// `galerkit gallery --help`
pub const GALLERY: &str = "\
Examples:
  galerkit gallery
  galerkit info 'gallery:poisson3d?n=10&stencil=7'";

/// `galerkit completions --help`
pub const COMPLETIONS: &str = "\
Examples:
  galerkit completions bash > galerkit.bash
  galerkit completions zsh > _galerkit
  galerkit completions fish > galerkit.fish";
