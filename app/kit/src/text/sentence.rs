//! Sentences with marked names and values.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::messages::capitalize;

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Piece {
    Words(String),
    /// The name of a field of the context.
    Field(String),
    /// A value, formatted as JSON.
    Value(String),
}

/// A sentence as a list of parts. Its `Display` output is plain text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence(pub Vec<Piece>);

impl Sentence {
    #[must_use]
    pub fn words(mut self, words: &str) -> Self {
        self.0.push(Piece::Words(words.to_owned()));
        self
    }

    #[must_use]
    pub fn field(mut self, name: &str) -> Self {
        self.0.push(Piece::Field(name.to_owned()));
        self
    }

    #[must_use]
    pub fn value(mut self, value: impl Into<String>) -> Self {
        self.0.push(Piece::Value(value.into()));
        self
    }

    #[must_use]
    pub fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends `parts` as an enumeration: "a, b and c", with `last` between the last two.
    #[must_use]
    pub fn list(mut self, parts: Vec<Self>, last: &str) -> Self {
        let count = parts.len();
        for (index, part) in parts.into_iter().enumerate() {
            if index > 0 {
                self = self.words(if index + 1 == count { last } else { ", " });
            }
            self = self.then(part);
        }
        self
    }

    /// Appends a full stop, and capitalizes a word at the beginning.
    #[must_use]
    pub fn finish(mut self) -> Self {
        if let Some(Piece::Words(first)) = self.0.first_mut() {
            *first = capitalize(first);
        }
        self.words(".")
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| match piece {
            Piece::Words(text) | Piece::Field(text) | Piece::Value(text) => f.write_str(text),
        })
    }
}
