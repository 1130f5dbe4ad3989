//! Each ratification leaves a signed approval behind, and each snapshot names it.

use contract::json::{Limits, Value as Tree};
use insta::assert_snapshot;
use receipt::{
    CanonicalJson, Digest,
    audit::email_digest,
    dsse::Envelope,
    key::{PayloadType, PublicKey},
};
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{NOW, TestService, Version, request, rules, world},
};

fn tree(value: &Value) -> Tree {
    Tree::parse(value.to_string().as_bytes(), &Limits::REQUEST).expect("a tree")
}

async fn who(client: &Client) -> Value {
    client.get("/v1/session").await.expect(200)["user"].clone()
}

async fn approval(world: &TestService, version: &Version) -> Value {
    world.key.get(version.act("approval")).await.expect(200)
}

/// The published key that signed an approval.
async fn signer(world: &TestService, approval: &Value) -> PublicKey {
    let published = world.public.get("/v1/.well-known/signing-keys").await.expect(200);
    let keys = published["keys"].as_array().expect("keys").iter();
    let keys = keys.map(|jwk| PublicKey::from_jwk(&tree(jwk)).expect("a public key"));
    let own = keys.clone().filter(|key| key.kid() == text(&approval["approval"]["kid"]));
    let own: Vec<PublicKey> = own.collect();
    let receipts = keys.map(|key| key.kid().to_owned()).next();
    assert_ne!(receipts.as_deref(), own.first().map(PublicKey::kid), "a key of its own");
    own.into_iter().next().expect("the key is published")
}

#[tokio::test]
async fn an_approval_says_who_approved_what_that_others_made() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let reviewer = world.reviewer().await;
    let edit = json!({"expected_revision": 1, "rules": rules(9_000)});
    reviewer.patch(version.path(), &edit).await.expect(200);
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    let admin = world.admin().await;
    let sealed = admin.post(version.act("seal"), &json!({})).await.expect(201);
    let record = world.review(&version, text(&sealed["id"]), "ACCEPT").await;
    let ratifier = world.ratifier().await;
    let read = json!({"expected_revision": 2});
    let ratified = ratifier.post(version.act("ratify"), &read).await.expect(200);

    let approval = approval(&world, &version).await;
    let mut makers = Vec::new();
    for maker in [world.author().await, reviewer, &admin] {
        makers.push(text(&who(maker).await["id"]).to_owned());
    }
    makers.sort();
    let person = who(ratifier).await;
    let salt = world.sql("select email_salt from tenant_heads").await.concat();
    let email = email_digest(&hex(&salt), text(&person["email"]));
    let policy = world.key.get(version.of()).await.expect(200);
    assert_eq!(
        approval["approval"],
        json!({
            "schema": "service-policy-approval/v1",
            "tenant_id": world.tenant,
            "policy_id": policy["id"],
            "policy_code": "PAY-01",
            "policy_version_id": ratified["id"],
            "version": 1,
            "draft_revision": 2,
            "rules_digest": ratified["rules_digest"],
            "submission_id": sealed["id"],
            "accept_record_id": record,
            "ratified_at": NOW,
            "ratifier": {
                "user_id": person["id"],
                "role": "ratifier",
                "email_digest": email.to_string(),
                "auth_method": "password",
            },
            "makers": makers,
            "maker_checker": true,
            "alg": "Ed25519",
            "kid": approval["approval"]["kid"],
        })
    );
    assert_eq!(approval["policy_version_id"], ratified["id"]);
    assert_eq!((&approval["policy_id"], &approval["version"]), (&policy["id"], &json!(1)));
    assert_eq!(approval["transparency_anchor"], Value::Null);
}

