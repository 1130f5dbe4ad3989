//! Members of a tenant: the members, the open invitations, and the rights of each role. `change` has the pages that
//! change, remove or reset one member.

pub mod change;

use contract::{
    member::{Invitation, Member, MemberStatus, UserDraft},
    read::FromJson,
};
use governance::access::member::{self, MemberProfile};
use page_kit::{prelude::*, ui::initials::initials};

contract::named_enum! {
    /// A tab of the page. Its name is the value in the address.
    enum MemberTab {
        /// The active members.
        Members = "",
        /// The users who have not accepted their invitation.
        Invitations = "invitations",
        /// The rights of each role.
        Roles = "roles",
    }
}

impl MemberTab {
    /// Reads the tab from the address. Unknown values mean the first tab.
    fn read(tab: &str) -> Self {
        Self::from_name(tab).unwrap_or(Self::Members)
    }
}

/// `/t/{tenant}/members`
pub async fn members() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let tab = MemberTab::read(&page::query("tab"));
    cx.tenant(permission::INVITE_MEMBERS)?;
    let counts = member::counts(&cx).await?;
    let status = match tab {
        MemberTab::Members => Some(MemberStatus::Active),
        MemberTab::Invitations => Some(MemberStatus::Invited),
        MemberTab::Roles => None,
    };
    let path = url::members(tenant);
    let content = match status {
        None => role_table(),
        Some(status) => {
            let page = page_at(page::query("cursor"));
            let window = member::window(&cx, Some(status), &page).await?;
            let ids: Vec<_> = window.items.iter().map(|member| member.user_id).collect();
            let profiles = member::profiles(&cx, ids).await?;
            let list = list(&cx, tenant, tab, window, &profiles, counts.admins == 1);
            any_view! {
                {invite_form(tenant, request::take_input(&path).await)}
                {list}
            }
        }
    };
    let link = request::take_created(&path).map(|link| {
        view! {
            <OneTimeSecretBox
                title=format!("{} can choose a password with this link.", isolated(&link.name))
                secret=link.secret
                what="Link to choose a password"
                note="Send this link to the person. It is shown once, can be used once and expires after 7 days. To create another link, invite the person again with a name."
                page=path.clone()
                done="I have copied it"
            />
        }
    });
    let notice: Option<String> = request::take_result(&path).await;
    let item = |own: MemberTab, label, count| Tab {
        href: url::members_tab(tenant, own.as_str()),
        label,
        count,
        is_current: own == tab,
    };
    let tabs = vec![
        item(MemberTab::Members, "Members", Some(counts.active)),
        item(MemberTab::Invitations, "Invitations", Some(counts.invited)),
        item(MemberTab::Roles, "Roles", None),
    ];
    Ok(any_view! {
        <div class="page-head">
            <Heading title="Members" />
        </div>
        <p class="intro">
            "People in this tenant and their roles. Maker-checker compares people, not roles."
        </p>
        {tab_links("Members", tabs)}
        {link}
        {notice.map(|text| note(Tone::Allow, Some("status"), text))}
        {content}
    })
}

/// Renders the members or the invitations. `has_one_admin` is whether the tenant has one active admin, who can neither be
/// removed nor get another role.
fn list(
    cx: &Cx,
    tenant: TenantId,
    tab: MemberTab,
    window: Window<Member>,
    profiles: &BTreeMap<UserId, MemberProfile>,
    has_one_admin: bool,
) -> AnyView {
    let Window { items, next, previous } = window;
    if items.is_empty() {
        let text = "People whom you invite are listed here until they accept.";
        return empty_state("No open invitations", text);
    }
    let is_invitations = tab == MemberTab::Invitations;
    let (caption, first, third) = if is_invitations {
        ("Invitations", "Person", "Status")
    } else {
        ("Members", "Member", "Last active")
    };
    let now = cx.now;
    let table = Table::new(caption)
        .column(first, |member: &Member| identity(member, profiles.get(&member.user_id)))
        .column("Role", |member| messages::role(member.role))
        .muted(third, |member| {
            let last_active = profiles.get(&member.user_id).and_then(|profile| profile.last_active);
            match last_active {
                _ if member.status == MemberStatus::Invited => status_badge(true),
                Some(at) => age(at, now),
                None => "Never".into_any(),
            }
        })
        .muted("Since", |member| day(member.created_at))
        .column("Actions", |member| {
            let is_admin = member.role == Role::Admin && member.status == MemberStatus::Active;
            if has_one_admin && is_admin {
                let text = "The last admin cannot be removed.";
                return any_view! { <span class="text-muted">{text}</span> };
            }
            actions(tenant, member, profiles.get(&member.user_id))
        });
    let help = (!is_invitations).then(|| {
        view! {
            <p class="text-xs text-muted">
                "Last active: the last sign-in or change in the audit log of this tenant."
            </p>
        }
    });
    let address = |cursor: Option<String>| {
        let path = url::members(tenant);
        cursor.map(|cursor| url::with_query(&path, &[("tab", tab.as_str()), ("cursor", &cursor)]))
    };
    let [one, many] =
        if is_invitations { ["invitation", "invitations"] } else { ["member", "members"] };
    let count = messages::shown(items.len(), one, many);
    any_view! {
        {table.of(&items)}
        {help}
        {pager(address(previous), address(next), count)}
    }
}

