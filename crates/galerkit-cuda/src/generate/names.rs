//! Names in the order of appearance, and the struct of arguments that goes with them.

use galerkit_linalg::program::{Instruction, MapId, Slot, Until, Vector};
use std::hash::{Hash, Hasher};

/// What a module's kernels call the vectors, numbers and maps of its program.
#[derive(Clone, Debug, Default)]
pub struct Names {
    vectors: Vec<Vector>,
    /// Whether there are pointwise closures.
    closures: bool,
    /// How long vectors are; kernels find them by number.
    lengths: Vec<usize>,
    /// From the first slot that is named to the last.
    slots: Option<(Slot, Slot)>,
    maps: Vec<MapId>,
    /// Vectors that loops go through; a loop may go through a part of one.
    lists: Vec<Vec<Vector>>,
    /// Vectors that are never in memory.
    momentary: Vec<Vector>,
    /// When loops inside end: arguments, so that another tolerance is the same text.
    ends: Vec<Until>,
}

/// Addresses and words behind the names.
pub trait Arguments {
    /// The address of a vector's entries.
    fn vector(&self, x: Vector) -> u64;
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
    /// Notes everything that an instruction mentions.
    pub fn read(&mut self, line: &Instruction) {
        for x in line.writes().iter().copied().chain(line.reads()) {
            note(&mut self.vectors, x);
            note(&mut self.lengths, x.length);
        }
        self.closures |= matches!(line, Instruction::Pointwise { .. });
        for s in line.scalar_reads().into_iter().chain(line.scalar_write()).chain(line.control_slots()) {
            let (first, last) = self.slots.unwrap_or((s, s));
            self.slots = Some((first.min(s), last.max(s)));
        }
        if let Some(A) = line.map() {
            note(&mut self.maps, A);
        }
        if let Instruction::Repeat { until, .. } = line {
            note(&mut self.ends, *until);
        }
    }

    /// Notes vectors that no kernel needs to find in memory.
    pub fn note_momentary(&mut self, vectors: Vec<Vector>) {
        self.momentary = vectors;
    }
    /// Whether a vector is never read from memory, so that it need not be stored.
    pub fn is_momentary(&self, x: Vector) -> bool {
        self.momentary.contains(&x)
    }

