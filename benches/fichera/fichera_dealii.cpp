// The Fichera corner with deal.II: -Laplace u = 1, u = 0 on the boundary of (-1,1)^3 without [0,1]^3. FE_Q of one degree, cells refined
// where Kelly's estimate is largest (the 30 % of galerkit's loop), CG with SSOR. Usage: fichera_dealii DEGREE MOST_UNKNOWNS
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_refinement.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/matrix_creator.h>
#include <deal.II/numerics/vector_tools.h>
#include <chrono>
#include <cstdio>
using namespace dealii;

int main(int argc, char **argv) {
  const unsigned p = argc > 1 ? atoi(argv[1]) : 3, most = argc > 2 ? atoi(argv[2]) : 100000;
  const auto begun = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
  Triangulation<3> cube, mesh;
  GridGenerator::subdivided_hyper_cube(cube, 2, -1, 1);
  std::set<Triangulation<3>::active_cell_iterator> removed;
  for (const auto &cell : cube.active_cell_iterators())
    if (cell->center()[0] > 0 && cell->center()[1] > 0 && cell->center()[2] > 0) removed.insert(cell);
  GridGenerator::create_triangulation_with_removed_cells(cube, removed, mesh);
  FE_Q<3> fe(p);
  for (;;) {
    DoFHandler<3> dofs(mesh);
    dofs.distribute_dofs(fe);
    AffineConstraints<double> constraints;
    DoFTools::make_hanging_node_constraints(dofs, constraints);
    VectorTools::interpolate_boundary_values(dofs, 0, Functions::ZeroFunction<3>(), constraints);
    constraints.close();
    DynamicSparsityPattern dynamic(dofs.n_dofs());
    DoFTools::make_sparsity_pattern(dofs, dynamic, constraints, false);
    SparsityPattern pattern;
    pattern.copy_from(dynamic);
    SparseMatrix<double> A(pattern);
    Vector<double> b(dofs.n_dofs()), u(dofs.n_dofs());
    const QGauss<3> rule(p + 1);
    MatrixCreator::create_laplace_matrix(dofs, rule, A, Functions::ConstantFunction<3>(1.0), b, (const Function<3> *)nullptr, constraints);
    SolverControl control(20000, 1e-10 * b.l2_norm());
    PreconditionSSOR<SparseMatrix<double>> ssor;
    ssor.initialize(A, 1.2);
    SolverCG<Vector<double>>(control).solve(A, u, b, ssor);
    const double energy = A.matrix_norm_square(u);
    constraints.distribute(u);
    const unsigned unknowns = dofs.n_dofs() - constraints.n_constraints();
    printf("deal.II degree %u cells %u unknowns %u energy %.12f iterations %u elapsed %.2f s\n", p, mesh.n_active_cells(),
           unknowns, energy, control.last_step(), seconds());
    fflush(stdout);
    if (unknowns > most) return 0;
    Vector<float> estimate(mesh.n_active_cells());
    KellyErrorEstimator<3>::estimate(dofs, QGauss<2>(p + 1), {}, u, estimate);
    GridRefinement::refine_and_coarsen_fixed_number(mesh, estimate, 0.3, 0.0);
    mesh.execute_coarsening_and_refinement();
  }
}
