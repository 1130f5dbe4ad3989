//! Authoring capabilities: a row of the list, what ends a grant, and the form of a new one.

mod form;

use contract::{
    capability::Capability,
    error::ErrorCode,
    id::{CapabilityId, PolicyId, TenantId},
    page::Page,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub use self::form::{GrantForm, version_word};
use super::{
    kept::Made,
    people::{Names, known},
};
use crate::{problem::Problem, text::url};

/// A row of the list: one program, with the grant that governs its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantRow {
    /// The governing grant.
    pub id: CapabilityId,
    /// What its key is called.
    pub name: String,
    /// The policy.
    pub policy: PolicyId,
    /// The policy's code and name; a policy may be gone.
    pub policy_named: Option<(String, String)>,
    /// The version that the grant names.
    pub version: u32,
    /// What it allows, in the words of the wire.
    pub actions: Vec<String>,
    /// How many writes were made.
    pub uses: u32,
    /// How many writes it allows.
    pub max_uses: Option<u32>,
    /// From when it holds.
    pub not_before: Option<Timestamp>,
    /// From then on it does not.
    pub expires_at: Option<Timestamp>,
    /// Whether it opens anything now.
    pub state: GrantState,
    /// Who revoked it, and when.
    pub revoked: Option<(Option<String>, Timestamp)>,
    /// The grants from the first one to this one.
    pub links: Vec<Link>,
    /// The later open version to which it could be carried.
    pub successor: Option<u32>,
}

/// One grant of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The version that it names.
    pub version: u32,
    /// Who issued it, and when.
    pub issued: (Option<String>, Timestamp),
    /// The digest of the signed statement.
    pub digest: String,
}

/// Whether a grant opens anything, or why it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantState {
    /// It does.
    Live,
    /// Its time has not come.
    NotYetValid,
    /// It has no uses left.
    Exhausted,
    /// Its time is over.
    Expired,
    /// It was revoked.
    Revoked,
    /// A grant of its chain is not there.
    Missing,
    /// Its chain is not what was signed.
    Broken,
}

impl From<Option<ErrorCode>> for GrantState {
    /// Of the code with which the grant's key is refused; none while it is let in.
    fn from(ended: Option<ErrorCode>) -> Self {
        match ended {
            None => Self::Live,
            Some(ErrorCode::AuthoringCapabilityNotYetValid) => Self::NotYetValid,
            Some(ErrorCode::AuthoringCapabilityExhausted) => Self::Exhausted,
            Some(ErrorCode::AuthoringCapabilityExpired) => Self::Expired,
            Some(ErrorCode::AuthoringCapabilityRevoked) => Self::Revoked,
            Some(ErrorCode::AuthoringCapabilityMissing) => Self::Missing,
            Some(_) => Self::Broken,
        }
    }
}

impl GrantState {
    /// Whether it can go on with a later version.
    pub fn may_be_carried(self) -> bool {
        matches!(self, Self::Live | Self::NotYetValid | Self::Exhausted)
    }
}

impl GrantRow {
    /// The row of a chain of grants, first grant first, with people and keys by their names.
    /// Nothing of no grants.
    pub fn new(grants: Vec<Capability>, ended: Option<ErrorCode>, names: &Names) -> Option<Self> {
        let who = |id: String| known(Some(id), names);
        let link = |grant: &Capability| Link {
            version: grant.version,
            issued: (who(grant.issued_by.to_string()), grant.issued_at),
            digest: grant.grant_digest.clone(),
        };
        let links = grants.iter().map(link).collect();
        let last = grants.into_iter().next_back()?;
        let key = last.api_key_id.to_string();
        Some(Self {
            id: last.id,
            name: names.get(&key).cloned().unwrap_or(key),
            policy: last.policy_id,
            policy_named: None,
            version: last.version,
            actions: last.actions.iter().map(ToString::to_string).collect(),
            uses: last.uses,
            max_uses: last.max_uses,
            not_before: last.not_before,
            expires_at: last.expires_at,
            state: ended.into(),
            revoked: last.revoked_at.map(|at| (last.revoked_by.and_then(who), at)),
            links,
            successor: None,
        })
    }
}

/// The list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantsPage {
    /// The tenant.
    pub tenant: TenantId,
    /// One page of the list, newest first.
    pub rows: Page<GrantRow>,
    /// What the form of a new grant is made of; nothing for whoever may not issue any.
    pub offer: Option<Offer>,
    /// The key of a grant that was issued a moment ago.
    pub made: Option<Made>,
}

/// What the form of a new grant is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// The id that the next grant will have.
    pub next: CapabilityId,
    /// Each open version: the form's word for it, and what people call it.
    pub versions: Vec<(String, String)>,
    /// The word of the version that the page was opened for; empty for none.
    pub version: String,
    /// Why none was issued, and what was typed.
    pub refused: Option<(Problem, GrantForm)>,
}

/// One grant, before it is carried or revoked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantPage {
    /// The tenant.
    pub tenant: TenantId,
    /// The grant.
    pub row: GrantRow,
    /// Whether the person may carry and revoke.
    pub may_act: bool,
    /// Why the act was refused a moment ago.
    pub refused: Option<Problem>,
}

/// An act on a grant that has a page of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantAct {
    /// Going on with a later version.
    Carry,
    /// Ending it.
    Revoke,
}

impl GrantAct {
    /// Its page.
    pub fn page(self, tenant: TenantId, id: CapabilityId) -> String {
        match self {
            Self::Carry => url::carry_grant(tenant, id),
            Self::Revoke => url::revoke_grant(tenant, id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

    #[test]
    fn each_way_to_end_has_a_label_of_its_own() {
        let codes = ErrorCode::ALL.iter().filter(|code| {
            let of_state = code.as_str().strip_prefix("AUTHORING_CAPABILITY_");
            of_state.is_some_and(|rest| !["OUT_OF_SCOPE", "OBJECT_MISMATCH"].contains(&rest))
        });
        let mut labels: Vec<&str> =
            codes.map(|code| words::capability::state(Some(*code).into())).collect();
        labels.push(words::capability::state(GrantState::Live));
        let all = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!((labels.len(), all), (7, 7), "{labels:?}");
    }
}
