//! Audit events as sentences, for example "Ines Roy ratified Vendor payments v18".

use contract::{audit::AuditItem, json::Value};
use serde::{Deserialize, Serialize};

use crate::{
    member::names::Names,
    settings::view::Setting,
    text::{number::whole, time},
};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    Words(String),
    /// A stored name or an ID.
    Name(String),
}

/// Returns the sentence of an event. `actor` is the name of its actor.
pub(super) fn sentence(item: &AuditItem, actor: Part, names: &Names) -> Vec<Part> {
    let event = EventParts { item, names };
    if item.action == "session.fail" {
        return event.words("A sign-in as ").person().words(" failed").0;
    }
    let predicate = event.predicate().unwrap_or_else(|| {
        let object = event.words(" on ").words(&item.object.kind.replace('_', " ")).words(" ");
        event.words("recorded ").name(item.action.clone()).then(object).short_id()
    });
    [vec![actor, Part::Words(" ".to_owned())], predicate.0].concat()
}

/// An event and the names of its tenant.
#[derive(Clone, Copy)]
struct EventParts<'e> {
    item: &'e AuditItem,
    names: &'e Names,
}

impl<'e> EventParts<'e> {
    fn words(self, words: &str) -> Draft<'e> {
        Draft(Vec::new(), self).words(words)
    }

    fn text(self, name: &str) -> Option<&'e str> {
        self.item.details.get(name)?.as_str()
    }

    fn number(self, name: &str) -> Option<String> {
        Some(self.item.details.get(name)?.to_canonical())
    }

    /// Returns the sentence without its actor; `None` for an unknown action.
    fn predicate(self) -> Option<Draft<'e>> {
        let (object, action) = self.item.action.split_once('.')?;
        match object {
            "policy" => self.policy(action),
            "policy_version" => self.version(action),
            "policy_group" => Some(self.words(past(action)?).words(" policy group ").object()),
            "comment" => self.comment(action),
            "capability" => self.capability(action),
            "decision" | "chain" | "snapshot" | "saved_filter" => self.decision(object, action),
            "alert" => self.alert(action),
            "form" => Some(self.words(past(action)?).words(" form ").object()),
            "form_token" => Some(
                self.words(past(action)?).words(" an access token of form ").of_detail("form_id"),
            ),
            "webhook" | "webhook_delivery" => self.webhook(object, action),
            "api_key" => Some(self.words(past(action)?).words(" API key ").object()),
            "member" => self.member(action),
            "user" => self.user(action),
            "session" => Some(self.words(match action {
                "begin" => "signed in",
                "end" => "signed out",
                _ => return None,
            })),
            "settings" => (action == "update").then(|| self.settings()),
            "tenant" => Some(self.words(past(action)?).words(" the tenant")),
            _ => None,
        }
    }

    fn policy(self, action: &str) -> Option<Draft<'e>> {
        Some(match action {
            "edit" => self.words("edited the details of ").object(),
            "deactivate" => {
                let version = self.number("version").map(|version| format!(" v{version}"));
                self.words("deactivated ").object().words(&version.unwrap_or_default())
            }
            _ => self.words(past(action)?).words(" policy ").object(),
        })
    }

    fn version(self, action: &str) -> Option<Draft<'e>> {
        let verb = match action {
            "create" => "created draft ",
            "edit" => "edited draft ",
            "delete" => "deleted draft ",
            "submit" => "submitted ",
            "seal" => "submitted for review ",
            "recall" => "recalled ",
            "review" if self.text("verdict") == Some("RETURN") => "requested changes to ",
            "review" => "accepted ",
            "ratify" => "ratified ",
            "reject" => "rejected ",
            "activate" => "activated ",
            "set_aside" => "set aside ",
            "supersede" => "replaced ",
            _ => return None,
        };
        let draft = self.words(verb).version();
        Some(match self.number("superseded_by_version") {
            Some(next) if action == "supersede" => draft.words(&format!(" with v{next}")),
            _ => draft,
        })
    }

    fn comment(self, action: &str) -> Option<Draft<'e>> {
        let verb = match action {
            "create" if self.text("in_reply_to").is_some() => "replied to a comment on ",
            "create" => "commented on ",
            "resolve" => "resolved a comment on ",
            "reopen" => "reopened a comment on ",
            _ => return None,
        };
        Some(self.words(verb).version())
    }

    fn capability(self, action: &str) -> Option<Draft<'e>> {
        let verb = match action {
            "issue" => "issued an authoring capability for ",
            "carry" => "carried over an authoring capability to ",
            "revoke" => "revoked an authoring capability for ",
            _ => return None,
        };
        Some(self.words(verb).version())
    }

    fn decision(self, object: &str, action: &str) -> Option<Draft<'e>> {
        Some(match (object, action) {
            ("decision", "record") => {
                let verdict = self.text("decision").map(|verdict| format!(", {verdict}"));
                self.words("recorded decision ").short_id().words(&verdict.unwrap_or_default())
            }
            ("decision", "outcome") => {
                let status = self.text("status").map(|status| format!(" as {status}"));
                let draft = self.words("recorded the outcome of decision ").short_id();
                draft.words(&status.unwrap_or_default())
            }
            ("decision", "export") => {
                let format = self.text("format").map(|format| format!(" as {format}"));
                self.words("exported decisions").words(&format.unwrap_or_default())
            }
            ("chain", "seal") => self.words("sealed chain ").short_id(),
            ("snapshot", "append") => self.words("added a snapshot of the active policies"),
            ("saved_filter", "create") => self.words("saved a filter"),
            ("saved_filter", "delete") => self.words("deleted a saved filter"),
            _ => return None,
        })
    }

    fn alert(self, action: &str) -> Option<Draft<'e>> {
        Some(match (action, self.text("user_id"), self.text("until")) {
            ("acknowledge", ..) => self.words("acknowledged alert ").short_id(),
            ("assign", Some(user), _) => {
                self.words("assigned alert ").short_id().words(" to ").named(user)
            }
            ("assign", None, _) => self.words("removed the assignee of alert ").short_id(),
            ("snooze", _, Some(until)) => {
                let until = until.parse().map_or_else(|_| until.to_owned(), time::minute);
                self.words("snoozed alert ").short_id().words(&format!(" until {until}"))
            }
            ("snooze", _, None) => self.words("ended the snooze of alert ").short_id(),
            _ => return None,
        })
    }

    fn webhook(self, object: &str, action: &str) -> Option<Draft<'e>> {
        Some(match (object, action) {
            ("webhook", "test") => self.words("sent a test delivery to webhook ").object(),
            ("webhook", _) => self.words(past(action)?).words(" webhook ").object(),
            (_, "retry") => self.words("retried webhook delivery ").short_id(),
            (_, "redrive") => {
                let count = self.number("redriven").unwrap_or_default();
                let draft = self.words("retried dead deliveries of webhook ").object();
                draft.words(&format!(" ({count})"))
            }
            _ => return None,
        })
    }

    fn member(self, action: &str) -> Option<Draft<'e>> {
        let role = |name| self.text(name).unwrap_or_default().to_owned();
        let as_role =
            if role("role").is_empty() { String::new() } else { format!(" as {}", role("role")) };
        Some(match action {
            "invite" => self.words("invited ").person().words(&as_role),
            "add" => self.words("added ").person().words(&as_role),
            "accept" => self.words("joined the tenant").words(&as_role),
            "decline" => self.words("declined an invitation").words(&as_role),
            "remove" => self.words("removed ").person().words(" from the tenant"),
            "change_role" => {
                let change = format!(" from {} to {}", role("before"), role("after"));
                self.words("changed the role of ").person().words(&change)
            }
            _ => return None,
        })
    }

    fn user(self, action: &str) -> Option<Draft<'e>> {
        Some(match action {
            "create" => self.words("created the account of ").person(),
            "verify" => self.words("confirmed the email address of ").person(),
            "renew_link" => self.words("renewed the setup link of ").person(),
            "set_up" => self.words("chose a first password"),
            "change_password" => self.words("changed the password of the account"),
            "change_time_zone" => self.words("changed the time zone of the account"),
            "reset_password" => self.words("reset the password of the account"),
            _ => return None,
        })
    }

    fn settings(self) -> Draft<'e> {
        let is_changed = |setting: &Setting| self.item.details.get(setting.word()).is_some();
        let changed = Setting::ALL.into_iter().filter(is_changed).map(Setting::label);
        let changed = changed.collect::<Vec<_>>().join(", ");
        let draft = self.words("changed the settings");
        if changed.is_empty() { draft } else { draft.words(": ").words(&changed) }
    }
}

