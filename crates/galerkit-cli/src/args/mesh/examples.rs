//! The examples that `--help` of mesh commands ends with; each is run by the tests.

/// `galerkit mesh info --help`
pub const INFO: &str = "\
Examples:
  galerkit mesh info 'gallery:ball?n=3&order=3' --png ball.png
  galerkit mesh info 'gallery:fichera?n=4' --png open.png --cut z=-0.5 --view 1,1,1
  galerkit mesh info 'gallery:lshape?n=8&simplices=1' --json -

Regions and pieces of the boundary have a colour each if there are several. Volumes are those of curved cells; angles are \
between straight edges or faces from corner to corner. The scaled Jacobian is 1 for a cube and 0 where a corner is flat.";

/// `galerkit mesh check --help`
pub const CHECK: &str = "\
Examples:
  galerkit mesh convert 'gallery:box?n=3&simplices=1' box.msh
  galerkit mesh check box.msh
  galerkit mesh check box.msh --all --json -

Findings are cells inside out, degenerate cells, cells listed twice and facets that more than two cells share. Remarks are \
unused points, listed facets that are none of the body, and a body of several parts. Cells and points are numbered from 0.
Exit codes: 0 sound, 1 findings, 2 unreadable. 'galerkit mesh convert --repair' turns cells round.";

/// `galerkit mesh convert --help`
pub const CONVERT: &str = "\
Examples:
  galerkit mesh convert 'gallery:cylinder?n=2&order=2' cylinder.msh --gmsh 2.2 --ascii
  galerkit mesh convert cylinder.msh cylinder.vtu --repair

Cells keep their order, tags and names as far as the format has them; VTU keeps fields.";
