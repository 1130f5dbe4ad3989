//! The results of a search.

use contract::{
    evaluation::Verdict,
    id::{DecisionId, TenantId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::words as strings;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPage {
    pub tenant: TenantId,
    pub text: String,
    pub decisions: Vec<DecisionResult>,
    /// The other results by kind. Kinds without results are left out.
    pub groups: Vec<ResultGroup>,
}

impl SearchPage {
    pub fn is_empty(&self) -> bool {
        self.decisions.is_empty() && self.groups.is_empty()
    }

    /// Returns the object whose ID is the text, unless it is a decision.
    pub fn object(&self) -> Option<&SearchResult> {
        let group = self.groups.iter().find(|group| group.kind == ResultKind::Ids)?;
        group.results.first()
    }

    /// Returns the number of results.
    pub fn total(&self) -> usize {
        let grouped: usize = self.groups.iter().map(|group| group.results.len()).sum();
        self.decisions.len() + grouped
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionResult {
    pub id: DecisionId,
    pub decision_type: String,
    pub verdict: Verdict,
    pub recorded_at: Timestamp,
}

/// The results of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultGroup {
    pub kind: ResultKind,
    pub results: Vec<SearchResult>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResultKind {
    /// The object whose ID is the text.
    Ids,
    /// The entry of a digest in the transparency log.
    Digests,
    Actions,
    Policies,
    Rules,
    Members,
    Forms,
    Settings,
    Pages,
}

impl ResultKind {
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ids => strings::IDS,
            Self::Digests => strings::DIGESTS,
            Self::Actions => strings::ACTIONS,
            Self::Policies => strings::POLICIES,
            Self::Rules => strings::RULES,
            Self::Members => strings::MEMBERS,
            Self::Forms => strings::FORMS,
            Self::Settings => strings::SETTINGS,
            Self::Pages => strings::PAGES,
        }
    }
}

/// The results of the command palette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaletteResults {
    /// The options of the list as HTML; empty without results.
    pub html: String,
    /// The number of results as text.
    pub status: String,
}

/// A link to what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResult {
    pub href: String,
    pub label: String,
    /// A code or another detail that distinguishes equal labels.
    pub detail: Option<String>,
}
