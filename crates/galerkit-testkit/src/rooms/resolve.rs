//! Which file defines what a path names.

use super::Uses;
use super::module::{Import, Module, Segments};
use std::collections::BTreeMap;

/// Imports of imports that are followed, at most: what imports itself ends here.
const MOST: usize = 16;

/// The modules of a crate by their paths from its root.
pub(super) struct Tree {
    modules: BTreeMap<Segments, (String, Module)>,
}

/// What a path leads to.
enum Found {
    /// A module.
    Module(Segments),
    /// What is defined in a module, and its name there.
    Item(Segments, String),
}

impl Tree {
    /// From files by name. Those that no other declares, or only for tests, are left out.
    pub(super) fn new(files: BTreeMap<String, Module>) -> Self {
        let path = |file: &str| -> Segments {
            let stem = file.trim_end_matches(".rs").trim_end_matches("/mod");
            if stem == "lib" { Vec::new() } else { stem.split('/').map(String::from).collect() }
        };
        let mut all: BTreeMap<_, _> = files.into_iter().map(|(file, module)| (path(&file), (file, module))).collect();
        let (mut modules, mut open) = (BTreeMap::new(), vec![Vec::new()]);
        while let Some(path) = open.pop() {
            let Some((file, module)) = all.remove(&path) else { continue };
            open.extend(module.children.iter().map(|child| [&path[..], std::slice::from_ref(child)].concat()));
            modules.insert(path, (file, module));
        }
        Self { modules }
    }

    /// Who uses whom.
    pub(super) fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (own, (file, module)) in &self.modules {
            let used = uses.entry(file.clone()).or_default();
            let is_used = |import: &&Import| !import.is_public || module.words.contains(&import.name);
            let imported = module.imports.iter().filter(is_used).map(|import| &import.path);
            for path in imported.chain(&module.paths) {
                if let Some(Found::Item(defining, name)) = self.resolve(own, path, MOST)
                    && defining != *own
                {
                    used.entry(self.modules[&defining].0.clone()).or_default().insert(name);
                }
            }
        }
        uses
    }

    /// What a path names in a module; none if it leads out of the crate.
    fn resolve(&self, own: &Segments, path: &[String], most: usize) -> Option<Found> {
        let most = most.checked_sub(1)?;
        let (mut module, mut rest) = (own.clone(), path);
        if path[0] == "crate" {
            (module, rest) = (Vec::new(), &path[1..]);
        }
        while let Some(step @ ("self" | "super")) = rest.first().map(String::as_str) {
            if step == "super" {
                module.pop();
            }
            rest = &rest[1..];
        }
        let is_relative = rest.len() == path.len();
        for segment in rest {
            match self.look_up(&module, segment, most) {
                Some(Found::Module(next)) => module = next,
                None if is_relative && module == *own => return None, // of another crate, or a local name
                None => return Some(Found::Item(module, segment.clone())), // made by a macro, perhaps
                item => return item,
            }
        }
        Some(Found::Module(module))
    }

    /// What a name is in a module: a child, an import, or something of its own.
    fn look_up(&self, path: &Segments, name: &String, most: usize) -> Option<Found> {
        let module = &self.modules.get(path)?.1;
        let child = [&path[..], std::slice::from_ref(name)].concat();
        if self.modules.contains_key(&child) {
            return Some(Found::Module(child));
        }
        let mut imports = module.imports.iter().filter(|import| import.name == *name);
        let imported = imports.find_map(|import| self.resolve(path, &import.path, most));
        imported.or_else(|| module.defined.contains(name).then(|| Found::Item(path.clone(), name.clone())))
    }
}
