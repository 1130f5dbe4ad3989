//! The form of an action on a version.

use contract::{
    id::{PolicyId, TenantId},
    policy::VersionStatus,
};
use serde::{Deserialize, Serialize};

use super::actions::VersionAction;
use crate::text::url;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActionForm {
    pub act: VersionAction,
    pub tenant: TenantId,
    pub policy: PolicyId,
    pub version: u32,
    /// The revision that the user has read.
    pub revision: u32,
    /// The digest of the rules that the user has read.
    pub digest: String,
    /// The status that the user has seen.
    pub status: VersionStatus,
    /// For an activation: the number of the active version that the user has seen, empty if there was none.
    #[serde(default)]
    pub replaces: Option<String>,
    /// The note or the reason.
    #[serde(default)]
    pub text: String,
    /// The review record with requested changes that a submission addresses.
    #[serde(default)]
    pub answers: String,
    /// Present if the user ticked the box that confirms reading.
    #[serde(default)]
    pub read: Option<String>,
    /// Present if the user ticked the box that confirms the submission of the rules of the active version.
    #[serde(default)]
    pub same_rules: Option<String>,
}

impl ActionForm {
    /// Returns the page that contains the form.
    pub fn page(&self) -> String {
        let version = url::version(self.tenant, self.policy, self.version);
        match self.act {
            VersionAction::Recall => version,
            act => format!("{version}/{}", act.word()),
        }
    }

    /// Returns the page that shows the result.
    pub fn done(&self) -> String {
        if self.act == VersionAction::Delete {
            return url::policy(self.tenant, self.policy);
        }
        let version = url::version(self.tenant, self.policy, self.version);
        url::with_query(&version, &[("done", self.act.word())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ActionForm {
        let id = uuid::Uuid::nil();
        ActionForm {
            act: VersionAction::Ratify,
            tenant: TenantId(id),
            policy: PolicyId(id),
            version: 18,
            revision: 7,
            digest: "5d7d8001".into(),
            status: VersionStatus::Submitted,
            replaces: None,
            text: String::new(),
            answers: String::new(),
            read: None,
            same_rules: None,
        }
    }

    #[test]
    fn a_rejected_form_returns_to_its_own_page() {
        assert!(form().page().ends_with("/versions/18/ratify"));
        let recall = ActionForm { act: VersionAction::Recall, ..form() };
        assert!(recall.page().ends_with("/versions/18"));
        assert!(recall.done().ends_with("/versions/18?done=recall"));
    }
}
