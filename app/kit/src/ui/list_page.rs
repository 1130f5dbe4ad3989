//! A page of a list that can be read in both directions.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListPage<T> {
    pub items: Vec<T>,
    /// The cursor of the page with newer items; absent on the first page.
    pub newer: Option<String>,
    /// The cursor of the page with older items; absent on the last page.
    pub older: Option<String>,
}

impl<T> Default for ListPage<T> {
    fn default() -> Self {
        Self { items: Vec::new(), newer: None, older: None }
    }
}

impl<T> ListPage<T> {
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> ListPage<U> {
        let items = self.items.into_iter().map(convert).collect();
        ListPage { items, newer: self.newer, older: self.older }
    }
}