/// Renders the avatar, the name and the email address of a member.
fn identity(member: &Member, profile: Option<&MemberProfile>) -> AnyView {
    let email = member.email.clone();
    let name = profile.map(|profile| profile.name.clone()).filter(|name| *name != email);
    let initials = initials(name.as_ref().unwrap_or(&email));
    let own = request::current_user_id() == Some(member.user_id);
    let own = own.then(|| any_view! { <span class="tag">"you"</span> });
    let factor = profile
        .is_some_and(|profile| profile.has_second_factor || profile.can_reset_second_factors);
    let factor = factor.then(|| view! { <span class="tag">"second factor"</span> });
    let (own_after_name, own_after_email) = if name.is_some() { (own, None) } else { (None, own) };
    let class = if name.is_some() { "block text-xs text-muted" } else { "font-semibold" };
    let name = name.map(|name| view! { <bdi class="font-semibold">{name}</bdi> });
    any_view! {
        <span class="member">
            <span class="avatar" aria-hidden="true">
                {initials}
            </span>
            <span>
                {name} " " {own_after_name} <bdi class=class>{email}</bdi> " " {own_after_email} " "
                {factor}
            </span>
        </span>
    }
}

/// Renders the links to the actions for a member.
fn actions(tenant: TenantId, member: &Member, profile: Option<&MemberProfile>) -> AnyView {
    let (id, email) = (member.user_id, &*member.email);
    let (text, label) = if member.status == MemberStatus::Invited {
        ("Withdraw", change::withdraw_title(email))
    } else {
        ("Remove", change::remove_title(email))
    };
    let can_reset = profile.is_some_and(|profile| profile.can_reset_second_factors);
    let link = |href: String, label: String, text: &'static str| {
        view! {
            <a class="button quiet" href=href aria-label=label>
                {text}
            </a>
        }
    };
    let reset = || {
        let label = change::reset_title(email);
        link(url::reset_second_factors(tenant, id), label, "Reset second factors")
    };
    any_view! {
        {can_reset.then(reset)}
        {link(url::change_role(tenant, id), change::role_title(email), "Change role")}
        {link(url::remove_member(tenant, id), label, text)}
    }
}

/// Renders the badge of the status of a membership.
pub fn status_badge(is_invited: bool) -> AnyView {
    if is_invited {
        badge("na", Icon::Wait, "Invited")
    } else {
        badge("allow", Icon::Allow, "Active")
    }
}

/// The choices of a role.
const ROLES: [(&str, &str); 7] = [
    ("viewer", "Viewer: reads"),
    ("operator", "Operator: also alerts, webhooks, forms, outcomes"),
    ("auditor", "Auditor: also the audit log and exports"),
    ("author", "Author: also writes and submits drafts"),
    ("reviewer", "Reviewer: also accepts and requests changes"),
    ("ratifier", "Ratifier: also signs, ratifies, activates"),
    ("admin", "Admin: also settings, members, keys"),
];

/// Returns the actions that a right permits. Rights that no role has are described too, so that the list is
/// complete.
const fn permitted(right: Right) -> &'static str {
    match right {
        Right::Read => "Read policies, decisions, alerts and forms",
        Right::Operate => {
            "Acknowledge alerts, manage webhooks and forms, record outcomes, try decisions"
        }
        Right::Audit => "Read and verify the audit log, export decisions",
        Right::Author => "Write, submit and recall drafts, issue authoring capabilities",
        Right::Review => "Review and reject versions",
        Right::Ratify => "Ratify, activate and deactivate versions",
        Right::Administer => "Manage members, API keys and settings",
        Right::UseCapability => "Use an authoring capability",
        Right::Provision => "Create tenants",
    }
}

/// Renders a table with a row per right and a column per role.
fn role_table() -> AnyView {
    let columns =
        Table::new("Roles").class("list roles").column("Right", |right| permitted(*right));
    let table = Role::ALL.into_iter().fold(columns, |table, role| {
        table.column(messages::role(role), move |right| {
            if role.has(*right) {
                any_view! {
                    {icon(Icon::Tick)}
                    <span class="sr-only">"Yes"</span>
                }
            } else {
                any_view! { <span class="text-muted">"No"</span> }
            }
        })
    });
    any_view! {
        {table.of(&Right::OF_ROLES)}
        <p class="text-muted">
            "A role applies in this tenant only. API keys have scopes instead of a role."
        </p>
    }
}

