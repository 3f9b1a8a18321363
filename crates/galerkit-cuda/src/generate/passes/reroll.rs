//! Rerolled loops: assignments to scalars that come again and again with other scalars, as in the rotations of GMRES
//! and back substitution. Written out, code that runs once waits for its own instructions more than for anything else,
//! and takes long to compile.

use super::forward::{index, scalar, scalar_target};
use super::lookup::Lookup;
use crate::generate::ir::{Expression, Loop, Statement, Type, Unroll, Variable, name, scalars};

/// Assignments that a round may have.
const LONGEST: usize = 12;
/// Rounds from which on there is a loop.
const LEAST: usize = 4;

/// An assignment: what its rounds share, and the scalars in which they differ.
pub struct Assigned {
    out: usize,
    operands: Vec<usize>,
    /// The value, with scalar 0 for each operand.
    value: Expression,
}

impl Assigned {
    /// None for other statements: tests never become loops.
    pub fn new(statement: &Statement) -> Option<Self> {
        let out = scalar_target(statement)? as usize;
        let Statement::Assign(_, _, value) = statement else { return None };
        let (mut value, mut operands) = (value.clone(), Vec::new());
        scalars(&mut value, &mut |read| {
            operands.push(index(read).unwrap_or(0) as usize);
            *read = scalar(0);
        });
        Some(Self { out, operands, value })
    }
}

/// Rounds at the beginning of statements, the shortest first: how many statements each has, and how many there are.
pub fn repetitions(statements: &[Option<Assigned>]) -> impl Iterator<Item = (usize, usize)> {
    let longest = LONGEST.min(statements.len() / LEAST);
    let rounds = |period: usize| {
        let same = |at: &usize| match (&statements[*at], &statements[*at % period]) {
            (Some(one), Some(other)) => one.value == other.value,
            _ => false,
        };
        (0..statements.len()).take_while(same).count() / period
    };
    (1..=longest).map(move |period| (period, rounds(period))).filter(|&(_, rounds)| rounds >= LEAST)
}

/// The scalars of one operand of an assignment, or its results, round by round.
type List = Vec<usize>;

/// A loop over rounds. Those that need nothing of each other can be shared out among the lanes of a warp; the flag says
/// so. What a round has computed, it or the next one takes from a variable. What no round computes, each reads for the
/// next one, so that nobody waits for it. `id` tells its variables from others.
pub fn rerolled(rounds: &[Option<Assigned>], period: usize, id: &str, by_lanes: bool) -> (Statement, bool) {
    let all: Vec<&Assigned> = rounds.iter().flatten().collect();
    let times = all.len() / period;
    let list = |q: usize, of: &dyn Fn(&Assigned) -> usize| -> List {
        (0..times).map(|round| of(all[round * period + q])).collect()
    };
    let results: Vec<List> = (0..period).map(|q| list(q, &|assigned| assigned.out)).collect();
    let is_written = |k: &usize| results.iter().any(|result| result.contains(k));
    let mut rerolled = Rerolled { independent: by_lanes && are_distinct(&results), ..Rerolled::default() };
    for (q, assigned) in all[..period].iter().enumerate() {
        let (mut value, mut o) = (assigned.value.clone(), 0);
        scalars(&mut value, &mut |read| {
            let operand = list(q, &|assigned| assigned.operands[o]);
            let id = format!("{id}_{q}_{o}");
            *read = match source(&operand, q, &results) {
                Source::Memory if operand.iter().any(is_written) => rerolled.read_now(id, &operand),
                Source::Memory => rerolled.read_ahead(id, operand),
                Source::ThisRound(from) => result(from).value(),
                Source::LastRound(from) => rerolled.hand_on(&id, operand[0], from),
            };
            o += 1;
        });
        let at = rerolled.lookup(Variable::new("n", format!("{id}_{q}")), &results[q]).at(name("t"));
        rerolled.body.push(Statement::constant(Type::Scalar, result(q), value));
        rerolled.body.push(Statement::set(scalar(at), result(q).value()));
    }
    rerolled.finish(times)
}

/// The variable that holds what assignment `q` of a round has found.
fn result(q: usize) -> Variable {
    Variable::new("x", q)
}

/// Whether no scalar is in the lists twice.
fn are_distinct(lists: &[List]) -> bool {
    let mut all = lists.concat();
    all.sort_unstable();
    all.windows(2).all(|pair| pair[0] != pair[1])
}

/// A loop as it is written.
#[derive(Default)]
struct Rerolled {
    /// Whether no round needs another one, so far.
    independent: bool,
    before: Vec<Statement>,
    body: Vec<Statement>,
    behind: Vec<Statement>,
    /// What is read ahead: its scalars, what tells its variables from others, and where it is.
    ahead: Vec<(List, String, Lookup)>,
}

impl Rerolled {
    fn lookup(&mut self, table: Variable, list: &List) -> Lookup {
        let lookup = Lookup::new(table, list);
        self.before.extend(lookup.declaration());
        lookup
    }

    fn read_now(&mut self, id: String, operand: &List) -> Expression {
        self.independent = false;
        scalar(self.lookup(Variable::new("n", id), operand).at(name("t")))
    }

    fn read_ahead(&mut self, id: String, operand: List) -> Expression {
        if let Some((_, known, _)) = self.ahead.iter().find(|(list, ..)| *list == operand) {
            return Variable::new("mn", known).value();
        }
        let lookup = self.lookup(Variable::new("n", &id), &operand);
        self.ahead.push((operand, id.clone(), lookup));
        Variable::new("mn", id).value()
    }

