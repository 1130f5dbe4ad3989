//! Filters of lists. [`ListFilter`] declares the parameters of a list once: for the query of the API, its description in
//! the `OpenAPI` document, and the address of the page in the console.
//!
//! ```
//! use contract::{chain::ChainStatus, filter::ListFilter};
//!
//! #[derive(Debug, ListFilter)]
//! pub struct ChainFilter {
//!     /// Only chains with this status.
//!     pub status: Option<ChainStatus>,
//!     /// Only chains of this case.
//!     #[filter(page = "case", max = 100)]
//!     pub case_number: Option<String>,
//! }
//! assert_eq!(ChainFilter::CASE_NUMBER.page, "case");
//! ```

pub use contract_derive::ListFilter;

use crate::{string_enum::StringEnum, time::Timestamp};

/// The filters of a list. The derive macro also defines a constant with the [`Parameter`] of each field.
pub trait ListFilter: Sized {
    /// Reads the filters.
    fn read(reader: &mut impl FilterReader) -> Self;
}

/// A source of filters, such as the query of a request. It keeps what is wrong with them.
pub trait FilterReader {
    /// Reads a value. Returns `None` if it is absent or invalid.
    fn read<T: FilterValue>(&mut self, parameter: Parameter) -> Option<T>;
}

/// A parameter that filters a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name in a query of the API: the name of the field. Without one, only the console has the filter.
    pub name: Option<&'static str>,
    /// The name in the address of the page.
    pub page: &'static str,
    /// What it selects: the documentation of the field.
    pub description: &'static str,
    /// The maximum number of characters of a text.
    pub max: usize,
    /// Which end of a time range it is.
    pub end: Option<RangeEnd>,
}

/// An end of a time range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeEnd {
    /// The earliest time, inclusive. It is read before the latest.
    From,
    /// The latest time, inclusive.
    To,
}

impl From<Parameter> for &'static str {
    fn from(parameter: Parameter) -> Self {
        parameter.page
    }
}

/// A value of a filter.
pub trait FilterValue: Sized {
    /// The format of the value.
    const FORMAT: Format;

    /// Parses the value.
    fn parse(text: &str) -> Option<Self>;
}

/// The format of the value of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `true` or `false`.
    Boolean,
    /// A UUID.
    Id,
    /// One of these names.
    Name(&'static [&'static str]),
    /// A whole number of at least 1, such as the number of a version.
    Ordinal,
    /// A text of at least one character.
    Text,
    /// An RFC 3339 timestamp.
    Time,
}

impl<T: StringEnum> FilterValue for T {
    const FORMAT: Format = Format::Name(T::NAMES);

    fn parse(text: &str) -> Option<Self> {
        T::from_name(text)
    }
}

impl FilterValue for String {
    const FORMAT: Format = Format::Text;

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

macro_rules! parsed {
    ($($type:ty: $format:ident = $parse:expr),+ $(,)?) => {$(
        impl FilterValue for $type {
            const FORMAT: Format = Format::$format;

            fn parse(text: &str) -> Option<Self> {
                $parse(text)
            }
        }
    )+};
}

parsed! {
    bool: Boolean = |text: &str| text.parse().ok(),
    u32: Ordinal = |text: &str| text.parse::<std::num::NonZeroU32>().ok().map(Into::into),
    Timestamp: Time = |text: &str| text.parse().ok(),
}
