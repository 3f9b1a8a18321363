//! What a mesh file holds: the mesh, and numbers on its points and cells.

use crate::mesh::Mesh;

/// Numbers on points or cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What the file calls it.
    pub name: String,
    /// Numbers for each point or cell: 1 for scalars, 3 for vectors.
    pub components: usize,
    /// All numbers, point by point or cell by cell; cells as they stand in the mesh, block after block.
    pub values: Vec<f64>,
}

/// A mesh with its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// Points and cells.
    pub mesh: Mesh,
    /// Fields on points.
    pub point_data: Vec<Field>,
    /// Fields on cells.
    pub cell_data: Vec<Field>,
}

/// Names under which programs write regions as cell data, in lower case, the surest first.
const TAG_NAMES: [&str; 12] = [
    "tag",
    "tags",
    "gmsh:physical",
    "medit:ref",
    "physical",
    "region",
    "mat_id",
    "materialid",
    "material",
    "material #",
    "attribute",
    "cellentityids",
];

impl Contents {
    /// Brings cell data from the order of a file to that of the blocks; `numbers` says where each cell stood. Fields
    /// with too many or too few numbers are dropped.
    pub(super) fn sort_cell_data(&mut self, numbers: &[usize]) {
        let fits = |field: &Field, count: usize| field.components.checked_mul(count) == Some(field.values.len());
        self.cell_data.retain(|field| fits(field, numbers.len()));
        self.point_data.retain(|field| fits(field, self.mesh.points.len()));
        for field in &mut self.cell_data {
            let of_cell = |&number: &usize| &field.values[number * field.components..][..field.components];
            field.values = numbers.iter().flat_map(of_cell).copied().collect();
        }
    }

    /// Takes tags from the cell field that is named like one and holds whole numbers, if there is one.
    pub(super) fn take_tags(&mut self) {
        let is_tag = |field: &&Field, name: &str| {
            field.components == 1 && field.name.eq_ignore_ascii_case(name) && field.values.iter().all(|v| is_whole(*v))
        };
        let find = |name: &&str| self.cell_data.iter().find(|field| is_tag(field, name));
        let Some(field) = TAG_NAMES.iter().find_map(find) else { return };
        let mut values = field.values.iter();
        for block in &mut self.mesh.blocks {
            block.tags.iter_mut().zip(&mut values).for_each(|(tag, value)| *tag = *value as i32);
        }
    }
}

fn is_whole(value: f64) -> bool {
    value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX)
}