    fn hand_on(&mut self, id: &str, first: usize, from: usize) -> Expression {
        self.independent = false;
        let last = Variable::new("yn", id);
        self.before.push(Statement::variable(Type::Scalar, last.clone(), scalar(first)));
        self.behind.push(Statement::set(last.value(), result(from).value()));
        last.value()
    }

    fn finish(self, times: usize) -> (Statement, bool) {
        let Self { independent, mut before, body, behind, ahead } = self;
        let (t, times) = (|| name("t"), || Expression::from(times));
        let mut round = Vec::new();
        if independent {
            for (_, id, lookup) in &ahead {
                round.push(Statement::constant(Type::Scalar, Variable::new("mn", id), scalar(lookup.at(t()))));
            }
            round.extend(body);
            let each = Loop::counted("t", [name("threadIdx.x"), times()], 32.into(), round);
            // Unrolled they were most of the machine code of a long recurrence; a lane has one round, seldom two.
            before.push(each.unrolled(Unroll::By(1)));
            return (Statement::Block(before), true);
        }
        let mut next = Vec::new();
        for (_, id, lookup) in &ahead {
            let read = Variable::new("rn", id);
            before.push(Statement::variable(Type::Scalar, read.clone(), scalar(lookup.at(0.into()))));
            round.push(Statement::constant(Type::Scalar, Variable::new("mn", id), read.value()));
            next.push(Statement::set(read.value(), scalar(lookup.at(t() + 1))));
        }
        if !next.is_empty() {
            round.push(Statement::when((t() + 1).less(times()), next));
        }
        round.extend(body.into_iter().chain(behind));
        before.push(Loop::counted("t", [0.into(), times()], 1.into(), round).unrolled(Unroll::By(1)));
        (Statement::Block(before), false)
    }
}

/// Where an operand comes from.
enum Source {
    Memory,
    /// The result of this assignment of the same round.
    ThisRound(usize),
    /// The result of this assignment of the round before; in the first round memory.
    LastRound(usize),
}

/// Where assignment `q` finds an operand: in a variable only if no other one writes any of its scalars.
fn source(operand: &List, q: usize, results: &[List]) -> Source {
    let writers: Vec<usize> =
        (0..results.len()).filter(|&from| results[from].iter().any(|k| operand.contains(k))).collect();
    let [from] = writers[..] else { return Source::Memory };
    let result = &results[from];
    if from < q && result == operand {
        Source::ThisRound(from)
    } else if operand[1..] == result[..result.len() - 1] && !result.contains(&operand[0]) {
        Source::LastRound(from)
    } else {
        Source::Memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::ir::print_statements;

    fn c(k: usize) -> Expression {
        scalar(k)
    }

    /// The loop of the shortest rounds.
    fn of(statements: &[Statement]) -> Option<String> {
        let all: Vec<Option<Assigned>> = statements.iter().map(Assigned::new).collect();
        let (period, times) = repetitions(&all).next()?;
        Some(print_statements(&[rerolled(&all[..period * times], period, "7_0", false).0]))
    }

    #[test]
    fn assignments_that_come_again_are_a_loop() {
        let pair = |i| [Statement::set(c(20 + 2 * i), c(i) * c(10)), Statement::set(c(40), c(40) - c(20 + 2 * i))];
        let pairs: Vec<Statement> = (0..5).flat_map(pair).collect();
        let source = of(&pairs).expect("five rounds");
        assert!(source.contains("#pragma unroll 1\n    for (unsigned t = 0; t < 5; t += 1) {"), "{source}");
        assert!(source.contains("Scalar rn7_0_0_0 = c[0 + 1 * 0];"), "{source}");
        assert!(source.contains("if (t + 1 < 5) {\n            rn7_0_0_0 = c[0 + 1 * (t + 1)];"), "{source}");
        assert!(source.contains("const Scalar x0 = mn7_0_0_0 * mn7_0_0_1;"), "{source}");
        assert!(source.contains("c[20 + 2 * t] = x0;"), "{source}");
        assert!(source.contains("const Scalar x1 = c[40 + 0 * t] - x0;"), "{source}");
        assert_eq!(of(&pairs[..6]), None, "three rounds are not worth it");
    }

    /// h_{i+1} = s_i h_i: each round needs what the last one has found.
    #[test]
    fn rounds_hand_on_what_they_found() {
        let chain: Vec<Statement> = (0..6).map(|i| Statement::set(c(i + 1), c(30 + i) * c(i))).collect();
        let source = of(&chain).expect("six rounds");
        assert!(source.contains("Scalar yn7_0_0_1 = c[0];"), "{source}");
        assert!(source.contains("const Scalar x0 = mn7_0_0_0 * yn7_0_0_1;"), "{source}");
        assert!(source.contains("yn7_0_0_1 = x0;"), "{source}");
    }

    #[test]
    fn uneven_scalars_are_read_from_a_table() {
        let squares: Vec<Statement> = [3, 4, 9, 7].iter().map(|&a| Statement::set(c(50 + a), c(a) * c(a))).collect();
        let source = of(&squares).expect("four rounds");
        assert!(source.contains("static const unsigned n7_0_0_0[4] = {3, 4, 9, 7};"), "{source}");
    }

    /// Real literals are no scalars: 0 and -0 are different instructions.
    #[test]
    fn other_instructions_do_not_join() {
        let constants = |values: [f64; 4]| -> Vec<Statement> {
            (0..4).map(|i| Statement::set(c(i), Expression::real(values[i]))).collect()
        };
        assert!(of(&constants([1.0; 4])).is_some());
        assert_eq!(of(&constants([0.0, -0.0, 0.0, -0.0])), None);
        let test = Statement::when(!c(0), [Statement::Break]);
        assert_eq!(of(&vec![test; 8]), None);
    }
}
