//! Pagination of lists with opaque cursors.

use contract_derive::wire;

/// The default number of items per page.
pub const LIMIT_DEFAULT: u32 = 50;

/// The maximum number of items per page.
pub const LIMIT_MAX: u32 = 200;

/// A page of a list, newest first.
#[wire]
pub struct Page<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The cursor of the next page; `null` on the last page.
    #[wire(null)]
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Returns the page with each item converted by `convert`.
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(convert).collect(), next_cursor: self.next_cursor }
    }
}
