//! Grants for programs: issued and read; beside it the chains that carrying makes of them.

mod chains;

use contract::scope::{Role, Scope};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{NOW, TestService, Version, rules, with_key, world},
};

/// Everything that a grant can allow.
pub(crate) const EVERY: [&str; 5] =
    ["policy.draft.edit", "policy.read", "policy.submit", "review.retrieve", "review.seal"];

/// What a program needs to follow its version.
pub(crate) const FOLLOW: [&str; 2] = ["policy.read", "review.retrieve"];

/// A grant, and the program that works under it.
pub(crate) struct Grant {
    pub(crate) id: String,
    pub(crate) key: Client,
    /// What was answered.
    pub(crate) issued: Value,
}

impl Grant {
    pub(crate) fn path(&self) -> String {
        format!("/v1/authoring-capabilities/{}", self.id)
    }
}

/// A grant that is asked for.
pub(crate) fn asked(version: &Version, actions: &[&str]) -> Value {
    json!({
        "policy_id": version.policy, "version": version.number, "actions": actions,
        "name": "drafting assistant",
    })
}

impl TestService {
    /// The author grants a program these actions on a version.
    pub(crate) async fn grant(&self, version: &Version, actions: &[&str]) -> Grant {
        self.grant_of(&asked(version, actions)).await
    }

    /// The author grants what is asked for.
    pub(crate) async fn grant_of(&self, asked: &Value) -> Grant {
        let answer = self.author().await.post("/v1/authoring-capabilities", asked).await;
        let issued = answer.expect(201);
        Grant {
            id: text(&issued["capability"]["id"]).to_owned(),
            key: with_key(&self.public, self.tenant, text(&issued["plaintext_key"])),
            issued,
        }
    }

    /// The author carries a grant to a later version; tells the new grant.
    pub(crate) async fn carry(&self, grant: &Grant, version: u32) -> Value {
        let path = format!("{}/carry", grant.path());
        self.author().await.post(path, &json!({"version": version})).await.expect(201)
    }

    /// The author sets a version aside and begins the next one.
    pub(crate) async fn anew(&self, version: &Version) -> Version {
        let (author, because) = (self.author().await, json!({"reason": "begin anew"}));
        author.post(version.act("set-aside"), &because).await.expect(200);
        let path = format!("{}/versions", version.of());
        author.post(path, &json!({"rules": rules(7_000)})).await.expect(201);
        Version { policy: version.policy.clone(), number: version.number + 1 }
    }
}

#[tokio::test]
async fn a_grant_comes_with_a_key_that_can_do_nothing_else() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let author = world.author().await;
    let mut asked = asked(&version, &["review.seal", "policy.read"]);
    asked["expires_at"] = json!("2026-09-15T10:00:00Z");
    asked["not_before"] = json!("2026-09-01T11:00:00+01:00");
    asked["max_uses"] = json!(7);
    let answer = author.post("/v1/authoring-capabilities", &asked).await;
    let issued = answer.expect(201);
    let capability = &issued["capability"];
    let id = text(&capability["id"]);
    assert_eq!(answer.header("location"), Some(&*format!("/v1/authoring-capabilities/{id}")));

    let session = author.get("/v1/session").await.expect(200);
    let read = world.key.get(version.path()).await.expect(200);
    let digest = capability["grant_digest"].clone();
    let expected = json!({
        "id": id, "root_capability_id": id, "tenant_id": world.tenant, "policy_id": version.policy,
        "policy_version_id": read["id"], "version": 1, "actions": ["policy.read", "review.seal"],
        "not_before": NOW, "expires_at": "2026-09-15T10:00:00.000Z", "max_uses": 7, "uses": 0,
        "api_key_id": issued["key"]["id"], "issued_by": session["user"]["id"], "issued_at": NOW,
        "grant_digest": digest,
    });
    assert_eq!(*capability, expected);
    assert_eq!(issued["key"]["scopes"], json!(["authoring:capability"]));
    assert_eq!(issued["key"]["name"], "drafting assistant");
    assert_eq!(issued["key"]["created_by"], session["user"]["id"]);
    assert_eq!(issued["key"]["expires_at"], Value::Null, "the grant expires, not the key");
    assert!(text(&issued["plaintext_key"]).starts_with("svc_"));

    let key = with_key(&world.public, world.tenant, text(&issued["plaintext_key"]));
    assert_eq!(key.get("/v1/authoring-capabilities/current").await.expect(200), expected);
    assert_snapshot!(key.get("/v1/policies").await, @"403 INSUFFICIENT_SCOPE (policies:read)");
    let recall = key.post(version.act("recall"), &json!({})).await;
    assert_snapshot!(recall, @"403 INSUFFICIENT_SCOPE (policies:write)");
}

