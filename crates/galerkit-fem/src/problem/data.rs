//! -div(kappa grad u) + c u = f with Dirichlet, Neumann and Robin data: find u with a(u, v) = l(v) for all v that vanish on the Dirichlet
//! boundary.

use crate::assemble::element::{cell_matrix, coupling};
use crate::assemble::lift::lift;
use crate::assemble::load::{add_neumann, add_robin, cell_load};
use crate::assemble::rules::Rules;
use crate::basis::dense::Dense;
use crate::error::{Error, Result};
use crate::forest::Part;
use crate::form::{Diffusion, Field, Form, Mass, Neumann, Robin, Site, Source};
use crate::space::Space;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Forms and data on a space.
pub struct Problem {
    space: Arc<Space>,
    forms: Vec<Box<dyn Form>>,
    source: Option<Source>,
    neumann: Vec<Neumann>,
    robin: Vec<Robin>,
    dirichlet: BTreeMap<i32, Field>,
    rules: Rules,
}

impl Problem {
    /// No forms and no data yet; u = 0 on the Dirichlet boundary of the space.
    pub fn new(space: Arc<Space>) -> Self {
        let (forms, source) = (Vec::new(), None);
        let (neumann, robin, dirichlet) = (Vec::new(), Vec::new(), BTreeMap::new());
        Self { space, forms, source, neumann, robin, dirichlet, rules: Rules::default() }
    }
    /// -Laplace u = f.
    pub fn poisson(space: Arc<Space>, source: impl Into<Field>) -> Self {
        Self::new(space).form(Diffusion::new(1.0)).source(source)
    }
    /// Adds a form.
    pub fn form(mut self, form: impl Form + 'static) -> Self {
        self.forms.push(Box::new(form));
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
    /// The space it stands on.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }
    /// Its forms.
    pub fn forms(&self) -> &[Box<dyn Form>] {
        &self.forms
    }
    /// How its integrals are approximated.
    pub fn integration(&self) -> &Rules {
        &self.rules
    }
    /// An error if data are given on a tag that the boundary does not have.
    pub fn check(&self) -> Result<()> {
        let known = self.space.forest().coarse().boundary_tags();
        let used = self.neumann.iter().map(|term| term.tag).chain(self.robin.iter().map(|term| term.tag));
        match used.chain(self.dirichlet.keys().copied()).find(|tag| !known.contains(tag)) {
            Some(tag) => Err(Error::NoSuchTag { tag, known }),
            None => Ok(()),
        }
    }
    /// Coefficients of the functions that do not hang: Dirichlet data, and 0 for unknowns.
    pub fn lift(&self) -> Result<Vec<f64>> {
        let value = |tag: i32, point: &[f64; 3]| {
            self.dirichlet.get(&tag).map_or(0.0, |field| field.at(&Site { point: *point, region: 0 }))
        };
        lift(&self.space, &value)
    }
    /// The matrix of cell e, boundary terms included.
    pub fn cell_matrix(&self, e: usize) -> Result<Dense> {
        let mut K = cell_matrix(&self.space, e, &self.forms, &self.rules)?;
        add_robin(&self.space, e, &self.robin, &self.rules, &mut K)?;
        Ok(K)
    }
    /// The entries of that matrix that can differ from 0, as ones; none if that may be all of them.
    pub fn coupling(&self, e: usize) -> Result<Option<Dense>> {
        let forest = self.space.forest();
        let has_robin =
            |facet| forest.boundary_tag(e, facet).is_some_and(|tag| self.robin.iter().any(|term| term.tag == tag));
        if !self.robin.is_empty() && Part::facets(forest.dim()).any(has_robin) {
            return Ok(None);
        }
        coupling(&self.space, e, &self.forms)
    }
    /// The right-hand side of cell e, boundary terms included.
    pub fn cell_load(&self, e: usize) -> Result<Vec<f64>> {
        let mut load = match &self.source {
            Some(source) => cell_load(&self.space, e, source, &self.rules)?,
            None => vec![0.0; self.space.functions(e).len()],
        };
        add_neumann(&self.space, e, &self.neumann, &self.rules, &mut load)?;
        Ok(load)
    }
    /// K_e and f_e - K_e g_e, with g_e the local coefficients of the Dirichlet data.
    pub fn cell_system(&self, e: usize, known: &[f64]) -> Result<(Dense, Vec<f64>)> {
        let (K, mut load) = (self.cell_matrix(e)?, self.cell_load(e)?);
        let given = self.space().local(e, known);
        if given.iter().any(|g| *g != 0.0) {
            load.iter_mut().zip(K.times(&given)).for_each(|(load, Kg)| *load -= Kg);
        }
        Ok((K, load))
    }
}
