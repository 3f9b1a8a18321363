//! A body-centred lattice below a plane: corners and centres of cubes. Two neighbouring centres and an edge of the face
//! between them are a tetrahedron; at the plane the middle of the face takes the place of the centre above.

use std::collections::HashMap;

/// About the distance to the surface, negative inside.
pub(crate) type Distance<'a> = &'a dyn Fn([f64; 3]) -> f64;

/// Nodes and tetrahedra of which a part is inside.
pub(super) struct Lattice {
    pub(super) points: Vec<[f64; 3]>,
    /// The distance at each node, 0 once it lies on the surface.
    pub(super) values: Vec<f64>,
    pub(super) is_on_plane: Vec<bool>,
    pub(super) tetrahedra: Vec<[u32; 4]>,
}

/// Half cubes down from the highest corner: even numbers are corners, odd ones centres.
type Key = [i32; 3];

impl Lattice {
    pub(super) fn new(distance: Distance, low: [f64; 3], high: [f64; 3], cube: f64) -> Self {
        let mut lattice =
            Self { points: Vec::new(), values: Vec::new(), is_on_plane: Vec::new(), tetrahedra: Vec::new() };
        let mut numbers: HashMap<Key, u32> = HashMap::new();
        let count = |d: usize| ((high[d] - low[d]) / cube).ceil() as i32;
        let [nx, ny, nz] = [0, 1, 2].map(count);
        for i in 0..nx {
            for j in 0..ny {
                for k in 0..nz {
                    for cell in around([2 * i + 1, 2 * j + 1, 2 * k + 1]) {
                        let nodes = cell
                            .map(|key| *numbers.entry(key).or_insert_with(|| lattice.add(distance, high, cube, key)));
                        if nodes.iter().any(|&node| lattice.values[node as usize] < 0.0) {
                            lattice.tetrahedra.push(nodes);
                        }
                    }
                }
            }
        }
        lattice
    }

    fn add(&mut self, distance: Distance, high: [f64; 3], cube: f64, key: Key) -> u32 {
        let point = [0, 1, 2].map(|d| high[d] - 0.5 * cube * f64::from(key[d]));
        self.points.push(point);
        self.values.push(distance(point));
        self.is_on_plane.push(key[2] == 0);
        self.points.len() as u32 - 1
    }
}

/// The tetrahedra between a centre and the next one along each axis, and those below the plane.
fn around(centre: Key) -> impl Iterator<Item = [Key; 4]> {
    let moved = |key: Key, axis: usize, by: i32| [0, 1, 2].map(|d| key[d] + if d == axis { by } else { 0 });
    let middle = moved(centre, 2, -1);
    let below_plane = (centre[2] == 1).then_some((middle, middle, 2));
    let next = (0..3).map(move |axis| (moved(centre, axis, 2), moved(centre, axis, 1), axis));
    next.chain(below_plane).flat_map(move |(other, face, axis)| {
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let corner = move |[a, b]: [i32; 2]| moved(moved(face, u, a), v, b);
        let corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(corner);
        (0..4).map(move |k| [centre, other, corners[k], corners[(k + 1) % 4]])
    })
}
