//! -div(kappa grad u) + c u = f with Dirichlet, Neumann and Robin data: find u with a(u, v) = l(v) for all v that
//! vanish on the Dirichlet boundary.

use crate::assemble::rules::Rules;
use crate::error::{Error, Result};
use crate::form::{Diffusion, Field, Form, Mass, Neumann, Robin, Site, Source};
use crate::space::Space;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Forms and data on a space V_h.
pub struct Problem<V = Space> {
    pub(crate) space: Arc<V>,
    pub(crate) forms: Vec<Arc<dyn Form>>,
    pub(crate) source: Option<Source>,
    pub(crate) neumann: Vec<Neumann>,
    pub(crate) robin: Vec<Robin>,
    pub(crate) dirichlet: BTreeMap<i32, Field>,
    pub(crate) rules: Rules,
}

impl<V> Problem<V> {
    /// No forms and no data yet; u = 0 on the Dirichlet boundary of the space.
    pub fn new(space: Arc<V>) -> Self {
        let (forms, source) = (Vec::new(), None);
        let (neumann, robin, dirichlet) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { space, forms, source, neumann, robin, dirichlet, rules: Rules::default() }
    }
    /// -Laplace u = f.
    pub fn poisson(space: Arc<V>, source: impl Into<Field>) -> Self {
        Self::new(space).form(Diffusion::new(1.0)).source(source)
    }
    /// Adds a form.
    pub fn form(mut self, form: impl Form + 'static) -> Self {
        self.forms.push(Arc::new(form));
        self
    }
    /// Adds int c u v.
    pub fn mass(self, density: impl Into<Field>) -> Self {
        self.form(Mass::new(density))
    }
    /// Sets f.
    pub fn source(mut self, density: impl Into<Field>) -> Self {
        self.source = Some(Source::new(density));
        self
    }
    /// Adds a flux through the boundary.
    pub fn neumann(mut self, neumann: Neumann) -> Self {
        self.neumann.push(neumann);
        self
    }
    /// Adds a Robin term; its g is Neumann data.
    pub fn robin(mut self, robin: Robin) -> Self {
        self.robin.push(robin);
        self
    }
    /// Sets the values on the pieces of the Dirichlet boundary with a tag.
    pub fn dirichlet(mut self, tag: i32, values: impl Into<Field>) -> Self {
        self.dirichlet.insert(tag, values.into());
        self
    }
    /// Sets how integrals are approximated.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }
    /// The same forms and conditions on another space over the same coarse mesh, with data 0: for its matrix.
    pub fn homogeneous_on(&self, space: Arc<V>) -> Self {
        let mut other = Self::new(space).rules(self.rules.clone());
        (other.forms, other.robin) = (self.forms.clone(), self.robin.clone());
        other
    }
    /// The space it stands on.
    pub fn space(&self) -> &Arc<V> {
        &self.space
    }
    /// Its forms.
    pub fn forms(&self) -> &[Arc<dyn Form>] {
        &self.forms
    }
    /// How its integrals are approximated.
    pub fn integration(&self) -> &Rules {
        &self.rules
    }
    /// An error if data are given on a tag that the boundary does not have.
    pub(crate) fn check_tags(&self, known: Vec<i32>) -> Result<()> {
        let used = self.neumann.iter().map(|term| term.tag).chain(self.robin.iter().map(|term| term.tag));
        match used.chain(self.dirichlet.keys().copied()).find(|tag| !known.contains(tag)) {
            Some(tag) => Err(Error::NoSuchTag { tag, known }),
            None => Ok(()),
        }
    }
    /// The Dirichlet data of a tag at a point; 0 where none are given.
    pub(crate) fn boundary_value(&self, tag: i32, point: &[f64; 3]) -> f64 {
        self.dirichlet.get(&tag).map_or(0.0, |field| field.at(&Site { point: *point, region: 0 }))
    }
}
