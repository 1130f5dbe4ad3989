//! The form of an act on a version.

use contract::{
    id::{PolicyId, TenantId},
    policy::PolicyVersion,
};
use serde::{Deserialize, Serialize};

use super::acts::Act;
use crate::{problem::Problem, text::url};

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

    /// Refuses a form that was made for other bytes than the version has now.
    ///
    /// # Errors
    /// `STALE_DRAFT_REVISION`, with the revision of now.
    pub fn check(&self, now: &PolicyVersion) -> Result<(), Problem> {
        if self.revision == now.draft_revision && self.digest == now.rules_digest {
            return Ok(());
        }
        Err(Problem {
            code: "STALE_DRAFT_REVISION".into(),
            status: 409,
            revision: Some(now.draft_revision),
            ..Problem::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use contract::policy::VersionStatus;

    use super::*;

    const DIGEST: &str = "5d7d8001";

    fn form() -> ActForm {
        let id = uuid::Uuid::nil();
        ActForm {
            act: Act::Ratify,
            tenant: TenantId(id),
            policy: PolicyId(id),
            version: 18,
            revision: 7,
            digest: DIGEST.into(),
            text: String::new(),
            answers: String::new(),
            read: None,
        }
    }

    fn version(revision: u32, digest: &str) -> PolicyVersion {
        let text = format!(
            r#"{{"id":"{id}","policy_id":"{id}","version":18,"draft_revision":{revision},
            "rules_digest":"{digest}","is_active":false,"status":"{status}",
            "created_at":"2026-11-20T10:00:00.000Z"}}"#,
            id = uuid::Uuid::nil(),
            status = VersionStatus::Submitted,
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn only_the_bytes_that_were_read_are_signed() {
        assert_eq!(form().check(&version(7, DIGEST)), Ok(()));
        assert_eq!(form().check(&version(9, DIGEST)).unwrap_err().revision, Some(9));
        assert!(form().check(&version(7, "00000000")).is_err());
    }

    #[test]
    fn a_refused_form_comes_back_to_its_own_page() {
        assert!(form().page().ends_with("/versions/18/ratify"));
        let recall = ActForm { act: Act::Recall, ..form() };
        assert!(recall.page().ends_with("/versions/18"));
        assert!(recall.done().ends_with("/versions/18?done=recall"));
    }
}
