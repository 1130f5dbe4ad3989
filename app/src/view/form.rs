//! The form of an act on a version.

use contract::{
    id::{PolicyId, TenantId},
    policy::VersionStatus,
};
use serde::{Deserialize, Serialize};

use super::acts::Act;
use crate::text::url;

/// The form of an act: what was seen, and what was typed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ActForm {
    /// What to do.
    pub act: Act,
    /// The tenant.
    pub tenant: TenantId,
    /// The policy.
    pub policy: PolicyId,
    /// The version.
    pub version: u32,
    /// The revision that the person has read.
    pub revision: u32,
    /// The digest of the rules that the person has read.
    pub digest: String,
    /// The status that the person has seen.
    pub status: VersionStatus,
    /// Of an activation: the number of the active version that the person has seen, empty for none.
    #[serde(default)]
    pub replaces: Option<String>,
    /// The note or the reason.
    #[serde(default)]
    pub text: String,
    /// The return that a send answers.
    #[serde(default)]
    pub answers: String,
    /// Whether the box was ticked.
    #[serde(default)]
    pub read: Option<String>,
}

impl ActForm {
    /// The page that the form stands on.
    pub fn page(&self) -> String {
        let version = url::version(self.tenant, self.policy, self.version);
        match self.act {
            Act::Recall => version,
            act => format!("{version}/{}", act.word()),
        }
    }

    /// The page that shows what was done.
    pub fn done(&self) -> String {
        if self.act == Act::Delete {
            return url::policy(self.tenant, self.policy);
        }
        let version = url::version(self.tenant, self.policy, self.version);
        url::with_query(&version, &[("done", self.act.word())])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ActForm {
        let id = uuid::Uuid::nil();
        ActForm {
            act: Act::Ratify,
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
        }
    }

    #[test]
    fn a_refused_form_comes_back_to_its_own_page() {
        assert!(form().page().ends_with("/versions/18/ratify"));
        let recall = ActForm { act: Act::Recall, ..form() };
        assert!(recall.page().ends_with("/versions/18"));
        assert!(recall.done().ends_with("/versions/18?done=recall"));
    }
}
