//! Parse errors of JSON texts, and the limits of a text.

use std::fmt;

/// The limits of a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of bytes of the text.
    pub bytes: usize,
    /// The maximum total number of members of all objects.
    pub members: usize,
    /// The maximum nesting depth of arrays and objects.
    pub depth: usize,
    /// Whether names and strings may contain U+0000.
    pub allow_nul: bool,
}

impl Limits {
    /// The limits of a request body: 1 MiB, 10,000 members, depth 64, no U+0000, which the database cannot
    /// store.
    pub const REQUEST: Self = Self { bytes: 1 << 20, members: 10_000, depth: 64, allow_nul: false };

    /// The limits of a file of a verification bundle: 64 MiB, 2,000,000 members, depth 64.
    pub const BUNDLE_FILE: Self =
        Self { bytes: 64 << 20, members: 2_000_000, depth: 64, allow_nul: true };

    /// Returns the same limits with a maximum of `bytes` bytes.
    #[must_use]
    pub const fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }
}

/// The first error of a JSON text in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The kind of error.
    pub code: ParseErrorCode,
    /// The byte offset of the invalid name, number, escape or character.
    pub offset: usize,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.code.reason(), self.offset)
    }
}

impl std::error::Error for ParseError {}

/// The kind of a parse error (receipts, section 2; contract, section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParseErrorCode {
    /// The text is not RFC 8259 JSON in UTF-8.
    JsonSyntax,
    /// Two members of an object have the same name.
    DuplicateKey,
    /// A number is outside ±(2^53 − 1), or is not zero but too small for a double.
    NumberOutOfRange,
    /// A string contains a Unicode noncharacter.
    StringNoncharacter,
    /// A string contains U+0000.
    StringNul,
    /// Arrays and objects are nested too deeply.
    LimitDepth,
    /// The text has too many bytes.
    LimitSize,
    /// The text has too many members.
    LimitMembers,
}

impl ParseErrorCode {
    /// Returns the wire name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JsonSyntax => "JSON_SYNTAX",
            Self::DuplicateKey => "DUPLICATE_KEY",
            Self::NumberOutOfRange => "NUMBER_OUT_OF_RANGE",
            Self::StringNoncharacter => "STRING_NONCHARACTER",
            Self::StringNul => "STRING_NUL",
            Self::LimitDepth => "LIMIT_DEPTH",
            Self::LimitSize => "LIMIT_SIZE",
            Self::LimitMembers => "LIMIT_MEMBERS",
        }
    }

    /// Returns a description of the error for people.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::JsonSyntax => "the text is not valid JSON",
            Self::DuplicateKey => "a member name occurs more than once",
            Self::NumberOutOfRange => "a number does not fit a double within ±(2^53 − 1)",
            Self::StringNoncharacter => "a string contains a Unicode noncharacter",
            Self::StringNul => "a string contains U+0000",
            Self::LimitDepth => "arrays and objects are nested too deeply",
            Self::LimitSize => "the text is too long",
            Self::LimitMembers => "the text has too many members",
        }
    }
}

impl fmt::Display for ParseErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
