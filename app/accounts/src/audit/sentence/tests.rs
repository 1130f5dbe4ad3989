//! Tests of the sentences of all actions and objects.

use contract::{
    audit::{AuditActor, AuditObject},
    json::{Limits, Object},
};

use super::*;

const POLICY: &str = "11111111-1111-4111-8111-111111111111";
const USER: &str = "22222222-2222-4222-8222-222222222222";
const OTHER: &str = "33333333-3333-4333-8333-333333333333";

fn item(action: &str, object: (&str, &str), details: &str) -> AuditItem {
    AuditItem {
        seq: 7,
        event_id: OTHER.parse().unwrap(),
        occurred_at: "2026-09-02T08:14:00Z".parse().unwrap(),
        action: action.to_owned(),
        actor: AuditActor {
            kind: "human".to_owned(),
            id: USER.to_owned(),
            email: Some("ines@acme.example".to_owned()),
            key_name: None,
        },
        actor_email: Some("ines@acme.example".to_owned()),
        object: AuditObject { kind: object.0.to_owned(), id: object.1.to_owned() },
        details: Value::parse(details.as_bytes(), &Limits::REQUEST).unwrap(),
        hash: String::new(),
        prev_hash: None,
        event: Object::new().into(),
        personal: None,
    }
}

fn text(item: &AuditItem) -> String {
    let names = Names::from([
        (POLICY.to_owned(), "Vendor payments".to_owned()),
        (OTHER.to_owned(), "L. Chen".to_owned()),
    ]);
    let parts = sentence(item, Part::Name("Ines Roy".to_owned()), &names);
    let text = |part| match part {
        Part::Words(text) | Part::Name(text) => text,
    };
    parts.into_iter().map(text).collect()
}

#[test]
fn every_audit_action_has_a_sentence() {
    for action in include_str!("../../../../../governance/audit_actions.txt").lines() {
        let event = item(action, ("thing", OTHER), "{}");
        let sentence = text(&event);
        assert!(!sentence.contains(action), "{action}: {sentence}");
    }
    let unknown = item("thing.happen", ("thing", POLICY), "{}");
    assert_eq!(text(&unknown), "Ines Roy recorded thing.happen on thing 11111111");
}

#[test]
fn sentences_name_the_objects() {
    let version = format!(r#"{{"policy_id":"{POLICY}","version":18}}"#);
    let returned = format!(r#"{{"policy_id":"{POLICY}","version":18,"verdict":"RETURN"}}"#);
    let replaced = format!(r#"{{"policy_id":"{POLICY}","version":18,"superseded_by_version":19}}"#);
    for (action, object, details, expected) in [
        ("policy_version.ratify", POLICY, &*version, "Ines Roy ratified Vendor payments v18"),
        (
            "policy_version.review",
            POLICY,
            &returned,
            "Ines Roy requested changes to Vendor payments v18",
        ),
        (
            "policy_version.supersede",
            POLICY,
            &replaced,
            "Ines Roy replaced Vendor payments v18 with v19",
        ),
        ("policy.create", POLICY, "{}", "Ines Roy created policy Vendor payments"),
        ("policy.delete", USER, "{}", "Ines Roy deleted policy 22222222"),
        (
            "member.change_role",
            OTHER,
            r#"{"before":"author","after":"admin"}"#,
            "Ines Roy changed the role of L. Chen from author to admin",
        ),
        (
            "settings.update",
            POLICY,
            r#"{"maker_checker_enabled":{"before":true,"after":false}}"#,
            "Ines Roy changed the settings: Maker-checker",
        ),
        (
            "decision.record",
            POLICY,
            r#"{"decision":"DENY"}"#,
            "Ines Roy recorded decision 11111111, DENY",
        ),
        (
            "alert.snooze",
            POLICY,
            r#"{"until":"2026-09-02T08:14:00Z"}"#,
            "Ines Roy snoozed alert 11111111 until 2 Sep 2026 08:14 UTC",
        ),
    ] {
        assert_eq!(text(&item(action, ("thing", object), details)), expected);
    }
}

#[test]
fn a_failed_sign_in_names_the_account() {
    let mut event = item("session.fail", ("user", POLICY), "{}");
    event.actor = AuditActor {
        kind: "system".to_owned(),
        id: "public".to_owned(),
        email: None,
        key_name: None,
    };
    event.object.id = USER.to_owned();
    assert_eq!(text(&event), "A sign-in as ines@acme.example failed");
}

#[test]
fn a_fact_shows_both_values_of_a_change() {
    let value = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
    assert_eq!(fact(&value(r#"{"before":true,"after":false}"#)), "from true to false");
    assert_eq!(fact(&value("12345")), "12,345");
    assert_eq!(fact(&value(r#""ALLOW""#)), "ALLOW");
    assert_eq!(fact(&value(r#"["a","b"]"#)), r#"["a","b"]"#);
}