/// Returns the past tense of an action that many objects have.
fn past(action: &str) -> Option<&'static str> {
    Some(match action {
        "create" => "created",
        "edit" => "edited",
        "delete" => "deleted",
        "revoke" => "revoked",
        _ => return None,
    })
}

/// The parts of a sentence so far.
struct Draft<'e>(Vec<Part>, EventParts<'e>);

impl Draft<'_> {
    fn words(mut self, words: &str) -> Self {
        if !words.is_empty() {
            self.0.push(Part::Words(words.to_owned()));
        }
        self
    }

    fn name(mut self, name: String) -> Self {
        self.0.push(Part::Name(name));
        self
    }

    fn then(mut self, rest: Self) -> Self {
        self.0.extend(rest.0);
        self
    }

    /// Appends the name for an ID, or the beginning of the ID.
    fn named(self, id: &str) -> Self {
        let name = self.1.names.get(id).cloned().unwrap_or_else(|| shortened(id));
        self.name(name)
    }

    /// Appends the name of the object.
    fn object(self) -> Self {
        let id = &self.1.item.object.id;
        self.named(id)
    }

    /// Appends the user that the event is about. The personal data of the event may have the address.
    fn person(self) -> Self {
        let item = self.1.item;
        let is_about_user = item.actor.kind != "human" || item.actor.id == item.object.id;
        let email = item.actor_email.clone().filter(|_| is_about_user);
        match (self.1.names.get(&item.object.id).cloned(), email) {
            (Some(name), _) | (None, Some(name)) => self.name(name),
            (None, None) => self.object(),
        }
    }

    fn of_detail(self, name: &str) -> Self {
        let id = self.1.text(name).unwrap_or_default();
        self.named(id)
    }

    /// Appends the policy and the version that the details name.
    fn version(self) -> Self {
        let event = self.1;
        let policy = event.text("policy_id").unwrap_or_default();
        let policy = event.names.get(policy).cloned().unwrap_or_else(|| shortened(policy));
        let version = event.number("version").unwrap_or_default();
        self.name(format!("{policy} v{version}"))
    }

    fn short_id(self) -> Self {
        let id = shortened(&self.1.item.object.id);
        self.name(id)
    }
}

/// Returns the first eight characters of an ID.
fn shortened(id: &str) -> String {
    id.chars().take(8).collect()
}

/// Formats one fact of an event: its value, or the values before and after a change.
pub(super) fn fact(value: &Value) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.get().fract() == 0.0 => {
            value.to_canonical().parse().map_or_else(|_| value.to_canonical(), whole)
        }
        other => other.to_canonical(),
    };
    match (value.get("before"), value.get("after")) {
        (Some(before), Some(after)) => format!("from {} to {}", text(before), text(after)),
        _ => text(value),
    }
}

#[cfg(test)]
mod tests {
    use contract::{
        audit::{ACTIONS, AuditActor, AuditObject},
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
        for action in ACTIONS {
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
        let replaced =
            format!(r#"{{"policy_id":"{POLICY}","version":18,"superseded_by_version":19}}"#);
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
}
