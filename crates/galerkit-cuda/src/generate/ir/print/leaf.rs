//! Types, labels and tables as source.

use crate::generate::ir::{Label, Placement, Table, Type, Values, Variable};
use std::borrow::Cow;

/// A type.
pub fn source_of_type(kind: Type) -> Cow<'static, str> {
    let source = match kind {
        Type::Scalar => "Scalar",
        Type::Single => "Single",
        Type::Offset => "Offset",
        Type::Unsigned => "unsigned",
        Type::Int => "int",
        Type::Bool => "bool",
        Type::Double => "double",
        Type::Scalars => "const Scalar *",
        Type::Singles => "const Single *",
        Type::Map(map) => return format!("map{map}::Map").into(),
        Type::Named(name) => name,
    };
    source.into()
}

/// A label.
pub fn source_of_label(Label { stem, path }: &Label) -> String {
    stem.to_string() + &joined(path, "_")
}

/// The declaration of a table.
pub fn source_of_table(Table { name: Variable { stem, id }, values, placement }: &Table) -> String {
    let memory = match placement {
        Placement::Constant => "static __constant__ const",
        Placement::OfLaunch(begin) => return format!("const unsigned *{stem}{id} = a.tables + {begin};"),
        Placement::Global | Placement::PartOfTables(_) => "static const",
    };
    let (kind, size, list) = match values {
        Values::Integers(list) => ("unsigned", format!("[{}]", list.len().max(1)), joined(list, ", ")),
        Values::Reals(list) => {
            let reals: Vec<String> = list.iter().map(|&bits| format!("{:e}", f64::from_bits(bits))).collect();
            ("double", format!("[{}]", list.len()), reals.join(", "))
        }
        Values::Rows(rows) => {
            let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
            let lists: Vec<String> = rows.iter().map(|row| format!("{{{}}}", joined(row, ", "))).collect();
            ("unsigned", format!("[{}][{longest}]", rows.len()), lists.join(", "))
        }
    };
    format!("{memory} {kind} {stem}{id}{size} = {{{list}}};")
}

fn joined(list: &[impl ToString], separator: &str) -> String {
    list.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}