    /// Notes lists that loops go through.
    pub fn note_lists(&mut self, mut lists: Vec<Vec<Vector>>) {
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        for list in lists {
            if self.place_of(&list).is_none() {
                self.lists.push(list);
            }
        }
    }
    /// Which list has these vectors, and where in it they begin.
    fn place_of(&self, list: &[Vector]) -> Option<(usize, usize)> {
        let begin = |known: &Vec<Vector>| known.windows(list.len()).position(|part| part == list);
        self.lists.iter().enumerate().find_map(|(k, known)| begin(known).map(|first| (k, first)))
    }
    /// The array of pointers to these vectors, which were noted.
    pub fn list(&self, list: &[Vector]) -> String {
        let (k, first) = self.place_of(list).expect("every list of a program was noted when it was planned");
        format!("(a.list{k} + {first})")
    }
    /// The pointer to a vector's entries: those in single precision are `a.w[k]`, the others `a.v[k]`.
    pub fn pointer(&self, x: Vector) -> String {
        let is_low = self.is_low(x);
        let k = self.vectors.iter().filter(|&&other| self.is_low(other) == is_low).position(|&other| other == x);
        let k = k.expect("every name of a program was noted when it was read");
        format!("a.{}[{k}]", if is_low { "w" } else { "v" })
    }
    /// Whether the program has pointwise closures.
    pub fn has_closures(&self) -> bool {
        self.closures
    }
    /// How many rows a pass has.
    pub fn rows(&self, pass: &[Instruction]) -> String {
        let length = pass.first().map_or(0, |line| line.rows_of().length);
        format!("a.n[{}]", self.lengths.iter().position(|&known| known == length).unwrap_or(0))
    }
    /// The number of a vector, for the names of variables.
    pub fn vector(&self, x: Vector) -> usize {
        position(&self.vectors, x)
    }
    /// The type of a vector's entries.
    pub fn kind(&self, x: Vector) -> &'static str {
        if self.is_low(x) { "Low" } else { "Scalar" }
    }
    /// Whether the entries of vectors have one type.
    pub fn are_of_one_kind(&self, vectors: &[Vector]) -> bool {
        vectors.iter().all(|&x| self.is_low(x) == self.is_low(vectors[0]))
    }
    /// Whether a vector is in single precision.
    pub fn is_low(&self, x: Vector) -> bool {
        x.is_single()
    }
    /// The number of a slot: it is `a.s[k]`. Counted from the first that the program names, so that programs recorded
    /// alike have the same text wherever their slots begin.
    pub fn slot(&self, s: Slot) -> usize {
        s.0 - self.slots.expect("every name of a program was noted when it was read").0.0
    }
    /// The number of a map: its struct is `a.m<k>`, its namespace `map<k>`.
    pub fn map(&self, A: MapId) -> usize {
        position(&self.maps, A)
    }
    /// The number of a loop inside: its criteria are `a.rtol<k>`, `a.atol<k>` and `a.limit<k>`.
    pub fn end(&self, until: &Until) -> usize {
        position(&self.ends, *until)
    }
    /// The maps, by number.
    pub fn maps(&self) -> &[MapId] {
        &self.maps
    }
    /// How many slots lie between the first and the last that are named.
    pub fn slot_count(&self) -> usize {
        self.slots.map_or(0, |(first, last)| last.0 - first.0 + 1)
    }

    fn of_precision(&self, is_low: bool) -> Vec<Vector> {
        self.vectors.iter().copied().filter(|&x| self.is_low(x) == is_low).collect()
    }

    /// The most vectors that a loop goes through.
    pub fn longest_list(&self) -> usize {
        self.lists.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The members of `struct Args` that follow the fixed ones.
    pub fn members(&self) -> String {
        let mut text = format!("    Offset n[{}];\n    Scalar *s;\n", self.lengths.len().max(1));
        for (kind, name, vectors) in [("Scalar", "v", self.of_precision(false)), ("Low", "w", self.of_precision(true))]
        {
            if !vectors.is_empty() {
                text += &format!("    {kind} *{name}[{}];\n", vectors.len());
            }
        }
        for (k, list) in self.lists.iter().enumerate() {
            text += &format!("    {} *list{k}[{}];\n", self.kind(list[0]), list.len());
        }
        for k in 0..self.ends.len() {
            text += &format!("    double rtol{k}, atol{k};\n    Offset limit{k};\n");
        }
        (0..self.maps.len()).for_each(|k| text += &format!("    map{k}::Map m{k};\n"));
        text
    }

    /// Into a digest: all that texts have of vectors beyond their numbers.
    pub fn hash_members(&self, hasher: &mut impl Hasher) {
        self.members().hash(hasher);
        self.slot_count().hash(hasher);
        let length = |x: Vector| self.lengths.iter().position(|&known| known == x.length);
        self.vectors.iter().for_each(|&x| (self.is_low(x), self.is_momentary(x), length(x)).hash(hasher));
        self.lists.iter().flatten().for_each(|&x| self.vector(x).hash(hasher));
    }

    /// Their values.
    pub fn words(&self, arguments: &dyn Arguments) -> Vec<u64> {
        let mut words: Vec<u64> = self.lengths.iter().map(|&length| length as u64).collect();
        words.resize(words.len().max(1), 0);
        words.push(self.slots.map_or(0, |(first, _)| arguments.slot(first)));
        let vectors = [false, true].map(|is_low| self.of_precision(is_low)).concat();
        words.extend(vectors.into_iter().map(|x| arguments.vector(x)));
        words.extend(self.lists.iter().flatten().map(|&x| arguments.vector(x)));
        for Until { rtol, atol, limit, .. } in &self.ends {
            words.extend([rtol.to_bits(), atol.to_bits(), *limit as u64]);
        }
        self.maps.iter().for_each(|&A| words.extend(arguments.map(A)));
        words
    }
}
