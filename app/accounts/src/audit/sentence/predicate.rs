//! What an event states about its actor, by the kind of its object.

use page_kit::text::{setting::Setting, time};

use super::{Draft, EventParts};

impl<'e> EventParts<'e> {
    /// Returns the sentence without its actor; `None` for an unknown action.
    pub(super) fn predicate(self) -> Option<Draft<'e>> {
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
            "identity" => Some(match action {
                "link" => self.words("linked an identity provider to the account of ").person(),
                "keep_role" => self
                    .words("signed in without a role claim; the role is unchanged for ")
                    .person(),
                "refuse" => self.words("refused a sign-in with identity provider ").object(),
                _ => return None,
            }),
            "identity_provider" => {
                Some(self.words(past(action)?).words(" identity provider ").object())
            }
            "passkey" | "totp" | "recovery_codes" | "recovery_code" | "second_factor" => {
                self.second_factor(object, action)
            }
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

    fn second_factor(self, object: &str, action: &str) -> Option<Draft<'e>> {
        Some(match (object, action) {
            ("passkey", "create") => self.words("added a passkey to the account"),
            ("passkey", "rename") => self.words("renamed a passkey of the account"),
            ("passkey", "delete") => self.words("removed a passkey from the account"),
            ("passkey", "refuse") => self.words("used a passkey that was refused"),
            ("totp", "create") => self.words("added an authenticator app to the account"),
            ("totp", "delete") => self.words("removed the authenticator app from the account"),
            ("recovery_codes", "replace") => {
                self.words("generated new recovery codes for the account")
            }
            ("recovery_code", "use") => self.words("used a recovery code"),
            ("second_factor", "reset") => self.words("reset the second factors of ").person(),
            _ => return None,
        })
    }

    fn settings(self) -> Draft<'e> {
        let is_changed = |setting: &Setting| self.item.details.get(setting.as_str()).is_some();
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
        "deactivate" => "deactivated",
        _ => return None,
    })
}
