//! Why a text is refused, and the limits of a text.

use std::fmt;

/// How large a JSON text may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Members of all objects together.
    pub members: usize,
    /// Arrays and objects inside one another.
    pub depth: usize,
    /// Whether names and strings may hold U+0000.
    pub allow_nul: bool,
}

impl Limits {
    /// A request body: 1 MiB, 10,000 members, depth 64. A database text cannot hold U+0000.
    pub const REQUEST: Self = Self { bytes: 1 << 20, members: 10_000, depth: 64, allow_nul: false };

    /// A member of a verification bundle: 64 MiB, 2,000,000 members, depth 64.
    pub const BUNDLE_MEMBER: Self =
        Self { bytes: 64 << 20, members: 2_000_000, depth: 64, allow_nul: true };

    /// The same limits for a text of at most `bytes` bytes.
    #[must_use]
    pub const fn with_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }
}

/// The first fault of a text, in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub code: FaultCode,
    /// Where: the first byte of the name, number, escape or character that is wrong.
    pub offset: usize,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.code.reason(), self.offset)
    }
}

impl std::error::Error for Fault {}

/// What a text is refused for (receipts, section 2; contract, section 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultCode {
    /// Not RFC 8259 JSON in UTF-8.
    JsonSyntax,
    /// Two members of one object with the same name.
    DuplicateKey,
    /// A number outside ±(2^53 − 1), or one too small to tell from zero.
    NumberOutOfRange,
    /// A Unicode noncharacter.
    StringNoncharacter,
    /// U+0000.
    StringNul,
    /// Too many arrays and objects inside one another.
    LimitDepth,
    /// Too many bytes.
    LimitSize,
    /// Too many members.
    LimitMembers,
}

impl FaultCode {
    /// The word of the wire.
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

    /// The same for people.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::JsonSyntax => "the text is no valid JSON",
            Self::DuplicateKey => "a member name appears twice",
            Self::NumberOutOfRange => "a number does not fit a double within ±(2^53 − 1)",
            Self::StringNoncharacter => "a string holds a Unicode noncharacter",
            Self::StringNul => "a string holds U+0000",
            Self::LimitDepth => "arrays and objects are nested too deeply",
            Self::LimitSize => "the text is too long",
            Self::LimitMembers => "the text has too many members",
        }
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
