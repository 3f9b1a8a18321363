//! Tokens to a tree, by precedence: comparisons, sums, products, signs, powers (from the right).

use super::names::{CONSTANTS, FUNCTIONS, OF_SEVERAL, VARIABLES, known};
use super::number;
use super::token::{Problem, Token, tokens};
use super::tree::{Comparison, Operation, Tree};

/// Parentheses and signs within each other: more would exhaust the stack.
const DEEPEST: usize = 200;

/// The tree of a text, or the character at which it cannot be read and why.
pub(super) fn parse(text: &str) -> Result<Tree, Problem> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, depth: 0 };
    if parser.tokens.len() == 1 {
        return Err((0, "the expression is empty: write a number or a function of x, y, z".into()));
    }
    let tree = parser.comparison()?;
    match parser.token() {
        Token::End => Ok(tree),
        Token::Sign(")") => parser.fail("this parenthesis closes none"),
        Token::Sign(",") => parser.fail("a comma stands only between the arguments of a function"),
        _ => parser.fail("an operator is missing before this; products are written with *"),
    }
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
}

const COMPARISONS: [(&str, Comparison); 6] =
    [("<", f64::lt), ("<=", f64::le), (">", f64::gt), (">=", f64::ge), ("==", f64::eq), ("!=", f64::ne)];

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.at].1
    }
    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, Problem> {
        Err((self.tokens[self.at].0, problem.into()))
    }
    /// Takes a sign if it stands here.
    fn takes(&mut self, sign: &str) -> bool {
        let stands = matches!(self.token(), Token::Sign(found) if *found == sign);
        self.at += usize::from(stands);
        stands
    }
    fn comparison(&mut self) -> Result<Tree, Problem> {
        let left = self.sum()?;
        let found = COMPARISONS.iter().find(|(sign, _)| self.takes(sign));
        let Some((_, holds)) = found else { return Ok(left) };
        Ok(of(Operation::Compare(*holds), left, self.sum()?))
    }
    fn sum(&mut self) -> Result<Tree, Problem> {
        self.row([("+", Operation::Add), ("-", Operation::Subtract)], Self::product)
    }
    fn product(&mut self) -> Result<Tree, Problem> {
        self.row([("*", Operation::Multiply), ("/", Operation::Divide)], Self::signed)
    }
    /// Operations of the same precedence, from the left.
    fn row(
        &mut self,
        operations: [(&str, Operation); 2],
        next: fn(&mut Self) -> Result<Tree, Problem>,
    ) -> Result<Tree, Problem> {
        let mut left = next(self)?;
        while let Some((_, operation)) = operations.iter().find(|(sign, _)| self.takes(sign)) {
            left = of(*operation, left, next(self)?);
        }
        Ok(left)
    }
    fn signed(&mut self) -> Result<Tree, Problem> {
        if self.takes("-") {
            return Ok(Tree::Negated(Box::new(self.nested(Self::signed)?)).folded());
        }
        if self.takes("+") { self.nested(Self::signed) } else { self.power() }
    }
    fn power(&mut self) -> Result<Tree, Problem> {
        let base = self.atom()?;
        if self.takes("^") || self.takes("**") {
            return Ok(of(Operation::Power, base, self.nested(Self::signed)?));
        }
        Ok(base)
    }
    fn nested<T>(&mut self, next: impl FnOnce(&mut Self) -> Result<T, Problem>) -> Result<T, Problem> {
        if self.depth == DEEPEST {
            return self.fail(format!("more than {DEEPEST} parentheses and signs within each other"));
        }
        self.depth += 1;
        let inner = next(self)?;
        self.depth -= 1;
        Ok(inner)
    }
    fn atom(&mut self) -> Result<Tree, Problem> {
        match self.token().clone() {
            Token::Number(value) => {
                self.at += 1;
                Ok(Tree::Constant(value))
            }
            Token::Name(name) => self.named(&name),
            Token::Sign("(") => {
                let opened = self.at;
                self.at += 1;
                let inner = self.nested(Self::comparison)?;
                self.close(opened)?;
                Ok(inner)
            }
            Token::Sign(sign) => self.fail(format!("a number, a name or a parenthesis is expected, '{sign}' came")),
            Token::End => self.fail("a number, a name or a parenthesis is missing at the end"),
        }
    }
    fn close(&mut self, opened: usize) -> Result<(), Problem> {
        if self.takes(")") {
            return Ok(());
        }
        match self.token() {
            Token::End => Err((self.tokens[opened].0, "this parenthesis is not closed".into())),
            _ => self.fail("a closing parenthesis or an operator is expected"),
        }
    }
    fn named(&mut self, name: &str) -> Result<Tree, Problem> {
        if let Some(axis) = VARIABLES.iter().position(|known| *known == name) {
            self.at += 1;
            return Ok(Tree::Variable(axis));
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(known, _)| *known == name) {
            self.at += 1;
            return Ok(Tree::Constant(*value));
        }
        if let Some((_, function)) = FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let [argument] = self.arguments(name)?;
            return Ok(Tree::Call(*function, Box::new(argument)).folded());
        }
        match OF_SEVERAL.iter().find(|(known, _)| *known == name) {
            Some((_, 3)) => Ok(Tree::If(Box::new(self.arguments(name)?)).folded()),
            Some(_) => Ok(Tree::Of(operation(name), Box::new(self.arguments(name)?)).folded()),
            None => self.fail(format!("unknown name '{name}'; known are {}", known())),
        }
    }
    /// (a, b, ...): as many as the function takes.
    fn arguments<const N: usize>(&mut self, name: &str) -> Result<[Tree; N], Problem> {
        let start = self.tokens[self.at].0;
        self.at += 1;
        let opened = self.at;
        if !self.takes("(") {
            return self.fail(format!("the arguments of {name} stand in parentheses: {name}(...)"));
        }
        let mut arguments = vec![self.nested(Self::comparison)?];
        while self.takes(",") {
            arguments.push(self.nested(Self::comparison)?);
        }
        self.close(opened)?;
        let found = arguments.len();
        arguments.try_into().map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            (start, format!("{name} takes {N} argument{plural}, {found} came"))
        })
    }
}

fn operation(name: &str) -> Operation {
    match name {
        "min" => Operation::Minimum,
        "max" => Operation::Maximum,
        "pow" => Operation::Power,
        "hypot" => Operation::Function(number::hypot),
        _ => Operation::Function(number::atan2),
    }
}

fn of(operation: Operation, left: Tree, right: Tree) -> Tree {
    Tree::Of(operation, Box::new([left, right])).folded()
}
