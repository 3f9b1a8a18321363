//! Pictures of meshes and fields, without a display: triangles, a z-buffer, PNG.
//!
//! ```
//! use galerkit_fem::mesh::generate;
//! use galerkit_fem::picture::{ColourMap, Picture, Plane, Scene};
//!
//! let mesh = generate::ball(1.0, 2, 3)?;
//! let waves: Vec<f64> = mesh.points.iter().map(|[x, y, z]| (5.0 * x).sin() * y + z).collect();
//! let scene = Scene::of_points(&mesh, &waves)?;
//! let picture = Picture::of(&scene).size(320, 240).colours(ColourMap::diverging()).cut(Plane::across(0, 0.1));
//! let image = picture.render()?; // or picture.write_png(path)
//! assert_eq!((image.width(), image.height()), (320, 240));
//! # Ok::<(), galerkit_fem::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | [`body`] | what can be drawn: cells with a point and a value at each reference point |
//! | [`mesh_body`], [`solution_body`] | meshes with fields, solutions of high degree |
//! | [`scene`] | a body and what its colours mean |
//! | [`mod@reference`] | pieces of reference cells: triangles of sides, tetrahedra of interiors |
//! | [`triangle`] | triangles in space, with values and marks for edges of cells |
//! | [`plane`] | planes, and where they cut triangles and tetrahedra |
//! | [`skin`], [`cut`] | the surface of a body, and the face that a plane leaves |
//! | [`light`] | normals, smooth across shallow angles, and diffuse light |
//! | [`camera`] | orthographic views that fit what they show |
//! | [`raster`] | from triangles to samples: z-buffer, cell edges, averaging |
//! | [`colours`] | colour maps of even steps for the eye |
//! | [`paint`] | the colour of a sample: value, light, ink |
//! | [`image`], [`font`] | pixels, strokes, letters |
//! | [`legend`], [`key`] | the colour bar of a field, the list of tags |
//! | [`png`], [`film`], [`gif`] | PNG, and animated PNG or GIF for sequences |
//! | [`draw`] | [`Picture`], which brings these together |

pub mod body;
pub mod camera;
pub mod colours;
pub mod cut;
pub mod draw;
pub mod film;
pub mod font;
pub mod gif;
pub mod image;
pub mod key;
pub mod legend;
pub mod light;
pub mod mesh_body;
pub mod paint;
pub mod plane;
pub mod png;
pub mod raster;
pub mod reference;
pub mod scene;
pub mod skin;
pub mod solution_body;
pub mod triangle;

pub use body::Body;
pub use camera::View;
pub use colours::ColourMap;
pub use draw::Picture;
pub use film::Film;
pub use image::Image;
pub use plane::Plane;
pub use scene::Scene;
