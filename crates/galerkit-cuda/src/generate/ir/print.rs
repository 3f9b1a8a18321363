//! The printer: the only place where the IR becomes CUDA C++. Parentheses stand where precedence needs them, a
//! statement has a line.

mod expression;
mod leaf;
mod precedence;

use super::{
    Assignment, Declaration, Expression, Kernel, Loop, Placement, Statement, Storage, Table, Type, Unroll, Variable,
    name,
};
use leaf::{source_of_label, source_of_table, source_of_type};
use precedence::Precedence;
use std::fmt::Write;

/// The source of a kernel.
pub fn kernel(kernel: &Kernel) -> String {
    let bounds = kernel.bounds.map_or(String::new(), |bounds| format!(" __launch_bounds__({bounds})"));
    let mut printer = Printer::default();
    let name = &kernel.name;
    let _ = write!(printer.out, "extern \"C\" __global__ void{bounds} {name}(const __grid_constant__ Args a) ");
    printer.block(&kernel.body);
    printer.out + "\n"
}

/// The source of a struct with these members.
pub fn structure(name: &str, members: &[Statement]) -> String {
    let mut printer = Printer::default();
    let _ = write!(printer.out, "struct {name} ");
    printer.block(members);
    printer.out + ";\n"
}

/// The source of statements.
#[cfg(test)]
pub fn statements(statements: &[Statement]) -> String {
    let mut printer = Printer::default();
    statements.iter().for_each(|statement| printer.line(statement));
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn indent(&mut self) {
        (0..self.depth).for_each(|_| self.out += "    ");
    }

    fn line(&mut self, statement: &Statement) {
        // Labels and pragmas stand at the margin.
        if let Statement::For(head) = statement {
            let _ = match head.unroll {
                Unroll::AsItLikes => Ok(()),
                Unroll::By(rounds) => writeln!(self.out, "#pragma unroll {rounds}"),
                Unroll::Fully => writeln!(self.out, "#pragma unroll"),
            };
        }
        self.indent();
        self.statement(statement);
        self.out += "\n";
    }

    fn block(&mut self, statements: &[Statement]) {
        self.out += "{\n";
        self.depth += 1;
        statements.iter().for_each(|statement| self.line(statement));
        self.depth -= 1;
        self.indent();
        self.out += "}";
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Fixed(source) => self.out += source,
            Statement::Declare(declaration) => self.declaration(declaration),
            Statement::Table(Table { name: part, placement: Placement::PartOfTables(begin), .. }) => {
                self.out += "const unsigned *";
                self.name(part);
                self.around(" = ", &(name("tables") + begin.clone()), ";");
            }
            Statement::Table(table) => self.out += &source_of_table(table),
            Statement::Assign(target, operator, value) => {
                self.assignment(target, *operator, value);
                self.out += ";";
            }
            Statement::Evaluate(value) => self.around("", value, ";"),
            Statement::If(condition, then, otherwise) => {
                self.around("if (", condition, ") ");
                self.block(then);
                if !otherwise.is_empty() {
                    self.out += " else ";
                    self.block(otherwise);
                }
            }
            Statement::For(head) => self.head(head),
            Statement::Forever(body) => {
                self.out += "for (;;) ";
                self.block(body);
            }
            Statement::Once(body) => {
                self.out += "do ";
                self.block(body);
                self.out += " while (false);";
            }
            Statement::Block(body) => self.block(body),
            Statement::Break => self.out += "break;",
            Statement::Return(None) => self.out += "return;",
            Statement::Return(Some(value)) => self.around("return ", value, ";"),
            Statement::Goto(label) => {
                let _ = write!(self.out, "goto {};", source_of_label(label));
            }
            Statement::Label(label) => {
                let _ = write!(self.out, "{}:", source_of_label(label));
            }
            Statement::SelectVariant(value) => self.around("const unsigned variant = ", value, ";"),
        }
    }

    /// An expression between two fixed pieces.
    fn around(&mut self, before: &str, value: &Expression, behind: &str) {
        self.out += before;
        self.expression(value, Precedence::Any);
        self.out += behind;
    }

    fn name(&mut self, Variable { stem, id }: &Variable) {
        let _ = write!(self.out, "{stem}{id}");
    }

    fn declaration(&mut self, Declaration { storage, kind, name, size, value }: &Declaration) {
        self.out += match storage {
            Storage::Register => "",
            Storage::Constant => "const ",
            Storage::Shared => "__shared__ ",
        };
        self.kind(*kind);
        self.name(name);
        if let Some(size) = size {
            self.around("[", size, "]");
        }
        if let Some(value) = value {
            self.around(" = ", value, "");
        }
        self.out += ";";
    }

    /// A type before a name: a star stands at the name.
    fn kind(&mut self, kind: Type) {
        let source = source_of_type(kind);
        self.out += &source;
        self.out += if source.ends_with('*') { "" } else { " " };
    }

    fn assignment(&mut self, target: &Expression, operator: Assignment, value: &Expression) {
        self.expression(target, Precedence::Any);
        self.out += match operator {
            Assignment::Set => " = ",
            Assignment::Add => " += ",
            Assignment::Subtract => " -= ",
        };
        self.expression(value, Precedence::Any);
    }

    fn head(&mut self, head: &Loop) {
        self.out += "for (";
        self.kind(head.kind);
        for (at, (name, value)) in head.start.iter().enumerate() {
            self.out += if at > 0 { ", " } else { "" };
            self.name(name);
            self.around(" = ", value, "");
        }
        self.around("; ", &head.condition, "; ");
        for (at, (target, operator, value)) in head.step.iter().enumerate() {
            self.out += if at > 0 { ", " } else { "" };
            self.assignment(target, *operator, value);
        }
        self.out += ") ";
        self.block(&head.body);
    }
}
