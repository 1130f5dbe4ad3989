//! `pattern`: a text that matches, or must not match, a regular expression.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, At, Errors, Members},
};
use regex::{Regex, RegexBuilder};

use crate::{
    facts::Facts,
    field::{Field, Names},
    member, reason,
    report::{Failure, Report},
};

/// How long a pattern may be, in characters.
const CHARS_MAX: usize = 1_000;
/// How much memory a compiled pattern takes, unless it is a big one.
const SMALL_BYTES_MAX: usize = 1 << 18;
/// How much memory a big pattern may take. A version may have few of these, see `author`.
const BIG_BYTES_MAX: usize = 1 << 22;
/// How much memory each thread may take to speed one pattern up.
const CACHE_BYTES_MAX: usize = 1 << 18;
/// How deep groups and repetitions may stand within each other.
const NESTING_MAX: u32 = 50;

/// `{field, matches | forbids}`
#[derive(Debug)]
pub(crate) struct Pattern {
    field: Field,
    compiled: Compiled,
    forbids: bool,
}

#[derive(Debug)]
struct Compiled {
    regex: Regex,
    is_big: bool,
}

impl Pattern {
    pub(crate) fn read(members: &mut Members<'_, '_>, names: &mut Names) -> Option<Self> {
        let field = members.required("field", member::field(names));
        let matches = members.optional("matches", compiled);
        let forbids = members.optional("forbids", compiled);
        members.exactly_one_of(&["matches", "forbids"])?;
        Some(Self { field: field?, forbids: forbids.is_some(), compiled: matches.or(forbids)? })
    }

    /// Whether the compiled pattern takes much memory.
    pub(crate) fn is_big(&self) -> bool {
        self.compiled.is_big
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        let Some(value) = facts.value(&self.field) else {
            return report.missing(&self.field.name);
        };
        let regex = &self.compiled.regex;
        let (code, told) = match value.as_str() {
            None => (ReasonCode::PatternMismatch, "not a text"),
            Some(text) => match (regex.is_match(text), self.forbids) {
                (false, false) => (ReasonCode::PatternMismatch, "which does not match the pattern"),
                (true, true) => (ReasonCode::PatternForbidden, "which matches a forbidden pattern"),
                _ => return,
            },
        };
        let verb = if self.forbids { "does not match" } else { "matches" };
        let reason = format!("{} is {}, {told}", self.field.name, reason::shown(value));
        let failure = Failure::new(code, format!("{verb} {}", regex.as_str()), reason);
        report.add(failure.field(&self.field).actual(value));
    }
}

fn compiled(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Compiled> {
    let pattern = read::text(1, CHARS_MAX)(value, at, errors)?;
    let mut built = compile(&pattern, SMALL_BYTES_MAX);
    let is_big = matches!(built, Err(regex::Error::CompiledTooBig(_)));
    if is_big {
        built = compile(&pattern, BIG_BYTES_MAX);
    }
    match built {
        Ok(regex) => return Some(Compiled { regex, is_big }),
        Err(regex::Error::CompiledTooBig(_)) => {
            let message = "is too big when compiled: repeat less, or write [0-9] for \\d";
            errors.push(at, "too_big", message);
        }
        Err(fault) => {
            errors.push(at, "format", format!("is not a regular expression: {}", told(&fault)));
        }
    }
    None
}

/// A pattern of a form, which is never a big one.
///
/// # Errors
/// What is wrong with it, in words.
pub(crate) fn small(pattern: &str) -> Result<Regex, String> {
    compile(pattern, SMALL_BYTES_MAX).map_err(|fault| match fault {
        regex::Error::CompiledTooBig(_) => "is too big when compiled: repeat less".to_owned(),
        fault => format!("is not a regular expression: {}", told(&fault)),
    })
}

fn compile(pattern: &str, bytes_max: usize) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern)
        .size_limit(bytes_max)
        .dfa_size_limit(CACHE_BYTES_MAX)
        .nest_limit(NESTING_MAX)
        .build()
}

/// The last line of a syntax error; those before it draw the pattern.
fn told(fault: &regex::Error) -> String {
    let text = fault.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
