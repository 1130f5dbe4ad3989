//! The list of chains and its filters.

use contract::chain::{Chain, ChainFilter, ChainStatus};
use serde::{Deserialize, Serialize};

use super::list_words;
use crate::{
    text::query::{ListQuery, non_empty},
    ui::list_page::ListPage,
};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainList {
    pub page: ListPage<Chain>,
    /// The error in the filters, if any.
    pub error: Option<String>,
}

/// The filters of the list. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainQuery {
    /// `open` or `sealed`.
    pub status: String,
    /// The ID of a chain.
    pub chain: String,
    pub cursor: String,
}

impl ListQuery for ChainQuery {
    fn filters(&self) -> Vec<(&'static str, &str)> {
        vec![("status", self.status.as_str()), ("chain", self.chain.as_str())]
    }
}

impl ChainQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self { status: text("status"), chain: text("chain"), cursor: text("cursor") }
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub fn filter(&self) -> Result<ChainFilter, &'static str> {
        let status = match &*self.status {
            "" => None,
            "open" => Some(ChainStatus::Open),
            "sealed" => Some(ChainStatus::Sealed),
            _ => return Err(list_words::BAD_STATUS),
        };
        let chain_id = non_empty(&self.chain).map(|chain| chain.parse()).transpose();
        Ok(ChainFilter { status, chain_id: chain_id.map_err(|_| list_words::BAD_CHAIN)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_and_invalid_ones_are_reported() {
        let query = |status: &str, chain: &str| ChainQuery {
            status: status.to_owned(),
            chain: chain.to_owned(),
            cursor: String::new(),
        };
        let filter = query("sealed", "").filter().unwrap();
        assert_eq!((filter.status, filter.chain_id), (Some(ChainStatus::Sealed), None));
        assert_eq!(query("closed", "").filter(), Err(list_words::BAD_STATUS));
        assert_eq!(query("", "7").filter(), Err(list_words::BAD_CHAIN));
        assert_eq!(query("open", "").address("/c", "x"), "/c?status=open&cursor=x");
    }
}
