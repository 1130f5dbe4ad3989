//! The limit of what a result repeats of its context.

use contract::json::Value;

/// The maximum size of the violations and not-applicable reasons of a result, in bytes.
///
/// A value of the context is repeated in each violation and reason that shows it. Without a limit, a context of
/// 1 MiB would cause results of gigabytes. Texts of the rules themselves are not counted, because each occurs once.
/// The limit leaves room for 20,000 ordinary violations, and a bundle (64 MiB) contains a result three times.
pub const RESULT_BYTES_MAX: usize = 8 << 20;

/// The maximum size in bytes of what a violation contains besides values and names.
const VIOLATION_BYTES: usize = 200;

/// The error for a context whose violations and reasons exceed [`RESULT_BYTES_MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the violations would take more than {} MiB", RESULT_BYTES_MAX >> 20)]
pub struct ResultTooLarge;

/// The bytes that a result may still use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ByteBudget {
    left: usize,
}

impl Default for ByteBudget {
    fn default() -> Self {
        Self { left: RESULT_BYTES_MAX }
    }
}

impl ByteBudget {
    /// Subtracts a violation with texts of `text_bytes` that shows `value`.
    pub(crate) fn spend_violation(
        &mut self,
        text_bytes: usize,
        value: Option<&Value>,
    ) -> Result<(), ResultTooLarge> {
        self.spend(VIOLATION_BYTES)?;
        self.spend(text_bytes)?;
        value.map_or(Ok(()), |value| self.spend_value(value))
    }

    /// Subtracts the size of a value as JSON, and stops as soon as the limit is exceeded.
    pub(crate) fn spend_value(&mut self, value: &Value) -> Result<(), ResultTooLarge> {
        match value {
            Value::Null | Value::Bool(_) => self.spend(5),
            Value::Number(_) => self.spend(24),
            Value::String(text) => self.spend_string(text),
            Value::Array(elements) => {
                self.spend(2)?;
                elements.iter().try_for_each(|element| {
                    self.spend(1)?;
                    self.spend_value(element)
                })
            }
            Value::Object(members) => {
                self.spend(2)?;
                members.iter().try_for_each(|(name, member)| {
                    self.spend_string(name)?;
                    self.spend(2)?;
                    self.spend_value(member)
                })
            }
        }
    }

    fn spend_string(&mut self, text: &str) -> Result<(), ResultTooLarge> {
        self.spend(text.len().saturating_add(2))?;
        // A control character is written as `\u0000`.
        let escaped = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).count();
        self.spend(escaped.saturating_mul(5))
    }

    fn spend(&mut self, bytes: usize) -> Result<(), ResultTooLarge> {
        self.left = self.left.checked_sub(bytes).ok_or(ResultTooLarge)?;
        Ok(())
    }
}
