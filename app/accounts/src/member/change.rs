//! The pages that change the role of a member, remove a member, and reset the second factors of a member.

use contract::{
    api_key::ApiKey,
    member::{Member, MemberPatch, MemberStatus},
};
use governance::access::{
    api_key,
    member::{self, ExpectedMember},
    second_factor,
};
use page_kit::prelude::*;

use super::{MemberTab, ROLES, parse};
use crate::key::{is_of_capability, last_used, scopes};

/// A member, and what an action on the member changes.
struct Subject {
    tenant: TenantId,
    member: Member,
    name: String,
    /// The API keys that are not revoked, newest first.
    keys: Vec<ApiKey>,
    /// The admins who can take the keys over, with their names.
    receivers: Vec<(UserId, String)>,
    /// Why the last action was rejected, and the selected role.
    rejected: Option<RejectedForm>,
}

/// Reads the member of the page. `own` returns the address of the page.
async fn subject(own: fn(TenantId, UserId) -> String) -> Result<Subject, Problem> {
    let (tenant, cx) = page::member().await?;
    let id: UserId = page::param("user")?;
    let member = member::read(&cx, id).await?;
    let directory = request::directory(&cx).await?;
    let keys = api_key::of_person(&cx, id).await?;
    let admins = member::admins(&cx).await?;
    let name = |member: &Member| {
        let known = directory.names.get(&member.user_id.to_string());
        known.unwrap_or(&member.email).clone()
    };
    let others = admins.iter().filter(|admin| admin.user_id != id);
    let receivers = others.map(|admin| {
        let (name, email) = (name(admin), &admin.email);
        (admin.user_id, if name == *email { name } else { format!("{name} ({email})") })
    });
    let receivers = receivers.collect();
    let rejected = request::take_rejected(&own(tenant, id)).await;
    Ok(Subject { tenant, name: name(&member), member, keys, receivers, rejected })
}

impl Subject {
    fn problem(&self) -> Option<Problem> {
        self.rejected.as_ref().map(|rejected| rejected.problem.clone())
    }

    /// Renders the member and the state that the user has seen, as hidden fields.
    fn hidden(&self) -> AnyView {
        let keys = self.keys.iter().map(|key| key.id).collect();
        let seen = SeenMember { role: self.member.role, keys };
        let seen = serde_json::to_string(&seen).unwrap_or_default();
        any_view! {
            <input type="hidden" name="tenant" value=self.tenant.to_string() />
            <input type="hidden" name="id" value=self.member.user_id.to_string() />
            <input type="hidden" name="seen" value=seen />
        }
    }

    fn email(&self) -> AnyView {
        let email = self.member.email.clone();
        fact("Email", view! { <bdi>{email}</bdi> })
    }

    /// Renders the keys with a choice between revoking and transferring them, or nothing if there are no keys. `help`
    /// states the default for a number of keys, and whether the keys can be transferred.
    fn keys(&self, help: fn(usize, bool) -> String) -> Option<AnyView> {
        if self.keys.is_empty() {
            return None;
        }
        let help = help(self.keys.len(), !self.receivers.is_empty());
        let table = Table::new("API keys")
            .column("Key", |key: &ApiKey| {
                let note = is_of_capability(key).then(|| {
                    let text = "authoring capability: revoked in either case";
                    view! { <span class="text-muted">{text}</span> }
                });
                let (name, preview) = (key.name.clone(), key.key_preview.clone());
                view! {
                    <bdi class="font-semibold">{name}</bdi>
                    <span class="font-mono text-muted whitespace-nowrap">{preview}</span>
                    {note}
                }
            })
            .column("Scopes", |key| scopes(&key.scopes))
            .column("Expires (UTC)", |key| time_or(key.expires_at, "Never"))
            .column("Last used", |key| last_used(key.last_used_at));
        let receivers = self.receivers.iter().map(|(id, name)| {
            let label = format!("Transfer to {}", isolated(name));
            view! { <option value=id.to_string()>{label}</option> }
        });
        Some(any_view! {
            <p class="font-semibold">{help}</p>
            {table.of(&self.keys)}
            <label class="field">
                <span>"What happens to these API keys"</span>
                <select name="keys_to">
                    <option value="">"Revoke"</option>
                    {receivers.collect_view()}
                </select>
            </label>
        })
    }
}

/// The role and the keys of a member that the user has seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SeenMember {
    role: Role,
    /// The API keys that are not revoked.
    keys: BTreeSet<ApiKeyId>,
}

impl SeenMember {
    /// Parses the value of a form.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` for a text that no page contains.
    fn parse(text: &str) -> Result<ExpectedMember, Problem> {
        let seen = serde_json::from_str(text).map_err(|_| Problem::of_form(UNREADABLE))?;
        let Self { role, keys } = seen;
        Ok(ExpectedMember { role, keys })
    }
}

