//! Cursor lists.

use serde::{Deserialize, Serialize};

/// How many items a page has when the caller names no number.
pub const LIMIT_DEFAULT: u32 = 50;

/// How many items a page has at the most.
pub const LIMIT_MAX: u32 = 200;

/// One page of a list, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// Where the next page starts; `null` on the last one.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// The same page with each item made into something else.
    pub fn map<U>(self, make: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(make).collect(), next_cursor: self.next_cursor }
    }
}