/// Renders the form to invite a user. `rejected` is the input of a rejected attempt, with its error.
fn invite_form(tenant: TenantId, rejected: Option<(Problem, InviteForm)>) -> AnyView {
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let role = if form.role.is_empty() { Role::Viewer.as_str().to_owned() } else { form.role };
    any_view! {
        <CreateForm label="Invite member" action=InviteMember::url() tenant problem>
            <div class="filters">
                <TextField
                    label="Email"
                    name="form[email]"
                    kind="email"
                    value=form.email
                    required=true
                />
                <SelectField label="Role" name="form[role]" choices=ROLES.to_vec() value=role />
            </div>
            <HintedField
                label="Name, for a new account"
                hint="For a person who is new to this tenant. If the service sends mail, the person gets a link to choose a password by mail; otherwise the link is shown to you."
                name="form[name]"
                id="name"
                value=form.name
                maxlength=200
            />
        </CreateForm>
    }
}

/// The input of the invitation form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct InviteForm {
    email: String,
    /// The name of a user without an account; empty for a user with an account.
    name: String,
    role: String,
}

impl InviteForm {
    /// Returns the requested invitation.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn invitation(&self) -> Result<Invitation, Problem> {
        parse(Object::from([
            ("email", self.email.trim().into()),
            ("role", self.role.as_str().into()),
        ]))
    }

    /// Returns the requested account, or `None` without a name.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn account(&self) -> Result<Option<UserDraft>, Problem> {
        let name = self.name.trim();
        if name.is_empty() {
            return Ok(None);
        }
        let body = [("email", self.email.trim().into()), ("display_name", name.into())];
        parse(Object::from(body)).map(Some)
    }
}

fn parse<T: FromJson>(body: Object) -> Result<T, Problem> {
    let labels = [
        ("/email", "Email"),
        ("/role", "Role"),
        ("/display_name", "Name, for a new account"),
        ("/keys_to", "API keys"),
    ];
    request::read_form(body, &labels)
}

/// Invites a user, with a new account when the form contains a name, and redirects to the list.
#[server(prefix = "/console", endpoint = "invite-member", output = JsonCodec)]
async fn invite_member(tenant: TenantId, form: InviteForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::members(tenant);
    let invited = invite(&cx, &form).await;
    match &invited {
        Ok((_, Some(link))) => request::set_created(link, &page),
        Ok((notice, None)) => request::set_result(&page, notice).await?,
        Err(_) => {}
    }
    request::respond(invited, &page, &page, request::form_json(&form)).await
}

/// Invites the user described by a form. With a name, it first creates an account, or a new setup link for an
/// account without a password. Returns a sentence about the result, and the link unless it was only sent by
/// mail.
async fn invite(cx: &Cx, form: &InviteForm) -> Result<(String, Option<OneTimeSecret>), Problem> {
    let (invitation, account) = (form.invitation()?, form.account()?);
    let notice = |member: &Member| {
        let state = if member.status == MemberStatus::Active { "now a member" } else { "invited" };
        format!("{} is {state}.", isolated(&member.email))
    };
    let Some(draft) = account else {
        return match member::invite(cx, invitation).await {
            Ok(member) => Ok((notice(&member), None)),
            Err(error) if error.code() == ErrorCode::NotFound => Err(Problem::of_form(
                "No account with this email in this tenant. Enter a name to create one.",
            )),
            Err(error) => Err(error.into()),
        };
    };
    let role = invitation.role.unwrap_or(Role::Viewer);
    let (member, created) = member::create(cx, draft, role).await?;
    let link = created.and_then(|created| Some((created.user.email, created.setup_url?)));
    Ok((notice(&member), link.map(|(name, secret)| OneTimeSecret { name, secret })))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(email: &str, name: &str, role: &str) -> InviteForm {
        InviteForm { email: email.into(), name: name.into(), role: role.into() }
    }

    #[test]
    fn an_account_is_requested_only_with_a_name() {
        assert_eq!(form("ada@example.com", " ", "author").account(), Ok(None));
        let draft = form(" Ada@Example.com ", " Ada ", "author").account().unwrap().unwrap();
        assert_eq!((&*draft.email, &*draft.display_name), ("ada@example.com", "Ada"));
    }

    #[test]
    fn all_errors_are_reported_with_the_labels_of_the_form() {
        let message = form("ada", "", "king").invitation().unwrap_err().message;
        assert!(message.contains("Email: ") && message.contains("Role: "), "{message}");
    }

    #[test]
    fn every_role_can_be_selected() {
        assert_eq!(ROLES.map(|(role, _)| role), Role::ALL.map(Role::as_str));
    }
}