fn hex(text: &str) -> Vec<u8> {
    let digits = text.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

#[tokio::test]
async fn an_approval_is_signed_and_a_changed_one_is_found_out() {
    let world = world().await;
    let version = world.ratified("PAY-01").await;
    let approval = approval(&world, &version).await;
    let envelope = Envelope::read(&tree(&approval["envelope"])).expect("an envelope");
    let statement = CanonicalJson::from_value(&tree(&approval["approval"]));
    assert_eq!(envelope.payload, statement, "the envelope holds the statement");
    assert_eq!(approval["approval_digest"], statement.digest.to_string());
    let key = signer(&world, &approval).await;
    envelope.verify(PayloadType::PolicyApproval, &key).expect("it is signed");
    let mut forged = envelope.clone();
    forged.payload =
        CanonicalJson::parse(statement.text.replace("\"version\":1", "\"version\":2").as_bytes())
            .expect("canonical");
    assert!(forged.verify(PayloadType::PolicyApproval, &key).is_err());
    assert!(envelope.verify(PayloadType::Receipt, &key).is_err(), "it is for nothing else");
    let stored = world.sql("select statement from policy_approvals").await;
    assert_eq!(stored, [statement.text.as_str()]);
    assert_eq!(Digest::compute(stored[0].as_bytes()), statement.digest);
}

#[tokio::test]
async fn approvals_of_a_policy_are_a_chain() {
    let world = world().await;
    let first = world.ratified("PAY-01").await;
    let second = world.successor(&first, &rules(5_000)).await;
    // What is set aside was approved all the same.
    let reason = json!({"reason": "because"});
    world.author().await.post(second.act("set-aside"), &reason).await.expect(200);
    let third = world.successor(&first, &rules(4_000)).await;
    let other = world.ratified("PAY-02").await;
    let mut previous = Value::Null;
    for version in [&first, &second, &Version { number: 3, ..third }] {
        let approval = approval(&world, version).await;
        assert_eq!(approval["approval"]["previous_approval_digest"], previous);
        for absent in ["submission_id", "accept_record_id"] {
            assert_eq!(approval["approval"].get(absent), None, "{absent}");
        }
        previous = approval["approval_digest"].clone();
    }
    let other = approval(&world, &other).await;
    assert_eq!(other["approval"].get("previous_approval_digest"), None);
}

#[tokio::test]
async fn an_approval_says_when_one_person_did_it_all() {
    let world = world().await;
    world.sql("update settings set maker_checker_enabled = false").await;
    let admin = world.admin().await;
    let version = crate::service::drafted(&admin, "PAY-01").await;
    admin.post(version.act("submit"), &json!({})).await.expect(200);
    let read = json!({"expected_revision": 1});
    admin.post(version.act("ratify"), &read).await.expect(200);
    world.sql("update settings set maker_checker_enabled = true").await;
    let approval = approval(&world, &version).await["approval"].clone();
    assert_eq!(approval["maker_checker"], false);
    assert_eq!(approval["makers"], json!([approval["ratifier"]["user_id"]]));
}

#[tokio::test]
async fn a_snapshot_names_the_approval_of_each_version() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    let first = approval(&world, &version).await;
    let recorded = world.key.post("/v1/decisions/record", &request("k-1", 1)).await.expect(201);
    let named = async |decision: &Value| {
        let id = text(&decision["policy_snapshot_id"]).to_owned();
        let snapshot = world.key.get(format!("/v1/snapshots/{id}")).await.expect(200);
        snapshot["snapshot"]["policies"][0]["approval_digest"].clone()
    };
    assert_eq!(named(&recorded["decision"]).await, first["approval_digest"]);
    let receipt = format!("/v1/receipts/{}", text(&recorded["decision"]["id"]));
    let shown = json!([{
        "policy_id": first["policy_id"],
        "policy_version_id": first["policy_version_id"],
        "version": 1,
        "approval_digest": first["approval_digest"],
        "ratified_at": NOW,
    }]);
    assert_eq!(world.public.get(&receipt).await.expect(200)["approval"], shown);
    // The same rules, approved once more, are another snapshot.
    let second = world.successor(&version, &rules(10_000)).await;
    world.activate(&second).await;
    let second = approval(&world, &second).await;
    let again = world.key.post("/v1/decisions/record", &request("k-2", 1)).await.expect(201);
    assert_eq!(named(&again["decision"]).await, second["approval_digest"]);
    assert_ne!(second["approval_digest"], first["approval_digest"]);
    assert_eq!(world.public.get(&receipt).await.expect(200)["approval"], shown);
    // A replay rests on the stored one.
    let path = format!("/v1/decisions/{}/replay", text(&recorded["decision"]["id"]));
    let replay = world.key.call("POST", path).await.expect(200);
    assert_eq!(replay["matches"], true);
}

#[tokio::test]
async fn what_was_not_ratified_has_no_approval() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    assert_snapshot!(world.key.get(version.act("approval")).await, @"404 NOT_FOUND");
    let missing = Version { number: 2, ..version.clone() };
    assert_snapshot!(world.key.get(missing.act("approval")).await, @"404 NOT_FOUND");
    world.ratify(&version).await;
    let neighbour = world.neighbour().await;
    assert_snapshot!(neighbour.key.get(version.act("approval")).await, @"404 NOT_FOUND");
}

#[tokio::test]
async fn rules_that_were_changed_past_the_service_are_not_approved() {
    let world = world().await;
    let version = world.submitted("PAY-01").await;
    world.sql("alter table policy_versions disable trigger freeze_submitted_rules").await;
    world.sql("update policy_versions set rules = '[]'").await;
    let read = json!({"expected_revision": 1});
    let refused = world.ratifier().await.post(version.act("ratify"), &read).await;
    assert_snapshot!(refused, @"500 INTERNAL_ERROR");
    assert_eq!(world.key.get(version.path()).await.expect(200)["status"], "submitted");
}
