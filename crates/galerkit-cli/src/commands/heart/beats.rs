//! Every beat of every node: the program keeps the last, the host collects it whenever it looks, which is more often
//! than anything can beat.

use galerkit::fem::cardiac::crossings::NEVER;
use galerkit::fem::cardiac::functional::Located;

/// Activation and repolarisation in ms; the latter is [`NEVER`] until it comes.
type Beat = [f64; 2];

/// Beats by node, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beats {
    of: Vec<Vec<Beat>>,
}

impl Beats {
    /// Takes what has come since the last look.
    pub fn note(&mut self, [up, down]: [Vec<f64>; 2]) {
        self.of.resize(up.len(), Vec::new());
        for ((beats, &up), &down) in self.of.iter_mut().zip(&up).zip(&down) {
            if up == NEVER {
                continue;
            }
            if beats.last().is_none_or(|last| last[0] != up) {
                // The end of the beat before may have come in the same time.
                if let Some([begun, ended]) = beats.last_mut()
                    && *begun < down
                    && down < up
                {
                    *ended = down;
                }
                beats.push([up, NEVER]);
            }
            if let Some([begun, ended]) = beats.last_mut()
                && *begun < down
            {
                *ended = down;
            }
        }
    }

    /// The most beats that a node has.
    pub fn most(&self) -> usize {
        self.of.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Times of the n-th beat, from 1, by nodes.
    pub fn times(&self, number: usize) -> [Vec<f64>; 2] {
        let of = |beats: &Vec<Beat>| beats.get(number - 1).copied().unwrap_or([NEVER; 2]);
        [0, 1].map(|k| self.of.iter().map(|beats| of(beats)[k]).collect())
    }

    /// At a point: one beat after the other.
    pub fn at(&self, probe: &Located) -> Vec<[Option<f64>; 2]> {
        let value = |times: Vec<f64>| probe.value(&times, |time| time != NEVER);
        let beats = (1..=self.most()).map(|number| self.times(number).map(value));
        beats.take_while(|[up, _]| up.is_some()).collect()
    }

    /// As numbers.
    pub fn numbers(&self) -> Vec<f64> {
        let of =
            |beats: &Vec<Beat>| std::iter::once(beats.len() as f64).chain(beats.iter().flatten().copied()).collect();
        self.of.iter().flat_map(|beats| -> Vec<f64> { of(beats) }).collect()
    }

    /// From such numbers.
    pub fn of_numbers(mut numbers: &[f64]) -> Self {
        let mut of = Vec::new();
        while let Some((&count, rest)) = numbers.split_first() {
            let (beats, rest) = rest.split_at((2 * count as usize).min(rest.len()));
            of.push(beats.chunks_exact(2).map(|beat| [beat[0], beat[1]]).collect());
            numbers = rest;
        }
        Self { of }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beats_are_collected_once_each_and_keep_their_ends() {
        let mut beats = Beats::default();
        for [up, down] in [[NEVER, NEVER], [3.0, NEVER], [3.0, NEVER], [3.0, 8.0], [12.0, 8.0], [30.0, 20.0]] {
            beats.note([vec![up, NEVER], vec![down, NEVER]]);
        }
        assert_eq!(beats.of, [vec![[3.0, 8.0], [12.0, 20.0], [30.0, NEVER]], vec![]]);
        assert_eq!((beats.most(), beats.times(2)), (3, [vec![12.0, NEVER], vec![20.0, NEVER]]));
        assert_eq!(Beats::of_numbers(&beats.numbers()), beats);
    }
}
