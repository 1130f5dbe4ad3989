//! The contents of mails and their texts.

use super::Line;
use crate::base::prelude::*;

/// The content of a mail as it is queued, without links.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MailContent {
    /// An account without a password was created.
    SetUp {
        /// The tenant that created it.
        tenant_id: TenantId,
    },
    Invitation {
        tenant_id: TenantId,
        /// The role after accepting.
        role: Role,
    },
    /// A password reset was requested for an address.
    Reset,
    Notice(Notice),
    /// A comment mentions the user.
    Mention {
        tenant_id: TenantId,
        policy_id: PolicyId,
        /// The number of the version that was commented on.
        version: u32,
        author: UserId,
    },
}

impl MailContent {
    /// Returns whether the mail waits for all mails that are not routine: resets of passwords, setup links and security
    /// notices.
    pub(super) const fn is_routine(&self) -> bool {
        match self {
            Self::Invitation { .. } | Self::Mention { .. } => true,
            Self::SetUp { .. } | Self::Reset | Self::Notice(_) => false,
        }
    }

    /// Returns the tenant that the mail is about.
    pub(super) const fn tenant(&self) -> Option<TenantId> {
        match self {
            Self::SetUp { tenant_id }
            | Self::Invitation { tenant_id, .. }
            | Self::Mention { tenant_id, .. }
            | Self::Notice(Notice::Key { tenant_id, .. }) => Some(*tenant_id),
            Self::Reset | Self::Notice(_) => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// A sign-in from a network that the account had not used before.
    SignIn { at: Timestamp, network: String, user_agent: Option<String> },
    /// The password of the account was changed or reset.
    PasswordChanged { at: Timestamp },
    /// The second factors of the account changed.
    SecondFactor {
        at: Timestamp,
        change: FactorChange,
        /// The name of the passkey.
        name: Option<String>,
    },
    /// An API key that acts for the user changed.
    Key { at: Timestamp, change: KeyChange, name: String, tenant_id: TenantId },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FactorChange {
    PasskeyAdded,
    PasskeyRemoved,
    TotpAdded,
    TotpRemoved,
    CodesReplaced,
    /// A recovery code was used.
    CodeUsed,
    /// An admin or the operator removed all second factors.
    Reset,
}

impl FactorChange {
    /// Returns the subject of the notice, and its effect.
    const fn text(self) -> (&'static str, &'static str) {
        const ENDED: &str = "All other sessions were ended.";
        match self {
            Self::PasskeyAdded => ("A passkey was added to your Govern account", ENDED),
            Self::PasskeyRemoved => ("A passkey was removed from your Govern account", ENDED),
            Self::TotpAdded => ("An authenticator app was added to your Govern account", ENDED),
            Self::TotpRemoved => {
                ("The authenticator app was removed from your Govern account", ENDED)
            }
            Self::CodesReplaced => {
                ("The recovery codes of your Govern account were replaced", ENDED)
            }
            Self::CodeUsed => (
                "A recovery code of your Govern account was used",
                "Each code works once. Create new codes before you run out of them.",
            ),
            Self::Reset => (
                "The second factors of your Govern account were removed",
                "All sessions were ended. Sign in with your password, and add a second factor again.",
            ),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyChange {
    Created,
    Revoked,
    /// The key was transferred to the user.
    Transferred,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct MessageText {
    pub(super) subject: Line,
    pub(super) body: String,
}

const SIGNATURE: &str = "\n-- \nGovern\n";

fn text(subject: &str, paragraphs: &[&str]) -> MessageText {
    let mut body = paragraphs.join("\n\n");
    body.push('\n');
    body.push_str(SIGNATURE);
    MessageText { subject: Line::new(subject), body }
}

const UNEXPECTED: &str = "If you did not expect this email, you can ignore it.";

/// Returns the text for a new account; `link` sets its first password.
pub(super) fn set_up(tenant: &Line, link: &str) -> MessageText {
    text(
        &format!("Your Govern account at {tenant}"),
        &[
            &format!("\"{tenant}\" created an account for you on Govern."),
            &format!("Choose a password to open it:\n{link}"),
            "The link works once, for a week. Opening it confirms that this address is yours.",
            UNEXPECTED,
        ],
    )
}

/// Returns the text of an invitation. `link` sets the first password of an account that has none. `page` is
/// the URL of the page on which a signed-in user accepts.
pub(super) fn invitation(tenant: &Line, role: Role, link: Option<&str>, page: &str) -> MessageText {
    let accept = format!(
        "If you have an account with this address, sign in and accept or decline on this page:\n{page}"
    );
    let choose = link.map(|link| {
        format!(
            "If you do not have an account yet, choose a password to accept. The link works once, \
             for a week:\n{link}"
        )
    });
    let invitation = format!("\"{tenant}\" invited you to Govern as {}.", role.with_article());
    let mut paragraphs = vec![invitation.as_str(), accept.as_str()];
    paragraphs.extend(choose.as_deref());
    paragraphs.push("You have no access there until you accept.");
    paragraphs.push(UNEXPECTED);
    text(&format!("Invitation to {tenant} on Govern"), &paragraphs)
}

/// A link that resets the password of one account of an address.
#[derive(Debug)]
pub(super) struct ResetLink {
    pub(super) tenant: Option<Line>,
    pub(super) link: String,
}

/// Returns the text of a password reset for an address with these accounts.
pub(super) fn reset(links: &[ResetLink]) -> MessageText {
    let links: Vec<String> = links
        .iter()
        .map(|ResetLink { tenant, link }| match tenant {
            Some(tenant) => {
                format!("For your account at \"{tenant}\", choose a new password:\n{link}")
            }
            None => format!("Choose a new password:\n{link}"),
        })
        .collect();
    let mut paragraphs = vec!["A new password was requested for your Govern account."];
    paragraphs.extend(links.iter().map(String::as_str));
    paragraphs.push("Each link works once, for an hour. All sessions of the account end with it.");
    paragraphs
        .push("If you did not request this, ignore this email. Your password does not change.");
    text("Reset your Govern password", &paragraphs)
}

/// Returns the text of a security notice. `tenant` is the tenant of the key; `account` is the URL of the
/// account page.
pub(super) fn notice(notice: &Notice, tenant: Option<&Line>, account: &str) -> MessageText {
    let check = format!(
        "If this was not you, reset your password, check your sessions, and inform an admin of your \
         tenant:\n{account}"
    );
    match notice {
        Notice::SignIn { at, network, user_agent } => {
            let browser =
                user_agent.as_deref().map(|agent| format!("\nBrowser: {}", Line::isolated(agent)));
            text(
                "New sign-in to your Govern account",
                &[
                    "A new network was used to sign in to your account.",
                    &format!(
                        "Time: {at}\nNetwork: {}{}",
                        Line::new(network),
                        browser.unwrap_or_default()
                    ),
                    &check,
                ],
            )
        }
        Notice::PasswordChanged { at } => text(
            "Your Govern password was changed",
            &[
                "The password of your account was changed, and all other sessions were ended.",
                &format!("Time: {at}"),
                &check,
            ],
        ),
        Notice::SecondFactor { at, change, name } => {
            let (subject, effect) = change.text();
            let name = name.as_deref();
            let name = name.map(|name| format!("\nPasskey: {}", Line::isolated(name)));
            text(
                subject,
                &[
                    &format!("{subject}. {effect}"),
                    &format!("Time: {at}{}", name.unwrap_or_default()),
                    &check,
                ],
            )
        }
        Notice::Key { at, change, name, .. } => {
            let (headline, effect) = match change {
                KeyChange::Created => ("An API key was created", "It acts for you."),
                KeyChange::Revoked => ("An API key was revoked", "It no longer works."),
                KeyChange::Transferred => {
                    ("An API key was transferred to you", "It acts for you now.")
                }
            };
            let tenant = tenant.map_or_else(String::new, |tenant| format!("\nTenant: {tenant}"));
            text(
                &format!("{headline} on Govern"),
                &[
                    &format!("{headline}. {effect}"),
                    &format!("Key: {}{tenant}\nTime: {at}", Line::isolated(name)),
                    &check,
                ],
            )
        }
    }
}

/// Returns the text about a mention. It does not contain the comment; `link` is the URL of the version.
pub(super) fn mention(
    tenant: &Line,
    policy: &Line,
    version: u32,
    author: &Line,
    link: &str,
) -> MessageText {
    text(
        &format!("You were mentioned on {policy} v{version}"),
        &[
            &format!(
                "{author} mentioned you in a comment on version {version} of the policy \"{policy}\" of \
                 \"{tenant}\"."
            ),
            &format!("Read the comment:\n{link}"),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invitation_text_does_not_reveal_whether_the_address_has_an_account() {
        let tenant = Line::new("Acme\nLtd");
        let link = Some("https://govern.example/setup?token=t");
        let text = invitation(&tenant, Role::Author, link, "https://govern.example/invitations");
        assert_eq!(text.subject.as_str(), "Invitation to Acme Ltd on Govern");
        assert_eq!(
            text.body,
            "\"Acme Ltd\" invited you to Govern as an author.\n\n\
             If you have an account with this address, sign in and accept or decline on this page:\n\
             https://govern.example/invitations\n\n\
             If you do not have an account yet, choose a password to accept. The link works once, \
             for a week:\nhttps://govern.example/setup?token=t\n\n\
             You have no access there until you accept.\n\n\
             If you did not expect this email, you can ignore it.\n\n-- \nGovern\n"
        );
    }

    #[test]
    fn names_do_not_change_the_direction_of_the_text_around_them() {
        let tenant = Line::isolated("Acme\u{202E}Ltd");
        let text = invitation(&tenant, Role::Viewer, None, "https://govern.example/invitations");
        assert_eq!(text.subject.as_str(), "Invitation to AcmeLtd on Govern");
        assert!(text.body.starts_with("\"AcmeLtd\" invited you"), "{}", text.body);
        let tenant = Line::isolated("שלום");
        let text = invitation(&tenant, Role::Viewer, None, "https://govern.example/invitations");
        assert_eq!(text.subject.as_str(), "Invitation to \u{2068}שלום\u{2069} on Govern");
        let key = Notice::Key {
            at: "2026-09-01T10:00:00.000Z".parse().unwrap(),
            change: KeyChange::Created,
            name: "bill\u{202E}gni".to_owned(),
            tenant_id: TenantId(uuid::Uuid::nil()),
        };
        let text = notice(&key, Some(&tenant), "https://govern.example/account");
        let lines = "Key: billgni\nTenant: \u{2068}שלום\u{2069}\nTime: ";
        assert!(text.body.contains(lines), "{}", text.body);
    }

    #[test]
    fn user_agent_in_notice_is_one_line() {
        let sign_in = Notice::SignIn {
            at: "2026-09-01T10:00:00.000Z".parse().unwrap(),
            network: "192.0.2.0/24".to_owned(),
            user_agent: Some("Browser\r\n\r\nhttps://evil.example".to_owned()),
        };
        let text = notice(&sign_in, None, "https://govern.example/account");
        assert!(text.body.contains("\nBrowser: Browser https://evil.example\n"), "{}", text.body);
    }

    #[test]
    fn content_round_trips_through_the_queue() {
        for content in [
            MailContent::Reset,
            MailContent::Invitation { tenant_id: TenantId(uuid::Uuid::nil()), role: Role::Admin },
            MailContent::Notice(Notice::Key {
                at: "2026-09-01T10:00:00.000Z".parse().unwrap(),
                change: KeyChange::Revoked,
                name: "ci".to_owned(),
                tenant_id: TenantId(uuid::Uuid::nil()),
            }),
            MailContent::Mention {
                tenant_id: TenantId(uuid::Uuid::nil()),
                policy_id: PolicyId(uuid::Uuid::nil()),
                version: 3,
                author: UserId(uuid::Uuid::nil()),
            },
        ] {
            let queued = serde_json::to_string(&content).unwrap();
            assert_eq!(serde_json::from_str::<MailContent>(&queued).unwrap(), content, "{queued}");
        }
    }
}
