//! Payment policies, and the steps that make their versions active.

use super::TestService;
use crate::prelude::*;

/// A policy version, identified by policy ID and number.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) policy: String,
    pub(crate) number: u32,
}

impl Version {
    pub(crate) fn policy_path(&self) -> String {
        format!("/v1/policies/{}", self.policy)
    }

    pub(crate) fn versions_path(&self) -> String {
        format!("{}/versions", self.policy_path())
    }

    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.versions_path(), self.number)
    }

    pub(crate) fn action_path(&self, action: &str) -> String {
        format!("{}/{action}", self.path())
    }
}

impl TestService {
    /// Creates a draft as the author.
    pub(crate) async fn draft(&self, code: &str) -> Version {
        create_draft(self.author().await, code).await
    }

    /// Creates a submitted version.
    pub(crate) async fn submitted(&self, code: &str) -> Version {
        let version = self.draft(code).await;
        self.submit(&version).await;
        version
    }

    pub(crate) async fn read(&self, version: &Version) -> Value {
        self.key.get(version.path()).await.expect(200)
    }

    /// Submits a draft as the author.
    pub(crate) async fn submit(&self, version: &Version) {
        self.author().await.post(version.action_path("submit"), &json!({})).await.expect(200);
    }

    /// Seals a version as the author and returns the ID of the review submission.
    pub(crate) async fn seal(&self, version: &Version) -> String {
        let submission =
            self.author().await.post(version.action_path("seal"), &json!({})).await.expect(201);
        text(&submission["id"]).to_owned()
    }

    /// Records a verdict on a submission as the reviewer and returns the ID of the review record.
    pub(crate) async fn review(
        &self,
        version: &Version,
        submission: &str,
        verdict: &str,
    ) -> String {
        let body = json!({"verdict": verdict, "comments": []});
        text(&self.record_review(version, submission, &body).await["id"]).to_owned()
    }

    /// Records a review of a submission as the reviewer and returns the review record.
    pub(crate) async fn record_review(
        &self,
        version: &Version,
        submission: &str,
        body: &Value,
    ) -> Value {
        let path = version.action_path(&format!("submissions/{submission}/records"));
        self.reviewer().await.post(path, body).await.expect(201)
    }

    /// Creates a ratified version that is not active.
    pub(crate) async fn ratified(&self, code: &str) -> Version {
        let version = self.submitted(code).await;
        self.ratify(&version).await;
        version
    }

    /// Creates an active version.
    pub(crate) async fn active(&self, code: &str) -> Version {
        self.active_policy(&policy(code)).await
    }

    /// Creates a policy with this body as the author, and makes its first version active.
    pub(crate) async fn active_policy(&self, body: &Value) -> Version {
        let version = create_policy(self.author().await, body).await;
        self.submit(&version).await;
        self.ratify(&version).await;
        self.activate(&version).await;
        version
    }

    /// Ratifies the first revision of a submitted version.
    pub(crate) async fn ratify(&self, version: &Version) {
        let ratification = json!({"expected_revision": 1});
        self.ratifier().await.post(version.action_path("ratify"), &ratification).await.expect(200);
    }

    /// Activates a version as the ratifier.
    pub(crate) async fn activate(&self, version: &Version) {
        self.ratifier().await.post(version.action_path("activate"), &json!({})).await.expect(200);
    }

    /// Deactivates the policy of a version as the ratifier.
    pub(crate) async fn deactivate(&self, version: &Version) {
        let path = format!("{}/deactivate", version.policy_path());
        self.ratifier().await.post(path, &json!({"reason": "because"})).await.expect(200);
    }

    /// Creates the next draft of a policy as the author, with these rules.
    pub(crate) async fn next_draft(&self, previous: &Version, rules: &Value) -> Version {
        let next = json!({"rules": rules});
        let created = self.author().await.post(previous.versions_path(), &next).await.expect(201);
        let number = created["version"].as_u64().and_then(|number| number.try_into().ok());
        Version { policy: previous.policy.clone(), number: number.expect("a number") }
    }

    /// Creates, submits and ratifies the next version of the policy with these rules.
    pub(crate) async fn successor(&self, previous: &Version, rules: &Value) -> Version {
        let version = self.next_draft(previous, rules).await;
        self.submit(&version).await;
        self.ratify(&version).await;
        version
    }
}

/// Creates a payment policy with a draft as `author`.
pub(crate) async fn create_draft(author: &Client, code: &str) -> Version {
    create_policy(author, &policy(code)).await
}

/// Creates a policy with this body as `author` and returns its first version.
pub(crate) async fn create_policy(author: &Client, body: &Value) -> Version {
    let created = author.post("/v1/policies", body).await.expect(201);
    Version { policy: text(&created["policy"]["id"]).to_owned(), number: 1 }
}

/// The body that creates a payment policy with its first rules.
pub(crate) fn policy(code: &str) -> Value {
    json!({
        "code": code,
        "name": "Payments",
        "decision_types": ["payment"],
        "rules": rules(10_000),
    })
}

/// Rules for payments: a maximum amount, a purpose, and a tax number in the EU.
pub(crate) fn rules(max: u32) -> Value {
    json!([
        {
            "code": "AMOUNT", "name": "Amounts have a limit", "severity": "high",
            "rule_type": "threshold", "condition": {"field": "amount", "max": max},
        },
        {
            "code": "PURPOSE", "severity": "medium",
            "rule_type": "presence", "condition": {"required_fields": ["purpose"]},
        },
        {
            "code": "TAX", "severity": "low", "when": {"field": "region", "equals": "EU"},
            "rule_type": "presence", "condition": {"required_fields": ["tax_number"]},
        },
    ])
}
