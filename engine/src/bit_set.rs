//! A bit set of rule numbers.

const WORD: usize = 64;

/// A set of integers below a fixed length.
#[derive(Clone, Debug)]
pub(crate) struct BitSet(Box<[u64]>);

impl BitSet {
    /// Creates an empty set of numbers below `length`.
    pub(crate) fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(WORD)].into())
    }

    /// Adds `number`. A number that is not below the length is ignored.
    pub(crate) fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / WORD) {
            *word |= bit(number);
        }
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.get(number / WORD).is_some_and(|word| word & bit(number) != 0)
    }

    /// Removes the numbers for which `keep` returns `false`. `keep` is called in ascending order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (word_index, word) in self.0.iter_mut().enumerate() {
            let mut remaining = *word;
            while remaining != 0 {
                let number = number(word_index, remaining.trailing_zeros());
                remaining &= remaining.wrapping_sub(1);
                if !keep(number) {
                    *word &= !bit(number);
                }
            }
        }
    }
}

const fn bit(number: usize) -> u64 {
    1 << (number % WORD)
}

#[expect(
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    reason = "below the length of the set, which is a usize"
)]
const fn number(word_index: usize, bit: u32) -> usize {
    word_index * WORD + bit as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retain_visits_each_number_once_in_ascending_order() {
        let mut bits = BitSet::new(130);
        for number in [129, 0, 63, 64, 63, 1_000] {
            bits.insert(number);
        }
        let mut members = Vec::new();
        bits.retain(|number| {
            members.push(number);
            number != 63
        });
        assert_eq!(members, [0, 63, 64, 129]);
        assert!(bits.contains(64) && !bits.contains(63) && !bits.contains(1_000));
    }
}
