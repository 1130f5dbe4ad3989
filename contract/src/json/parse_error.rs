//! Parse errors of JSON texts, and the limits of a text.

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at byte {offset}", .code.reason())]
pub struct ParseError {
    /// The kind of error.
    pub code: ParseErrorCode,
    /// The byte offset of the invalid name, number, escape or character.
    pub offset: usize,
}

crate::named_enum! {
    /// The kind of a parse error (receipts, section 2; contract, section 1).
    pub enum ParseErrorCode {
        /// The text is not RFC 8259 JSON in UTF-8.
        JsonSyntax = "JSON_SYNTAX",
        /// Two members of an object have the same name.
        DuplicateKey = "DUPLICATE_KEY",
        /// A number is outside ±(2^53 − 1), or is not zero but too small for a double.
        NumberOutOfRange = "NUMBER_OUT_OF_RANGE",
        /// A string contains a Unicode noncharacter.
        StringNoncharacter = "STRING_NONCHARACTER",
        /// A string contains U+0000.
        StringNul = "STRING_NUL",
        /// Arrays and objects are nested too deeply.
        LimitDepth = "LIMIT_DEPTH",
        /// The text has too many bytes.
        LimitSize = "LIMIT_SIZE",
        /// The text has too many members.
        LimitMembers = "LIMIT_MEMBERS",
    }
}

impl ParseErrorCode {
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
