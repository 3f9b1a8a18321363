//! What is solved: -div(kappa grad u) = f with boundary data, from expressions, and the problem that they make on a
//! space.

use super::agreement::{Disagreement, disagreement};
use super::condition::{Condition, Kind, Value};
use super::domain::Domain;
use super::{Source, SpacePlan};
use crate::args::Poisson;
use anyhow::{Context, Result, bail};
use galerkit::fem::assemble::rules::Rules;
use galerkit::fem::expression::Coefficient;
use galerkit::fem::forest::grading::Target;
use galerkit::fem::form::{Field, Neumann, Robin};
use galerkit::fem::{Expression, Mesh, Problem};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Gauss points beyond p + 1 where data are singular.
const EXTRA_AT_CORNERS: usize = 6;

/// The entries of kappa where it is a matrix.
const PLANE: &str = "xx,xy,yy in the plane";
const SPACE: &str = "xx,xy,xz,yy,yz,zz in space";

/// Coefficients and boundary data.
#[derive(Clone, Debug)]
pub struct Data {
    /// kappa.
    pub kappa: Coefficient,
    /// The solution, if it is known.
    pub exact: Option<Expression>,
    rhs: Option<Expression>,
    conditions: Vec<Condition>,
    rules: Rules,
}

/// Boundary data by tag.
#[derive(Clone, Debug)]
pub struct Boundary {
    kinds: BTreeMap<i32, Kind>,
}

impl Data {
    /// From the command line, or the model problem of the domain.
    pub fn new(arguments: &Poisson, space: &SpacePlan) -> Result<Self> {
        let read = |option: &str, text: &str| {
            text.parse::<Expression>().with_context(|| format!("--{option} is no function of x, y, z"))
        };
        let given = |option: &str, text: &Option<String>| text.as_deref().map(|text| read(option, text)).transpose();
        let (mut exact, mut rhs) = (given("exact", &arguments.exact)?, given("rhs", &arguments.rhs)?);
        let kappa = arguments.kappa.as_deref().map(str::parse::<Coefficient>).transpose();
        let kappa = kappa.context("--kappa is neither a function of x, y, z nor the entries of a matrix")?;
        let mut typed = [
            ("dirichlet", arguments.dirichlet.clone()),
            ("neumann", arguments.neumann.clone()),
            ("robin", arguments.robin.clone()),
        ];
        let is_said = exact.is_some() || rhs.is_some() || typed.iter().any(|(_, list)| !list.is_empty());
        let domain = match space.source {
            Source::Domain(domain, _) => Some(domain),
            Source::File(_) => None,
        };
        if let Some(model) = domain.and_then(Domain::model).filter(|_| !is_said) {
            exact = Some(model.exact.parse()?);
            rhs = if kappa.is_none() { Some(model.rhs.parse()?) } else { None };
            typed[0].1 = model.dirichlet.iter().map(|text| (*text).into()).collect();
            typed[1].1 = model.neumann.iter().map(|text| (*text).into()).collect();
        }
        let mut conditions = Vec::new();
        for (option, list) in &typed {
            for text in list {
                conditions.push(Condition::new(option, text, exact.is_some())?);
            }
        }
        let is_smooth = exact.is_none() && rhs.as_ref().is_none_or(|rhs| rhs.constant().is_some());
        let rules = rules(domain.filter(|_| !is_smooth), space);
        Ok(Self { kappa: kappa.unwrap_or_else(|| Coefficient::number(1.0)), exact, rhs, conditions, rules })
    }

    /// The conditions by tag; a piece of the boundary that none names has u = exact, or u = 0.
    pub fn boundary(&self, mesh: &Mesh) -> Result<Boundary> {
        self.check_variables(mesh.dim())?;
        if let Some(dim) = self.kappa.dim().filter(|&dim| dim != mesh.dim()) {
            let (found, needed) = (self.kappa.entries().len(), if dim == 2 { SPACE } else { PLANE });
            bail!("--kappa has {found} entries, which is for {dim}D: it is one expression, or {needed}");
        }
        let pieces = Pieces::of(mesh)?;
        let mut kinds = BTreeMap::new();
        for condition in &self.conditions {
            let Some(name) = &condition.tag else { continue };
            if kinds.insert(pieces.tag(name)?, condition.kind.clone()).is_some() {
                bail!("the piece {name} of the boundary has two conditions: leave one out");
            }
        }
        let mut rest = self.conditions.iter().filter(|condition| condition.tag.is_none());
        let usual = || match &self.exact {
            Some(_) => Kind::Dirichlet(Value::Exact),
            None => Kind::Dirichlet(Value::Given(Expression::number(0.0))),
        };
        let of_rest = rest.next().map_or_else(usual, |condition| condition.kind.clone());
        if rest.next().is_some() {
            bail!("two conditions name no piece of the boundary: write TAG=EXPR; the pieces are {}", pieces.known());
        }
        for tag in pieces.tags {
            kinds.entry(tag).or_insert_with(|| of_rest.clone());
        }
        Ok(Boundary { kinds })
    }

