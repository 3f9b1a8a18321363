//! What blocks keep of maps in shared memory, before anything else: `kernels/held.cuh`.

use super::Persistent;
use crate::generate::ir::{Expression, Statement, Type, Variable, call, name};

impl Persistent<'_> {
    /// The maps of which blocks keep their part, behind the scalars.
    pub(super) fn hold(&self) -> Vec<Statement> {
        let (kept, all) = (|k: usize| Variable::new("kept", k), |k: usize| Expression::Argument("m", k));
        let several = |maps: usize| (maps > 1).then(|| maps.into());
        let mut hold = Vec::new();
        for (k, maps) in self.names.held_spaces() {
            hold.push(Statement::shared(Type::Map(k), kept(k), several(maps)));
            let either = call("either", [kept(k).value(), all(k)]);
            hold.push(Statement::variable(Type::Named("const auto &"), Variable::new("held", k), either));
        }
        if hold.is_empty() {
            return hold;
        }
        let behind = call("room_behind", [name("room"), self.shared.into(), name("a.room")]);
        hold.push(Statement::variable(Type::Named("Room"), Variable::only("free"), behind));
        for (_, k, index, changes) in self.names.held_maps() {
            let [kept, stored] = [kept(k).value(), all(k)].map(|all| self.names.one_of(k, all, index));
            hold.push(Statement::Evaluate(match changes {
                true => call("keep_elsewhere", [kept, stored]),
                false => call("keep", [kept, stored, name("free")]),
            }));
        }
        hold.push(Statement::Fixed("__syncthreads();"));
        hold
    }
}