/// Returns the requested change of role. `keys_to` is empty if the keys are revoked.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for an unknown role or an invalid ID.
fn patch(role: &str, keys_to: &str) -> Result<MemberPatch, Problem> {
    let mut body = Object::from([("role", role.into())]);
    if !keys_to.is_empty() {
        body.insert("keys_to", keys_to);
    }
    parse(body)
}

/// Returns the user who takes the keys over, or `None` if they are revoked.
///
/// # Errors
/// Returns `VALIDATION_ERROR` for an invalid ID.
fn receiver(keys_to: &str) -> Result<Option<UserId>, Problem> {
    patch(Role::Viewer.as_str(), keys_to).map(|patch| patch.keys_to)
}

/// Returns the label of a link, which is also the heading of its page.
pub(super) fn role_title(name: &str) -> String {
    format!("Change the role of {}", isolated(name))
}

pub(super) fn remove_title(name: &str) -> String {
    format!("Remove {}", isolated(name))
}

pub(super) fn withdraw_title(name: &str) -> String {
    format!("Withdraw the invitation of {}", isolated(name))
}

pub(super) fn reset_title(name: &str) -> String {
    format!("Reset the second factors of {}", isolated(name))
}

const BACK: &str = "Back to the members";

/// `/t/{tenant}/members/{user}/role`
pub async fn role() -> PageResult {
    let subject = subject(url::change_role).await?;
    let selected = subject.rejected.as_ref().map(|rejected| rejected.text.clone());
    let selected = selected.filter(|role| !role.is_empty());
    let role = selected.unwrap_or_else(|| subject.member.role.as_str().to_owned());
    let facts = view! {
        <dl class="facts">
            {subject.email()} {fact("Current role", messages::role(subject.member.role))}
        </dl>
    };
    let form = view! {
        <form method="post" action=ChangeRole::url() class="stack" data-once="">
            {subject.hidden()}
            <SelectField label="Role" name="role" choices=ROLES.to_vec() value=role required=true />
            {subject.keys(keys_of_changed)}
            <p>"The new role applies from the next request on."</p>
            {submit("primary", "Change role")}
        </form>
    };
    Ok(any_view! {
        <Panel
            title=role_title(&subject.name)
            problem=subject.problem()
            back=url::members(subject.tenant)
            back_label=BACK
            is_confirmation=true
        >
            {facts}
            {form}
        </Panel>
    })
}

/// Changes the role of a member and redirects to the list, unless the member has changed since the user read it. The
/// member's keys are transferred to the user `keys_to`. If `keys_to` is empty and the new role has fewer rights, the keys
/// are revoked.
#[server(prefix = "/console", endpoint = "change-role", output = JsonCodec)]
async fn change_role(
    tenant: TenantId,
    id: UserId,
    role: String,
    #[server(default)] keys_to: String,
    seen: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::change_role(tenant, id), role.clone(), async {
        let (patch, expected) = (patch(&role, &keys_to)?, SeenMember::parse(&seen)?);
        let member = member::change_role(&cx, id, patch, Some(&expected)).await?;
        let (email, role) = (isolated(&member.email), messages::role(member.role));
        let notice = format!("The role of {email} is now {role}.");
        request::set_result(&url::members(tenant), &notice).await?;
        Ok(url::members(tenant))
    })
    .await
}

/// `/t/{tenant}/members/{user}/remove`: removes a member, or withdraws an invitation.
pub async fn remove() -> PageResult {
    let subject = subject(url::remove_member).await?;
    let is_me = request::current_user_id() == Some(subject.member.user_id);
    let is_invited = subject.member.status == MemberStatus::Invited;
    let (title, help, label, tab) = if is_invited {
        let help = "This person can no longer accept the invitation.";
        (withdraw_title(&subject.name), help, "Withdraw invitation", MemberTab::Invitations)
    } else {
        let help = if is_me {
            "You lose access to this tenant immediately. An admin can invite you again."
        } else {
            "This person loses access to this tenant immediately."
        };
        (remove_title(&subject.name), help, "Remove member", MemberTab::Members)
    };
    let unchanged = (!is_invited).then(|| {
        view! { <p>"Drafts, submissions and signatures of this person stay unchanged."</p> }
    });
    let facts = view! {
        <dl class="facts">
            {subject.email()} {fact("Role", messages::role(subject.member.role))}
            {fact("Since", minute(subject.member.created_at))}
        </dl>
    };
    let form = view! {
        <form method="post" action=RemoveMember::url() class="stack" data-once="">
            {subject.hidden()}
            <input type="hidden" name="tab" value=tab.as_str() />
            <p>{help}</p>
            {subject.keys(keys_of_removed)}
            {unchanged}
            {submit("danger", label)}
        </form>
    };
    Ok(any_view! {
        <Panel
            title
            problem=subject.problem()
            back=url::members_tab(subject.tenant, tab.as_str())
            back_label=BACK
            is_confirmation=true
        >
            {facts}
            {form}
        </Panel>
    })
}

