//! Names in the order of appearance, and the struct of arguments that goes with them.

use super::ir::{Declaration, Expression, Statement, Storage, Type, Variable, element, name, print_structure};
use galerkit_linalg::program::fuse::MANY;
use galerkit_linalg::program::{Instruction, MapId, Slot, Until, Vector};
use galerkit_linalg::scalar::ScalarKind;
use std::hash::{Hash, Hasher};

/// Updates or dot products that are a loop where positions of a cycle are to be alike: those of its first differ
/// anyhow.
const ALIKE: usize = 2;

/// What a module's kernels call the vectors, scalars and maps of its program.
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
    /// The maps of each source, by number: one namespace has it. Noted when all maps are.
    spaces: Vec<Vec<usize>>,
    /// Which of these are of maps that the blocks of a persistent kernel keep parts of in shared memory.
    held: Vec<bool>,
    /// The maps whose values the program changes.
    changing: Vec<MapId>,
    /// Whether positions of a cycle are to be alike, so that one kernel serves many.
    alike: bool,
    /// Literals that come with each launch, if kernels of one shape are shared.
    own: Option<usize>,
    /// Vectors that loops go through; a loop may go through a part of one.
    lists: Vec<Vec<Vector>>,
    /// Vectors that are never in memory.
    temporary: Vec<Vector>,
    /// When nested loops end: arguments, so that another tolerance is the same source.
    ends: Vec<Until>,
    /// Bytes of a scalar.
    scalar_bytes: usize,
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

/// What every kernel is told, whatever its program.
const FIXED_MEMBERS: [&str; 10] = [
    "State *state;",
    "Offset begins;", // a persistent kernel: with the state of the arguments, not the one in memory
    "State initial;",
    "Scalar *told;",
    "Offset most;",
    "Offset room;", // bytes of shared memory for what a persistent kernel keeps of maps
    "Scalar *partials;",
    "unsigned *ticket;",
    "unsigned *arrived;",
    "Offset *epoch;",
];

fn declared(kind: Type, name: Variable, size: Option<usize>) -> Statement {
    Statement::Declare(Declaration { storage: Storage::Register, kind, name, size: size.map(Into::into), value: None })
}

impl Names {
    /// Notes everything that an instruction mentions.
    pub fn read(&mut self, instruction: &Instruction) {
        for x in instruction.writes().iter().copied().chain(instruction.reads()) {
            note(&mut self.vectors, x);
            note(&mut self.lengths, x.length);
        }
        self.closures |= matches!(instruction, Instruction::Pointwise { .. });
        for s in
            instruction.scalar_reads().into_iter().chain(instruction.scalar_write()).chain(instruction.control_slots())
        {
            let (first, last) = self.slots.unwrap_or((s, s));
            self.slots = Some((first.min(s), last.max(s)));
        }
        if let Some(A) = instruction.map() {
            note(&mut self.maps, A);
        }
        if let Instruction::Repeat { until, .. } = instruction {
            note(&mut self.ends, *until);
        }
    }

    /// Notes which maps have one source, by a question about two of them.
    pub fn note_spaces(&mut self, is_same: &dyn Fn(MapId, MapId) -> bool) {
        for (k, &A) in self.maps.iter().enumerate() {
            match self.spaces.iter_mut().find(|space| is_same(self.maps[space[0]], A)) {
                Some(space) => space.push(k),
                None => self.spaces.push(vec![k]),
            }
        }
    }