#[tokio::test]
async fn faults_of_a_grant_are_told_all_at_once() {
    let world = world().await;
    let author = world.author().await;
    let issue = async |body: Value| author.post("/v1/authoring-capabilities", &body).await;
    assert_snapshot!(issue(json!({})).await.faults(), @r"
    /policy_id required
    /version required
    /actions required
    /name required
    ");
    let wrong = json!({
        "policy_id": "x", "version": 0, "actions": ["policy.read", "policy.read", "policy.ratify"],
        "expires_at": "2026-09-02T00:00:00Z", "not_before": "2026-09-02T00:00:00Z", "max_uses": 0,
        "name": "", "scopes": [],
    });
    assert_snapshot!(issue(wrong).await.faults(), @r"
    /policy_id format
    /version range
    /actions/1 duplicate
    /actions/2 enum
    /max_uses range
    /name too_short
    /expires_at order
    /scopes unknown
    ");
    let version = world.draft("PAY-01").await;
    assert_snapshot!(issue(asked(&version, &[])).await.faults(), @"/actions too_few");
    let mut over = asked(&version, &FOLLOW);
    over["expires_at"] = json!(NOW);
    assert_snapshot!(issue(over).await.faults(), @"/expires_at range");
    assert_eq!(world.sql("select count(*)::text from capability_grants").await, ["0"]);
    let keys = "select count(*)::text from api_keys where name = 'drafting assistant'";
    assert_eq!(world.sql(keys).await, ["0"], "nothing is half-made");
}

#[tokio::test]
async fn people_grant_and_only_on_versions_that_are_there_and_open() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let path = "/v1/authoring-capabilities";
    let body = asked(&version, &FOLLOW);
    assert_snapshot!(world.key.post(path, &body).await, @"403 HUMAN_REQUIRED");
    let viewer = world.person(Role::Viewer).await;
    assert_snapshot!(viewer.post(path, &body).await, @"403 FORBIDDEN");
    let neighbour = world.neighbour().await;
    assert_snapshot!(neighbour.admin.post(path, &body).await, @"404 NOT_FOUND");
    let author = world.author().await;
    let missing = asked(&Version { number: 2, ..version.clone() }, &FOLLOW);
    assert_snapshot!(author.post(path, &missing).await, @"404 NOT_FOUND");
    world.anew(&version).await;
    let closed = author.post(path, &body).await;
    assert_snapshot!(closed, @"409 INVALID_TRANSITION (VERSION_CLOSED)");
    let facts = json!({"reason": "VERSION_CLOSED", "from": "set_aside", "requested": "issue"});
    assert_eq!(closed.details(), facts);
}

#[tokio::test]
async fn a_live_grant_that_writes_binds_its_version_until_it_is_revoked() {
    let world = world().await;
    let author = world.author().await;
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
    for action in ["policy.draft.edit", "policy.submit", "review.seal"] {
        let version = world.draft(action).await;
        let grant = world.grant(&version, &[action, "policy.read"]).await;
        let supersede = async || author.post(version.act("supersede"), &correction).await;
        let refused = supersede().await;
        assert_eq!(
            refused.to_string(),
            "409 INVALID_TRANSITION (VERSION_BOUND_TO_CAPABILITY)",
            "{action}"
        );
        assert_eq!(author.delete(grant.path()).await.status, 204);
        supersede().await.expect(201);
    }
}

#[tokio::test]
async fn a_grant_that_only_reads_does_not_bind_and_is_carried_from_a_replaced_draft() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &FOLLOW).await;
    let author = world.author().await;
    let correction = json!({"expected_revision": 1, "rules": [], "change_reason": "because"});
    author.post(version.act("supersede"), &correction).await.expect(201);
    let carried = world.carry(&grant, 2).await;
    assert_eq!((&carried["version"], &carried["uses"]), (&json!(2), &json!(0)));
    // The person who issued it had no part in making the version.
    let ratifier = world.ratifier().await;
    let draft = Version { number: 2, ..version };
    let issued = ratifier.post("/v1/authoring-capabilities", &asked(&draft, &FOLLOW)).await;
    issued.expect(201);
    author.post(draft.act("submit"), &json!({})).await.expect(200);
    world.ratify(&draft).await;
}

#[tokio::test]
async fn the_grants_of_others_look_like_missing_ones() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &FOLLOW).await;
    let neighbour = world.neighbour().await;
    assert_snapshot!(neighbour.key.get(grant.path()).await, @"404 NOT_FOUND");
    assert_snapshot!(neighbour.admin.delete(grant.path()).await, @"404 NOT_FOUND");
    let carry = json!({"version": 2});
    let carried = neighbour.admin.post(format!("{}/carry", grant.path()), &carry).await;
    assert_snapshot!(carried, @"404 NOT_FOUND");
    let list = neighbour.key.get("/v1/authoring-capabilities").await.expect(200);
    assert_eq!(list, json!({"items": [], "next_cursor": null}));
    let reader = world.key_with(&[Scope::PoliciesRead]).await;
    reader.get(grant.path()).await.expect(200);
    let stranger = grant.key.without("x-service-tenant-id");
    let stranger = stranger.with("x-service-tenant-id", neighbour.tenant);
    let current = stranger.get("/v1/authoring-capabilities/current").await;
    assert_snapshot!(current, @"403 FORBIDDEN");
}