/// Removes a member, or withdraws an invitation, and redirects to the list with the tab `tab`, unless the member has
/// changed since the user read it. A user who removes themselves is redirected to the start page. The member's keys are
/// transferred to the user `keys_to`, or revoked if it is empty.
#[server(prefix = "/console", endpoint = "remove-member", output = JsonCodec)]
async fn remove_member(
    tenant: TenantId,
    id: UserId,
    #[server(default)] keys_to: String,
    seen: String,
    #[server(default)] tab: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::remove_member(tenant, id), String::new(), async {
        let (receiver, expected) = (receiver(&keys_to)?, SeenMember::parse(&seen)?);
        member::remove(&cx, id, receiver, Some(&expected)).await?;
        if request::current_user_id() == Some(id) {
            return Ok("/".to_owned());
        }
        let tab = MemberTab::read(&tab);
        let notice = match tab {
            MemberTab::Invitations => "Invitation withdrawn.",
            MemberTab::Members | MemberTab::Roles => "Member removed.",
        };
        request::set_result(&url::members(tenant), &notice).await?;
        Ok(url::members_tab(tenant, tab.as_str()))
    })
    .await
}

/// `/t/{tenant}/members/{user}/second-factors`: removes the second factors of a member who has lost them.
pub async fn reset() -> PageResult {
    let subject = subject(url::reset_second_factors).await?;
    let facts = view! { <dl class="facts">{subject.email()}</dl> };
    let (tenant, id) = (subject.tenant, subject.member.user_id);
    Ok(any_view! {
        <Panel
            title=reset_title(&subject.name)
            problem=subject.problem()
            back=url::members(tenant)
            back_label=BACK
            is_confirmation=true
        >
            {facts}
            <form method="post" action=ResetSecondFactors::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <p>
                    "The passkeys, the authenticator app and the recovery codes of this person are removed, and the person is signed out. The person then signs in with the password alone."
                </p>
                <p>
                    "First make sure that the request comes from this person, for example in a call."
                </p>
                {submit("danger", "Reset second factors")}
            </form>
        </Panel>
    })
}

/// Removes the second factors of a member and redirects to the list.
#[server(prefix = "/console", endpoint = "reset-second-factors", output = JsonCodec)]
async fn reset_second_factors(tenant: TenantId, id: UserId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::reset_second_factors(tenant, id), String::new(), async {
        second_factor::reset(&cx, id).await?;
        request::set_result(&url::members(tenant), &"Second factors reset.").await?;
        Ok(url::members(tenant))
    })
    .await
}

/// Returns what happens to the keys of a member who is removed.
fn keys_of_removed(keys: usize, can_transfer: bool) -> String {
    let exception = exception(keys, can_transfer);
    format!("{} will be revoked{exception}.", count(keys, "API key", "API keys"))
}

/// Returns what happens to the keys of a member whose role changes.
fn keys_of_changed(keys: usize, can_transfer: bool) -> String {
    let exception = exception(keys, can_transfer);
    let keys = count(keys, "API key", "API keys");
    format!("A role with fewer rights revokes {keys}{exception}. Other roles revoke none.")
}

fn exception(keys: usize, can_transfer: bool) -> String {
    let them = if keys == 1 { "it" } else { "them" };
    let text = format!(", unless you transfer {them} to another admin");
    Some(text).filter(|_| can_transfer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_revoked_keys_is_stated() {
        assert_eq!(keys_of_removed(1, false), "1 API key will be revoked.");
        let two = "2 API keys will be revoked, unless you transfer them to another admin.";
        assert_eq!(keys_of_removed(2, true), two);
    }

    #[test]
    fn an_unknown_role_is_an_error() {
        assert!(patch("king", "").is_err());
        assert_eq!(patch("admin", ""), Ok(MemberPatch { role: Role::Admin, keys_to: None }));
    }

    #[test]
    fn an_unreadable_state_of_a_member_is_an_error() {
        let expected = ExpectedMember { role: Role::Author, keys: BTreeSet::new() };
        assert_eq!(SeenMember::parse(r#"{"role":"author","keys":[]}"#), Ok(expected));
        assert!(SeenMember::parse("").is_err());
    }

    #[test]
    fn keys_are_revoked_unless_a_receiver_is_selected() {
        let id = "6b2f5e34-6f0f-4f0e-9a54-0f3a4a1c8d11";
        assert_eq!(receiver(""), Ok(None));
        assert_eq!(receiver(id), Ok(id.parse().ok()));
        let message = receiver("x").unwrap_err().message;
        assert!(message.contains("API keys: "), "{message}");
    }
}