    /// Notes that a persistent kernel keeps parts of maps, by questions about each: whether its source can, and whether
    /// its values change.
    pub fn note_held(&mut self, holds: &dyn Fn(MapId) -> bool, changes: &dyn Fn(MapId) -> bool) {
        self.held = self.spaces.iter().map(|space| holds(self.maps[space[0]])).collect();
        self.changing = self.maps.iter().copied().filter(|&A| changes(A)).collect();
    }
    fn is_held(&self, space: usize) -> bool {
        self.held.get(space).is_some_and(|&held| held)
    }
    /// The namespaces whose maps are kept, and of how many maps each is.
    pub fn held_spaces(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let all = self.spaces.iter().enumerate().map(|(k, space)| (k, space.len()));
        all.filter(|&(k, _)| self.is_held(k))
    }
    /// The maps that parts are kept of: their namespace, their number in it, and whether their values change.
    pub fn held_maps(&self) -> impl Iterator<Item = (MapId, usize, usize, bool)> + '_ {
        let of = move |k: usize| self.spaces[k].iter().enumerate().map(move |(index, &map)| (self.maps[map], k, index));
        let all = self.held_spaces().flat_map(move |(k, _)| of(k));
        all.map(|(A, k, index)| (A, k, index, self.changing.contains(&A)))
    }

    /// Notes how large a scalar is.
    pub fn note_scalar(&mut self, kind: ScalarKind) {
        self.scalar_bytes = kind.bytes();
    }
    /// Bytes of so many scalars.
    pub fn bytes_of(&self, scalars: usize) -> usize {
        scalars * self.scalar_bytes
    }

    /// Notes that positions of a cycle are to be alike.
    pub fn note_alike(&mut self) {
        self.alike = true;
    }
    /// Updates of one vector, or dot products with one, that are a loop: few, where positions are to be alike.
    pub fn many(&self) -> usize {
        if self.alike { ALIKE } else { MANY }
    }

    /// Notes that so many literals come with each launch, and lists.
    pub fn note_own(&mut self, literals: usize) {
        self.own = Some(literals);
    }
    /// Words that come with each launch, behind all others.
    pub fn own_words(&self) -> usize {
        self.own.map_or(0, |literals| literals.max(1) + 1)
    }

    /// Notes vectors that no kernel needs to find in memory.
    pub fn note_temporary(&mut self, vectors: Vec<Vector>) {
        self.temporary = vectors;
    }
    /// Whether a vector is never read from memory, so that it need not be stored.
    pub fn is_temporary(&self, x: Vector) -> bool {
        self.temporary.contains(&x)
    }

    /// Notes lists that loops go through.
    pub fn note_lists(&mut self, mut lists: Vec<Vec<Vector>>) {
        lists.sort_by_key(|list| std::cmp::Reverse(list.len()));
        for list in lists {
            if self.position_of(&list).is_none() {
                self.lists.push(list);
            }
        }
    }
    /// Which list has these vectors, and where in it they begin.
    fn position_of(&self, list: &[Vector]) -> Option<(usize, usize)> {
        let begin = |known: &Vec<Vector>| known.windows(list.len()).position(|part| part == list);
        self.lists.iter().enumerate().find_map(|(k, known)| begin(known).map(|first| (k, first)))
    }
    /// The array of pointers to these vectors, which were noted.
    pub fn list(&self, list: &[Vector]) -> Expression {
        let (k, first) = self.position_of(list).expect("every list of a program was noted when it was planned");
        Expression::Argument("list", k) + first
    }
    /// The pointer to a vector's entries: those in single precision are `a.w[k]`, the others `a.v[k]`.
    pub fn pointer(&self, x: Vector) -> Expression {
        let is_single = self.is_single(x);
        let k = self.vectors.iter().filter(|&&other| self.is_single(other) == is_single).position(|&other| other == x);
        let k = k.expect("every name of a program was noted when it was read");
        element(name(if is_single { "a.w" } else { "a.v" }), k)
    }
    /// Whether the program has pointwise closures.
    pub fn has_closures(&self) -> bool {
        self.closures
    }
    /// How many rows a pass has.
    pub fn rows(&self, pass: &[Instruction]) -> Expression {
        let length = pass.first().map_or(0, |instruction| instruction.rows_of().length);
        element(name("a.n"), self.lengths.iter().position(|&known| known == length).unwrap_or(0))
    }
    /// The number of a vector, for the names of variables.
    pub fn vector(&self, x: Vector) -> usize {
        position(&self.vectors, x)
    }
    /// The type of a vector's entries.
    pub fn kind(&self, x: Vector) -> Type {
        if self.is_single(x) { Type::Single } else { Type::Scalar }
    }
    /// Whether the entries of vectors have one type.
    pub fn are_of_one_kind(&self, vectors: &[Vector]) -> bool {
        vectors.iter().all(|&x| self.is_single(x) == self.is_single(vectors[0]))
    }
    /// Whether a vector is in single precision.
    pub fn is_single(&self, x: Vector) -> bool {
        x.is_single()
    }
    /// The number of a slot: it is `a.s[k]`. Counted from the first that the program names, so that programs recorded
    /// alike have the same source wherever their slots begin.
    pub fn slot(&self, s: Slot) -> usize {
        s.0 - self.slots.expect("every name of a program was noted when it was read").0.0
    }
    /// The number of a map, for the names of variables.
    pub fn map(&self, A: MapId) -> usize {
        position(&self.maps, A)
    }
    /// The number k of a map's namespace `map<k>`, and its struct: `a.m<k>`, or `held<k>` where blocks keep a part of
    /// it; an entry of it where maps share a source.
    pub fn arrays(&self, A: MapId) -> (usize, Expression) {
        let at = |space: &Vec<usize>| space.iter().position(|&known| self.maps[known] == A);
        let mut found = self.spaces.iter().enumerate().filter_map(|(k, space)| Some((k, at(space)?)));
        let (k, index) = found.next().expect("spaces were noted when all maps were known");
        let all = if self.is_held(k) { Variable::new("held", k).value() } else { Expression::Argument("m", k) };
        (k, self.one_of(k, all, index))
    }
    /// An entry of what stands for the maps of a namespace, if they are several.
    pub fn one_of(&self, space: usize, all: Expression, index: usize) -> Expression {
        if self.spaces[space].len() > 1 { element(all, index) } else { all }
    }
    /// One map of each namespace, by its number.
    pub fn spaces(&self) -> impl Iterator<Item = MapId> + '_ {
        self.spaces.iter().map(|space| self.maps[space[0]])
    }
    /// The number of a nested loop: its criteria are `a.rtol<k>`, `a.atol<k>` and `a.limit<k>`.
    pub fn end(&self, until: &Until) -> usize {
        position(&self.ends, *until)
    }
    /// The maps, by number.
    pub fn maps(&self) -> &[MapId] {
        &self.maps
    }
    /// The first slot that is named.
    pub fn first_slot(&self) -> usize {
        self.slots.map_or(0, |(first, _)| first.0)
    }
    /// How many slots lie between the first and the last that are named.
    pub fn slot_count(&self) -> usize {
        self.slots.map_or(0, |(first, last)| last.0 - first.0 + 1)
    }

    fn of_precision(&self, is_single: bool) -> Vec<Vector> {
        self.vectors.iter().copied().filter(|&x| self.is_single(x) == is_single).collect()
    }

    /// The most vectors that a loop goes through.
    pub fn longest_list(&self) -> usize {
        self.lists.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The members of `struct Args`: the fixed ones, then those that depend on the program.
    pub fn members(&self) -> Vec<Statement> {
        let array = |kind, stem, size: usize| declared(kind, Variable::only(stem), Some(size));
        let mut members: Vec<Statement> =
            FIXED_MEMBERS.iter().map(|instruction| Statement::Fixed(instruction)).collect();
        members.push(array(Type::Offset, "n", self.lengths.len().max(1)));
        members.push(Statement::Fixed("Scalar *s;"));
        for (stem, vectors) in [("v", self.of_precision(false)), ("w", self.of_precision(true))] {
            members.extend(vectors.first().map(|&x| array(self.pointers(x), stem, vectors.len())));
        }
        for (k, list) in self.lists.iter().enumerate() {
            members.push(declared(self.pointers(list[0]), Variable::new("list", k), Some(list.len())));
        }
        for k in 0..self.ends.len() {
            let criteria = [(Type::Double, "rtol"), (Type::Double, "atol"), (Type::Offset, "limit")];
            members.extend(criteria.map(|(kind, stem)| declared(kind, Variable::new(stem, k), None)));
        }
        members.extend(self.spaces.iter().enumerate().map(|(k, space)| {
            declared(Type::Map(k), Variable::new("m", k), Some(space.len()).filter(|&maps| maps > 1))
        }));
        if let Some(literals) = self.own {
            members.push(array(Type::Offset, "at", literals.max(1)));
            members.push(Statement::Fixed("const unsigned *tables;"));
        }
        members
    }

    fn pointers(&self, x: Vector) -> Type {
        Type::Named(if self.is_single(x) { "Single *" } else { "Scalar *" })
    }

    /// The source of `struct Args`.
    pub fn structure(&self) -> String {
        print_structure("Args", &self.members())
    }

    /// Into a digest: all that kernels have of vectors beyond their numbers.
    pub fn hash_members(&self, hasher: &mut impl Hasher) {
        self.structure().hash(hasher);
        (self.slot_count(), &self.spaces, &self.held, self.alike).hash(hasher);
        self.changing.iter().for_each(|&A| self.map(A).hash(hasher));
        let length = |x: Vector| self.lengths.iter().position(|&known| known == x.length);
        self.vectors.iter().for_each(|&x| (self.is_single(x), self.is_temporary(x), length(x)).hash(hasher));
        self.lists.iter().flatten().for_each(|&x| self.vector(x).hash(hasher));
    }

    /// Their values; zeros for what comes with a launch.
    pub fn words(&self, arguments: &dyn Arguments) -> Vec<u64> {
        let mut words: Vec<u64> = self.lengths.iter().map(|&length| length as u64).collect();
        words.resize(words.len().max(1), 0);
        words.push(self.slots.map_or(0, |(first, _)| arguments.slot(first)));
        let vectors = [false, true].map(|is_single| self.of_precision(is_single)).concat();
        words.extend(vectors.into_iter().map(|x| arguments.vector(x)));
        words.extend(self.lists.iter().flatten().map(|&x| arguments.vector(x)));
        for Until { rtol, atol, limit, .. } in &self.ends {
            words.extend([rtol.to_bits(), atol.to_bits(), *limit as u64]);
        }
        self.spaces.iter().flatten().for_each(|&k| words.extend(arguments.map(self.maps[k])));
        words.resize(words.len() + self.own_words(), 0);
        words
    }
}
