//! The rule type `pattern`: a string must match, or must not match, a regular expression.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, FieldErrors, JsonPath, ObjectReader},
};
use regex::{Regex, RegexBuilder};

use super::violation::{FailedCheck, ViolationCollector};
use crate::{
    byte_budget::ResultTooLarge,
    context_values::ContextValues,
    field::{Field, SlotTable},
    member, reason,
};

/// The maximum length of a pattern in characters.
const CHARS_MAX: usize = 1_000;
/// The maximum memory of a compiled pattern that is not big, in bytes.
const SMALL_BYTES_MAX: usize = 1 << 18;
/// The maximum memory of a big pattern in bytes. The module `parse` limits their number per version.
const BIG_BYTES_MAX: usize = 1 << 22;
/// The maximum memory of the lazy DFA cache of a pattern per thread, in bytes.
const CACHE_BYTES_MAX: usize = 1 << 18;
/// The maximum nesting depth of groups and repetitions.
const NESTING_MAX: u32 = 50;

/// `{field, matches | forbids}`
#[derive(Debug)]
pub(crate) struct Pattern {
    field: Field,
    compiled: CompiledPattern,
    forbids: bool,
}

#[derive(Debug)]
struct CompiledPattern {
    regex: Regex,
    is_big: bool,
}

impl Pattern {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>, names: &mut SlotTable) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let matches = members.optional("matches", compiled_pattern);
        let forbids = members.optional("forbids", compiled_pattern);
        members.exactly_one_of(&["matches", "forbids"])?;
        Some(Self { field: field?, forbids: forbids.is_some(), compiled: matches.or(forbids)? })
    }

    /// Returns whether the compiled pattern uses much memory.
    pub(crate) fn is_big(&self) -> bool {
        self.compiled.is_big
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        let Some(value) = context.value(&self.field) else {
            return collector.missing(&self.field.name);
        };
        let regex = &self.compiled.regex;
        let (code, problem) = match value.as_str() {
            None => (ReasonCode::PatternMismatch, "not a string"),
            Some(text) => match (regex.is_match(text), self.forbids) {
                (false, false) => (ReasonCode::PatternMismatch, "which does not match the pattern"),
                (true, true) => (ReasonCode::PatternForbidden, "which matches a forbidden pattern"),
                _ => return Ok(()),
            },
        };
        let verb = if self.forbids { "does not match" } else { "matches" };
        let reason = format!("{} is {}, {problem}", self.field.name, reason::display(value));
        let failure = FailedCheck::new(code, format!("{verb} {}", regex.as_str()), reason);
        collector.add(failure.field(&self.field).actual(value))
    }
}

fn compiled_pattern(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<CompiledPattern> {
    let pattern = read::text(1, CHARS_MAX)(value, at, errors)?;
    let mut result = compile(&pattern, SMALL_BYTES_MAX);
    let is_big = matches!(result, Err(regex::Error::CompiledTooBig(_)));
    if is_big {
        result = compile(&pattern, BIG_BYTES_MAX);
    }
    match result {
        Ok(regex) => return Some(CompiledPattern { regex, is_big }),
        Err(regex::Error::CompiledTooBig(_)) => {
            let message =
                "is too large when compiled: use fewer repetitions, or write [0-9] for \\d";
            errors.push(at, "too_big", message);
        }
        Err(error) => {
            errors.push(at, "format", format!("is not a regular expression: {}", message(&error)));
        }
    }
    None
}

/// Compiles the pattern of a form field, which must not be big.
///
/// # Errors
/// Returns a description of the error.
pub(crate) fn compile_small(pattern: &str) -> Result<Regex, String> {
    compile(pattern, SMALL_BYTES_MAX).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => {
            "is too large when compiled: use fewer repetitions".to_owned()
        }
        error => format!("is not a regular expression: {}", message(&error)),
    })
}

fn compile(pattern: &str, bytes_max: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .size_limit(bytes_max)
        .dfa_size_limit(CACHE_BYTES_MAX)
        .nest_limit(NESTING_MAX)
        .build()
}

/// Returns the last line of a syntax error. The lines before it show the pattern.
fn message(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
