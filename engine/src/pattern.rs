//! Regular expressions of rules and form fields. Nothing else compiles one.
//!
//! The syntax is that of RE2. `\d`, `\w`, `\s` and `\b` are ASCII; `.`, literals and `\p{…}` match whole Unicode
//! scalar values.

mod ascii;
mod ecma;

use contract::{
    json::Value,
    read::{self, FieldErrors, JsonPath},
};
use regex_automata::{
    meta,
    nfa::thompson::{self, NFA, WhichCaptures},
};
use regex_syntax::{ParserBuilder, hir::Hir};

pub(crate) use self::ecma::to_ecma;

/// The maximum length of a pattern in characters.
const CHARS_MAX: usize = 1_000;
/// The maximum number of automaton states of a saved pattern, which limits the work for one byte of text.
pub(crate) const STATES_MAX: usize = 1_000;
/// The maximum number of automaton states of all patterns that are saved together.
const TOTAL_STATES_MAX: usize = 10_000;
/// The maximum memory of an automaton in bytes. Stored patterns can have more states than new ones.
const BYTES_MAX: usize = 1 << 22;
/// The maximum memory of the lazy DFA cache of a pattern per thread, in bytes.
const CACHE_BYTES_MAX: usize = 1 << 18;
/// The maximum nesting depth of groups and repetitions.
const NESTING_MAX: u32 = 50;

/// A pattern, ready for matching.
#[derive(Debug)]
pub(crate) struct CompiledPattern {
    source: Box<str>,
    regex: meta::Regex,
    states: usize,
}

/// The reason why a pattern cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PatternError {
    /// The description of a syntax error.
    #[error("is not a regular expression: {0}")]
    Syntax(String),
    /// The automaton has too many states.
    #[error(
        "has more than {STATES_MAX} states when compiled: use fewer repetitions and smaller character classes"
    )]
    TooLarge,
    /// The automata of all patterns together have too many states.
    #[error(
        "exceeds the limit of {TOTAL_STATES_MAX} states of all patterns together: use fewer or simpler patterns"
    )]
    SumTooLarge,
    /// An earlier pattern exceeded the sum, and this one was only parsed.
    #[error("was not compiled")]
    NotCompiled,
}

impl CompiledPattern {
    /// Compiles a pattern, within `budget` if it is saved. A stored pattern may have more states than a new one.
    ///
    /// # Errors
    /// Returns a syntax error, or that the automaton is too large.
    pub(crate) fn new(
        pattern: &str,
        budget: Option<&mut StateBudget>,
    ) -> Result<Self, PatternError> {
        let hir = parse(pattern)?;
        if budget.as_ref().is_some_and(|budget| budget.is_exceeded()) {
            return Err(PatternError::NotCompiled);
        }
        let states = automaton(&hir)?.states().len();
        if let Some(budget) = budget {
            budget.spend(states)?;
        }
        let config = meta::Config::new()
            .which_captures(WhichCaptures::Implicit)
            .nfa_size_limit(Some(BYTES_MAX))
            .hybrid_cache_capacity(CACHE_BYTES_MAX);
        let regex = meta::Builder::new().configure(config).build_from_hir(&hir);
        let regex = regex.map_err(|_| PatternError::TooLarge)?;
        Ok(Self { source: pattern.into(), regex, states })
    }

    /// Reads a pattern of a rule.
    pub(crate) fn read(
        value: &Value,
        at: &JsonPath<'_>,
        errors: &mut FieldErrors,
        budget: Option<&mut StateBudget>,
    ) -> Option<Self> {
        let pattern = read::text(1, CHARS_MAX)(value, at, errors)?;
        match Self::new(&pattern, budget) {
            Ok(compiled) => Some(compiled),
            // The version has the error of the pattern that exceeded the sum.
            Err(PatternError::NotCompiled) => None,
            Err(error) => {
                errors.push(at, error.code(), error.to_string());
                None
            }
        }
    }

    /// Returns whether the pattern matches anywhere in `text`.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn states(&self) -> usize {
        self.states
    }

    /// Returns the memory of the automaton and its cache in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        // A cache grows with its use. It needs at least a few machine words for each state.
        let cache = self.states.saturating_mul(64).min(CACHE_BYTES_MAX);
        self.regex.memory_usage().saturating_add(cache)
    }
}

impl PatternError {
    /// The code of the field error.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Syntax(_) => "format",
            Self::TooLarge | Self::SumTooLarge | Self::NotCompiled => "value",
        }
    }
}

/// The states of the patterns that are saved together: those of a version or of a form.
#[derive(Debug, Default)]
pub(crate) struct StateBudget {
    used: usize,
}

impl StateBudget {
    /// Returns whether the patterns so far exceed the sum, so that further ones need not be compiled.
    fn is_exceeded(&self) -> bool {
        self.used > TOTAL_STATES_MAX
    }

    /// Adds the states of a pattern.
    ///
    /// # Errors
    /// Returns that the pattern has too many states, or that it exceeds the sum.
    fn spend(&mut self, states: usize) -> Result<(), PatternError> {
        if states > STATES_MAX {
            return Err(PatternError::TooLarge);
        }
        self.used = self.used.saturating_add(states);
        if self.is_exceeded() { Err(PatternError::SumTooLarge) } else { Ok(()) }
    }
}

/// Parses a pattern.
///
/// # Errors
/// Returns a syntax error.
pub(crate) fn parse(pattern: &str) -> Result<Hir, PatternError> {
    let rewritten = ascii::rewrite(pattern, NESTING_MAX)?;
    // A rewritten class or assertion is nested deeper by a group and a bracket.
    let nesting_max = NESTING_MAX.saturating_add(2);
    let parsed = ParserBuilder::new().nest_limit(nesting_max).build().parse(&rewritten);
    parsed.map_err(|error| PatternError::Syntax(message(&error)))
}

/// Compiles the automaton that [`CompiledPattern`] matches with.
fn automaton(hir: &Hir) -> Result<NFA, PatternError> {
    let config = thompson::Config::new()
        .which_captures(WhichCaptures::Implicit)
        .nfa_size_limit(Some(BYTES_MAX));
    let automaton = NFA::compiler().configure(config).build_from_hir(hir);
    automaton.map_err(|_| PatternError::TooLarge)
}

/// Returns the last line of a syntax error. The lines before it show the pattern.
fn message(error: &impl ToString) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