    /// In words where the exact solution is none of the problem that was stated.
    pub fn disagreement(&self, mesh: &Mesh) -> Option<String> {
        let Disagreement { point: [x, y, z], follows, stated } =
            disagreement(self.exact.as_ref()?, &self.kappa, self.rhs.as_ref()?, mesh)?;
        let place = if mesh.dim() == 2 { format!("({x:.3}, {y:.3})") } else { format!("({x:.3}, {y:.3}, {z:.3})") };
        Some(format!(
            "note: --exact does not solve this problem: at {place} its -div(kappa grad u) is {follows:.6} and --rhs is \
             {stated:.6}; errors are distances from another function. Leave --rhs out, or correct one of both"
        ))
    }

    /// In the plane there is no z.
    fn check_variables(&self, dim: usize) -> Result<()> {
        let of_conditions = self.conditions.iter().flat_map(|condition| condition.kind.expressions());
        let mut all = self.kappa.entries().iter().chain(&self.exact).chain(&self.rhs).chain(of_conditions);
        match all.find(|expression| dim == 2 && expression.depends_on(2)) {
            Some(expression) => bail!("{expression} depends on z, but the domain lies in the plane: use x and y"),
            None => Ok(()),
        }
    }

    /// The problem on a space.
    pub fn problem<V>(&self, space: Arc<V>, boundary: &Boundary) -> Problem<V> {
        let start = Problem::new(space).form(self.kappa.diffusion());
        let problem = start.source(self.source()).rules(self.rules.clone());
        boundary.kinds.iter().fold(problem, |problem, (&tag, kind)| self.add(problem, tag, kind))
    }

    fn source(&self) -> Field {
        match (&self.rhs, &self.exact) {
            (Some(rhs), _) => rhs.clone().into(),
            (None, Some(exact)) => {
                let (exact, kappa) = (exact.clone(), self.kappa.clone());
                Field::of(move |x| kappa.minus_divergence(&exact, x).0)
            }
            (None, None) => 1.0.into(),
        }
    }

    fn add<V>(&self, problem: Problem<V>, tag: i32, kind: &Kind) -> Problem<V> {
        let exact = || self.exact.clone().expect("checked when the condition was read");
        let exact_flux = || {
            let (exact, kappa) = (exact(), self.kappa.clone());
            Neumann::vector(tag, move |x| kappa.flux(&exact, x))
        };
        match kind {
            Kind::Dirichlet(Value::Given(u)) => problem.dirichlet(tag, u.clone()),
            Kind::Dirichlet(Value::Exact) => problem.dirichlet(tag, exact()),
            Kind::Neumann(Value::Given(g)) => problem.neumann(Neumann::new(tag, g.clone())),
            Kind::Neumann(Value::Exact) => problem.neumann(exact_flux()),
            Kind::Robin(alpha, g) => {
                let problem = problem.robin(Robin::new(tag, alpha.clone()));
                let Value::Given(g) = g else {
                    let (u, alpha) = (exact(), alpha.clone());
                    let exchange = Neumann::new(tag, Field::of(move |x| alpha.at(x) * u.at(x)));
                    return problem.neumann(exact_flux()).neumann(exchange);
                };
                problem.neumann(Neumann::new(tag, g.clone()))
            }
        }
    }
}

impl Boundary {
    /// The pieces on which u is given.
    pub fn dirichlet(&self) -> Vec<i32> {
        let is_given = |kind: &Kind| matches!(kind, Kind::Dirichlet(_));
        self.kinds.iter().filter(|(_, kind)| is_given(kind)).map(|(tag, _)| *tag).collect()
    }
}

/// The pieces of a mesh's boundary.
struct Pieces {
    tags: Vec<i32>,
    names: BTreeMap<i32, String>,
}

impl Pieces {
    fn of(mesh: &Mesh) -> Result<Self> {
        let mut tags: Vec<i32> = mesh.boundary()?.facets.iter().map(|facet| facet.tag).collect();
        tags.sort_unstable();
        tags.dedup();
        let of_boundary = mesh.names.iter().filter(|((dim, _), _)| dim + 1 == mesh.dim());
        Ok(Self { tags, names: of_boundary.map(|((_, tag), name)| (*tag, name.clone())).collect() })
    }
    fn tag(&self, name: &str) -> Result<i32> {
        let named = self.names.iter().find(|(_, known)| *known == name).map(|(tag, _)| *tag);
        match named.or_else(|| name.parse().ok()).filter(|tag| self.tags.contains(tag)) {
            Some(tag) => Ok(tag),
            None => bail!("the boundary has no piece '{name}': there are {}", self.known()),
        }
    }
    fn known(&self) -> String {
        let name = |tag: &i32| self.names.get(tag).map_or(tag.to_string(), |name| format!("{name} ({tag})"));
        self.tags.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// Graded towards the corner where data may be singular there.
fn rules(domain: Option<Domain>, space: &SpacePlan) -> Rules {
    let is_graded = |domain: &Domain| domain.is_singular() || space.geometric.is_some();
    match domain.filter(is_graded).and_then(Domain::target) {
        Some(Target::Point(point)) => Rules { singular: vec![point], extra: EXTRA_AT_CORNERS, ..Rules::default() },
        _ => Rules::default(),
    }
}
