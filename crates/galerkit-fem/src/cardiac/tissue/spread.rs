//! Something that each element has: the same everywhere, or one each.

/// A value for each element.
#[derive(Clone, Debug)]
pub enum Spread<T> {
    /// The same everywhere.
    Same(T),
    /// One each.
    Each(Vec<T>),
}

impl<T: Copy> Spread<T> {
    /// That of an element.
    pub fn of(&self, e: usize) -> T {
        match self {
            Spread::Same(value) => *value,
            Spread::Each(values) => values[e],
        }
    }

    /// Of these elements alone.
    pub fn only(&self, elements: &[usize]) -> Self {
        match self {
            Spread::Same(value) => Spread::Same(*value),
            Spread::Each(values) => Spread::Each(elements.iter().map(|e| values[*e]).collect()),
        }
    }
}
