//! Authoring capabilities: a row of the list, the states, and the form of a new capability.

mod form;

use contract::{
    capability::Capability,
    error::ErrorCode,
    id::{CapabilityId, PolicyId, TenantId},
    pagination::Page,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

pub use self::form::GrantForm;
#[cfg(feature = "ssr")]
pub use self::form::version_word;
use crate::{
    flash::OneTimeSecret,
    member::names::{Names, known},
    problem::Problem,
    text::url,
};

/// A row of the list: one program with the governing grant of its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantRow {
    /// The governing grant.
    pub id: CapabilityId,
    /// The name of its key.
    pub name: String,
    pub policy: PolicyId,
    /// The policy's code and name; absent if the policy was deleted.
    pub policy_named: Option<(String, String)>,
    /// The version that the capability is for.
    pub version: u32,
    /// The permitted actions, as on the wire.
    pub actions: Vec<String>,
    /// The number of writes made.
    pub uses: u32,
    pub max_uses: Option<u32>,
    pub not_before: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    pub state: GrantState,
    /// The user who revoked it, and the time.
    pub revoked: Option<(Option<String>, Timestamp)>,
    /// The grants of the lineage, from the first to this one.
    pub links: Vec<Link>,
    /// The later open version to which it can be carried over.
    pub successor: Option<u32>,
}

/// One grant of a lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    pub version: u32,
    /// The user who issued it, and the time.
    pub issued: (Option<String>, Timestamp),
    /// The digest of the signed statement.
    pub digest: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantState {
    Live,
    NotYetValid,
    /// All its uses are consumed.
    Exhausted,
    Expired,
    Revoked,
    /// A grant of its lineage was not found.
    Missing,
    /// A grant of its lineage failed its integrity check.
    Broken,
}

impl From<Option<ErrorCode>> for GrantState {
    /// Converts the error code with which the capability's key is rejected; `None` means that it is valid.
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
    /// Returns whether it can be carried over to a later version.
    pub fn may_be_carried(self) -> bool {
        matches!(self, Self::Live | Self::NotYetValid | Self::Exhausted)
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Live => "Active",
            Self::NotYetValid => "Not yet valid",
            Self::Exhausted => "Limit reached",
            Self::Expired => "Expired",
            Self::Revoked => "Revoked",
            Self::Missing => "Grant missing",
            Self::Broken => "Integrity check failed",
        }
    }
}

impl GrantRow {
    /// Creates the row of a grant lineage, first grant first, with the names of users and keys. Returns
    /// `None` if there are no grants.
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

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantsPage {
    pub tenant: TenantId,
    /// One page of the list, newest first.
    pub rows: Page<GrantRow>,
    /// The data of the form of a new capability; absent if the user cannot issue one.
    pub offer: Option<IssueFormData>,
    /// The key of a capability that was just issued.
    pub secret: Option<OneTimeSecret>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IssueFormData {
    pub next: CapabilityId,
    /// The open versions: the value of the form, and the label.
    pub versions: Vec<(String, String)>,
    /// The form value of the preselected version; empty for none.
    pub version: String,
    /// Why issuing was rejected, and the input.
    pub refused: Option<(Problem, GrantForm)>,
}

/// The page that carries over or revokes one capability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrantPage {
    pub tenant: TenantId,
    pub row: GrantRow,
    /// Whether the user can carry over and revoke.
    pub may_act: bool,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
}

/// An action on a capability that has its own page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GrantAct {
    /// Carry over to a later version.
    Carry,
    Revoke,
}

impl GrantAct {
    /// Returns the address of its page.
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

    #[test]
    fn every_capability_state_has_its_own_label() {
        let codes = ErrorCode::ALL.iter().filter(|code| {
            let suffix = code.as_str().strip_prefix("AUTHORING_CAPABILITY_");
            suffix.is_some_and(|suffix| !["OUT_OF_SCOPE", "OBJECT_MISMATCH"].contains(&suffix))
        });
        let mut labels: Vec<&str> =
            codes.map(|code| GrantState::from(Some(*code)).label()).collect();
        labels.push(GrantState::Live.label());
        let total = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!((labels.len(), total), (7, 7), "{labels:?}");
    }
}
