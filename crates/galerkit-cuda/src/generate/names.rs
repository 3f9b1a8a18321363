//! Names in the order of appearance, and the struct of arguments that goes with them.

use galerkit_linalg::engine::record::{Line, MapId, Slot, VectorId};

/// What a module's kernels call the vectors, numbers and maps of its program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    vectors: Vec<VectorId>,
    slots: Vec<Slot>,
    maps: Vec<MapId>,
}

/// Addresses and words behind the names.
pub trait Arguments {
    /// The address of a vector's entries.
    fn vector(&self, x: VectorId) -> u64;
    /// The address of a slot.
    fn slot(&self, s: Slot) -> u64;
    /// The words of a map.
    fn map(&self, A: MapId) -> &[u64];
}

fn position<T: PartialEq + Copy>(list: &[T], item: T) -> usize {
    list.iter().position(|&known| known == item).expect("every name of a program was noted when it was read")
}

fn note<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

impl Names {
    /// Notes everything that a line mentions.
    pub fn read(&mut self, line: &Line) {
        for x in line.writes().into_iter().chain(line.reads()) {
            note(&mut self.vectors, x);
        }
        for s in line.scalar_reads().into_iter().chain(line.scalar_write()) {
            note(&mut self.slots, s);
        }
        if let Some(A) = line.map() {
            note(&mut self.maps, A);
        }
    }

    /// The number of a vector: its pointer is `a.v<k>`.
    pub fn vector(&self, x: VectorId) -> usize {
        position(&self.vectors, x)
    }
    /// The number of a slot: its pointer is `a.s<k>`.
    pub fn slot(&self, s: Slot) -> usize {
        position(&self.slots, s)
    }
    /// The number of a map: its struct is `a.m<k>`, its namespace `map<k>`.
    pub fn map(&self, A: MapId) -> usize {
        position(&self.maps, A)
    }
    /// The maps, by number.
    pub fn maps(&self) -> &[MapId] {
        &self.maps
    }
    /// How many slots are named.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// The members of `struct Args` that follow the fixed ones.
    pub fn members(&self) -> String {
        let mut text = String::new();
        (0..self.vectors.len()).for_each(|k| text += &format!("    Scalar *v{k};\n"));
        (0..self.slots.len()).for_each(|k| text += &format!("    Scalar *s{k};\n"));
        (0..self.maps.len()).for_each(|k| text += &format!("    map{k}::Map m{k};\n"));
        text
    }

    /// Their values.
    pub fn words(&self, arguments: &dyn Arguments) -> Vec<u64> {
        let mut words: Vec<u64> = self.vectors.iter().map(|&x| arguments.vector(x)).collect();
        words.extend(self.slots.iter().map(|&s| arguments.slot(s)));
        self.maps.iter().for_each(|&A| words.extend(arguments.map(A)));
        words
    }
}
