//! A set of rule numbers, as bits.

const WORD: usize = 64;

/// A set of whole numbers below a fixed length.
#[derive(Clone, Debug)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// The empty set, for numbers below `length`.
    pub(crate) fn new(length: usize) -> Self {
        Self(vec![0; length.div_ceil(WORD)].into())
    }

    /// Adds `number`; one that is not below the length is ignored.
    pub(crate) fn insert(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / WORD) {
            *word |= bit(number);
        }
    }

    /// Whether `number` is in the set.
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0.get(number / WORD).is_some_and(|word| word & bit(number) != 0)
    }

    /// Keeps the numbers for which `keep` holds; it is asked in rising order.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(usize) -> bool) {
        for (place, word) in self.0.iter_mut().enumerate() {
            let mut unasked = *word;
            while unasked != 0 {
                let number = number(place, unasked.trailing_zeros());
                unasked &= unasked.wrapping_sub(1);
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
const fn number(place: usize, bit: u32) -> usize {
    place * WORD + bit as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_in_rising_order_and_once() {
        let mut bits = Bits::new(130);
        for number in [129, 0, 63, 64, 63, 1_000] {
            bits.insert(number);
        }
        let mut seen = Vec::new();
        bits.retain(|number| {
            seen.push(number);
            number != 63
        });
        assert_eq!(seen, [0, 63, 64, 129]);
        assert!(bits.contains(64) && !bits.contains(63) && !bits.contains(1_000));
    }
}
