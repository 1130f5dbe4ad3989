//! Policies on payments, and how their versions come into force.

use serde_json::{Value, json};

use super::TestService;
use crate::client::{Client, text};

/// One version of a policy, by where it is.
#[derive(Clone, Debug)]
pub(crate) struct Version {
    pub(crate) policy: String,
    pub(crate) number: u32,
}

impl Version {
    /// The path of the policy.
    pub(crate) fn of(&self) -> String {
        format!("/v1/policies/{}", self.policy)
    }

    pub(crate) fn path(&self) -> String {
        format!("{}/versions/{}", self.of(), self.number)
    }

    /// The path of a move.
    pub(crate) fn act(&self, word: &str) -> String {
        format!("{}/{word}", self.path())
    }
}

impl TestService {
    /// A draft that the author has just written.
    pub(crate) async fn draft(&self, code: &str) -> Version {
        drafted(self.author().await, code).await
    }

    /// A version that waits for ratification.
    pub(crate) async fn submitted(&self, code: &str) -> Version {
        let version = self.draft(code).await;
        self.author().await.post(version.act("submit"), &json!({})).await.expect(200);
        version
    }

    /// The author seals a version for review; tells the submission.
    pub(crate) async fn seal(&self, version: &Version) -> String {
        let sealed = self.author().await.post(version.act("seal"), &json!({})).await.expect(201);
        text(&sealed["id"]).to_owned()
    }

    /// The reviewer records what was found in a submission; tells the record.
    pub(crate) async fn review(
        &self,
        version: &Version,
        submission: &str,
        verdict: &str,
    ) -> String {
        let path = version.act(&format!("submissions/{submission}/records"));
        let found = json!({"verdict": verdict, "comments": []});
        let record = self.reviewer().await.post(path, &found).await.expect(201);
        text(&record["id"]).to_owned()
    }

    /// A version that is approved and does not decide yet.
    pub(crate) async fn ratified(&self, code: &str) -> Version {
        let version = self.submitted(code).await;
        self.ratify(&version).await;
        version
    }

    /// A version that decides on payments.
    pub(crate) async fn active(&self, code: &str) -> Version {
        let version = self.ratified(code).await;
        self.activate(&version).await;
        version
    }

    /// The ratifier approves a submitted first revision.
    pub(crate) async fn ratify(&self, version: &Version) {
        let ratification = json!({"expected_revision": 1});
        self.ratifier().await.post(version.act("ratify"), &ratification).await.expect(200);
    }

    /// The ratifier makes a version decide.
    pub(crate) async fn activate(&self, version: &Version) {
        self.ratifier().await.post(version.act("activate"), &json!({})).await.expect(200);
    }

    /// The author writes and submits the next version with these rules; the ratifier approves it.
    pub(crate) async fn successor(&self, of: &Version, rules: &Value) -> Version {
        let path = format!("{}/versions", of.of());
        let made = self.author().await.post(path, &json!({"rules": rules})).await.expect(201);
        let number = made["version"].as_u64().and_then(|number| number.try_into().ok());
        let version = Version { policy: of.policy.clone(), number: number.expect("a number") };
        self.author().await.post(version.act("submit"), &json!({})).await.expect(200);
        self.ratify(&version).await;
        version
    }
}

/// A draft on payments that `author` writes.
pub(crate) async fn drafted(author: &Client, code: &str) -> Version {
    let made = author.post("/v1/policies", &policy(code)).await.expect(201);
    Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 }
}

/// A policy on payments with its first rules.
pub(crate) fn policy(code: &str) -> Value {
    json!({
        "code": code,
        "name": "Payments",
        "decision_types": ["payment"],
        "rules": rules(10_000),
    })
}

/// Rules on payments: amounts up to `max`, a purpose, and a tax number within the union.
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
