//! Authoring capabilities: the list, and the pages that carry over or revoke one; `form` issues one.

mod form;

use contract::capability::{Capability, CapabilityCarry};
use governance::{
    authoring::capability::{self, GrantLineageStatus},
    base::error::role_lacks_permission,
};
use page_kit::prelude::*;

const TITLE: &str = "Authoring capabilities";

/// The actions that a capability can permit, and their descriptions.
const ACTIONS: [(&str, &str); 5] = [
    ("policy.read", "Read the version"),
    ("policy.draft.edit", "Edit the draft"),
    ("review.seal", "Submit for review"),
    ("policy.submit", "Submit for ratification"),
    ("review.retrieve", "Read review records"),
];

/// `/t/{tenant}/capabilities`
pub async fn capabilities() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let path = url::grants(tenant);
    let may_issue = may_issue(&cx)?;
    let lineages = capability::list_lineages(&cx, &page_at(page::query("cursor"))).await?;
    let names = &directory(&cx).await?.names;
    let older = older_than(&path, lineages.next_cursor);
    let lineages: Vec<_> = lineages.items.into_iter().filter_map(Lineage::new).collect();
    let form = if may_issue {
        Some(form::issue_form(&cx, tenant, lineages.is_empty()).await?)
    } else {
        None
    };
    let secret = take_created(&path).map(|secret| {
        let title = format!("Capability for {} issued. This is its key.", isolated(&secret.name));
        view! {
            <OneTimeSecretBox
                title
                secret=secret.secret
                what="Program's key"
                note="Copy the key now. It will not be shown again."
                page=path
                done="I have copied it"
            />
        }
    });
    let table = Table::new(TITLE)
        .column("Program", |lineage: &Lineage| {
            view! { <bdi class="font-semibold">{lineage.program(names)}</bdi> }
        })
        .column("Version", |lineage| lineage.version(tenant))
        .column("Allowed actions", Lineage::actions)
        .column("Status", |lineage| lineage.status(names))
        .column("Writes and validity", Lineage::validity)
        .column("Lineage", |lineage| {
            view! {
                <details class="disclosure">
                    <summary>{count(lineage.grants.len(), "grant", "grants")}</summary>
                    {lineage.timeline(names)}
                </details>
            }
        })
        .column("Action", |lineage| {
            let may_act = may_issue && lineage.state != GrantState::Revoked;
            may_act.then(|| lineage.links(tenant, names))
        });
    let empty = ["No capabilities yet", "Issue a capability to let a program edit a draft."];
    Ok(any_view! {
        <Heading title=TITLE />
        <p class="intro">
            "A capability lets a program work on exactly one version of one policy. It does not permit reviewing, ratifying or activating."
        </p>
        {secret}
        {form}
        {table.or_empty(&lineages, empty)}
        {older}
    })
}

/// Returns whether the user can issue capabilities. Fails if the user cannot view them either.
fn may_issue(cx: &Cx) -> Result<bool, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let may_issue = role.has(Right::Author);
    if may_issue || role.has(Right::Audit) {
        return Ok(may_issue);
    }
    let action = "managing authoring capabilities";
    Err(governance::Error::from(role_lacks_permission(action, Right::Author, role)).into())
}

/// `/t/{tenant}/capabilities/{grant}/carry`
pub async fn carry() -> PageResult {
    action_page(url::carry_grant, carry_label, Lineage::carry_form).await
}

/// `/t/{tenant}/capabilities/{grant}/revoke`
pub async fn revoke() -> PageResult {
    action_page(url::revoke_grant, revoke_label, Lineage::revoke_form).await
}

/// Shows one capability with the form of an action, for users who can issue capabilities.
async fn action_page(
    address: fn(TenantId, CapabilityId) -> String,
    title: fn(&str) -> String,
    form: fn(&Lineage, TenantId) -> AnyView,
) -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("grant")?;
    let may_act = may_issue(&cx)?;
    let lineage = capability::lineage(&cx, id).await?;
    let names = &directory(&cx).await?.names;
    let lineage = Lineage::new(lineage).ok_or_else(Problem::missing)?;
    let problem = take_rejected(&address(tenant, id)).await.map(|rejected| rejected.problem);
    let title = title(&lineage.program(names));
    let facts = view! {
        <dl class="facts">
            {fact("Version", lineage.version(tenant))} {fact("Allowed actions", lineage.actions())}
            {fact("Status", lineage.status(names))}
            {fact("Writes and validity", lineage.validity())}
            {fact("Lineage, oldest first", lineage.timeline(names))}
        </dl>
    };
    let form = may_act.then(|| form(&lineage, tenant));
    Ok(any_view! {
        <Panel title problem back=url::grants(tenant) back_label="Back to the capabilities">
            {facts}
            {form}
        </Panel>
    })
}

/// Returns the label of the carry button, which is also the title of its page.
fn carry_label(program: &str) -> String {
    format!("Carry over the capability of {}", isolated(program))
}

/// Returns the label of the revoke button, which is also the title of its page.
fn revoke_label(program: &str) -> String {
    format!("Revoke the capability of {}", isolated(program))
}

/// The capability of a program: the governing grant of its key, and the grants that were carried over to it.
struct Lineage {
    grant: Capability,
    state: GrantState,
    /// From the first grant to the governing one.
    grants: Vec<Capability>,
    /// The policy's code and name; absent if the policy was deleted.
    policy: Option<(String, String)>,
    /// The later open version to which it can be carried over.
    successor: Option<u32>,
}

impl Lineage {
    /// Returns `None` if there are no grants.
    fn new(status: GrantLineageStatus) -> Option<Self> {
        let GrantLineageStatus { grants, ended, policy, successor } = status;
        let grant = grants.last()?.clone();
        Some(Self { grant, state: ended.into(), grants, policy, successor })
    }

    /// Returns the name of its key.
    fn program(&self, names: &Names) -> String {
        known(Some(self.grant.api_key_id.to_string()), names).unwrap_or_default()
    }

    /// Renders the version that it covers, and its policy.
    fn version(&self, tenant: TenantId) -> AnyView {
        let Capability { policy_id, version, .. } = self.grant;
        let number = format!("v{version}");
        let Some((code, name)) = self.policy.clone() else {
            return any_view! { <span class="text-muted">{number}</span> };
        };
        any_view! {
            <div>
                <a href=url::version(tenant, policy_id, version)>
                    <bdi class="font-mono">{code}</bdi>
                    " "
                    {number}
                </a>
                <div>
                    <bdi class="text-muted">{name}</bdi>
                </div>
            </div>
        }
    }

    /// Renders the permitted actions, collapsed under their number.
    fn actions(&self) -> AnyView {
        let action = |name: &str| {
            let label = ACTIONS.iter().find(|(action, _)| *action == name);
            let label = label.map_or(name, |(_, label)| label).to_owned();
            let name = name.to_owned();
            view! { <li>{label} " " <code class="text-muted text-xs">{name}</code></li> }
        };
        let actions = &self.grant.actions;
        any_view! {
            <details class="disclosure">
                <summary>{count(actions.len(), "action", "actions")}</summary>
                <ul class="plain-list">
                    {actions.iter().map(|own| action(own.as_str())).collect_view()}
                </ul>
            </details>
        }
    }

    /// Renders its state and, if it is revoked, who revoked it.
    fn status(&self, names: &Names) -> AnyView {
        let revoked = self.grant.revoked_at.map(|at| {
            let by = known(self.grant.revoked_by.clone(), names);
            view! { <div>{attribution(by, at)}</div> }
        });
        any_view! { <div>{self.state.badge()} {revoked}</div> }
    }

    /// Renders its use count and its validity period.
    fn validity(&self) -> AnyView {
        let Capability { uses, max_uses, not_before, expires_at, .. } = self.grant;
        let uses = if let Some(max) = max_uses {
            format!("{} of {} writes made", whole(uses.into()), whole(max.into()))
        } else {
            let uses = usize::try_from(uses).unwrap_or(usize::MAX);
            format!("{} made, no limit", count(uses, "write", "writes"))
        };
        let until = if not_before.is_some() { "until" } else { "Until" };
        let always = (not_before.is_none() && expires_at.is_none()).then_some("At any time");
        let from = not_before.map(|at| {
            view! {
                "From "
                {minute(at)}
                " "
            }
        });
        let until = expires_at.map(|at| {
            view! {
                {until}
                " "
                {minute(at)}
            }
        });
        any_view! {
            <div>
                <div class="tabular-nums">{uses}</div>
                <div class="text-muted">{from} {until} {always}</div>
            </div>
        }
    }

    /// Renders the grants, oldest first.
    fn timeline(&self, names: &Names) -> AnyView {
        let grant = |grant: &Capability| {
            let (by, at) = (known(Some(grant.issued_by.to_string()), names), grant.issued_at);
            view! {
                <li>
                    <div class="row">
                        <span class="font-semibold tabular-nums">"v" {grant.version}</span>
                        {attribution(by, at)}
                    </div>
                    {digest_code(grant.grant_digest.clone(), "grant digest")}
                </li>
            }
        };
        any_view! { <ol class="timeline">{self.grants.iter().map(grant).collect_view()}</ol> }
    }

    /// Renders the links to the pages of the actions.
    fn links(&self, tenant: TenantId, names: &Names) -> AnyView {
        let (id, program) = (self.grant.id, self.program(names));
        let carry = (self.state.may_be_carried() && self.successor.is_some()).then(|| {
            let label = carry_label(&program);
            view! {
                <a class="button" href=url::carry_grant(tenant, id) aria-label=label>
                    "Carry over"
                </a>
            }
        });
        let label = revoke_label(&program);
        any_view! {
            <div class="row">
                {carry} <a class="button" href=url::revoke_grant(tenant, id) aria-label=label>
                    "Revoke"
                </a>
            </div>
        }
    }

    fn carry_form(&self, tenant: TenantId) -> AnyView {
        if !self.state.may_be_carried() {
            let text = "This capability has ended and cannot be carried over.";
            return any_view! { <p>{text}</p> };
        }
        let Some(successor) = self.successor else {
            let text = "This policy has no later draft. Set the version aside and create a new draft first.";
            return any_view! { <p>{text}</p> };
        };
        any_view! {
            <form method="post" action=CarryGrant::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=self.grant.id.to_string() />
                <input type="hidden" name="version" value=successor />
                <p>
                    "The same key works on the new version, with the same terms and the same use count. The previous version is no longer bound."
                </p>
                {submit("primary", format!("Carry over to version {successor}"))}
            </form>
        }
    }

    fn revoke_form(&self, tenant: TenantId) -> AnyView {
        if self.state == GrantState::Revoked {
            return any_view! { <p>"This capability is already revoked."</p> };
        }
        any_view! {
            <form method="post" action=RevokeGrant::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=self.grant.id.to_string() />
                <p>"The program loses access immediately. This cannot be undone."</p>
                {submit("danger", "Revoke")}
            </form>
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GrantState {
    Live,
    NotYetValid,
    /// All its uses are consumed.
    Exhausted,
    Expired,
    Revoked,
    /// A grant of its lineage was not found.
    Missing,
    /// A grant of its lineage failed its integrity check.
    Broken,
}

impl From<Option<ErrorCode>> for GrantState {
    /// Converts the error code with which the capability's key is rejected; `None` means that it is valid.
    fn from(ended: Option<ErrorCode>) -> Self {
        match ended {
            None => Self::Live,
            Some(ErrorCode::AuthoringCapabilityNotYetValid) => Self::NotYetValid,
            Some(ErrorCode::AuthoringCapabilityExhausted) => Self::Exhausted,
            Some(ErrorCode::AuthoringCapabilityExpired) => Self::Expired,
            Some(ErrorCode::AuthoringCapabilityRevoked) => Self::Revoked,
            Some(ErrorCode::AuthoringCapabilityMissing) => Self::Missing,
            Some(_) => Self::Broken,
        }
    }
}

impl GrantState {
    /// Returns whether it can be carried over to a later version.
    fn may_be_carried(self) -> bool {
        matches!(self, Self::Live | Self::NotYetValid | Self::Exhausted)
    }

    fn label(self) -> &'static str {
        match self {
            Self::Live => "Active",
            Self::NotYetValid => "Not yet valid",
            Self::Exhausted => "Limit reached",
            Self::Expired => "Expired",
            Self::Revoked => "Revoked",
            Self::Missing => "Grant missing",
            Self::Broken => "Integrity check failed",
        }
    }

    fn badge(self) -> AnyView {
        let (tone, drawing) = match self {
            Self::Live => ("allow", Icon::Allow),
            Self::NotYetValid | Self::Expired => ("na", Icon::Wait),
            Self::Exhausted => ("warn", Icon::Dash),
            Self::Revoked => ("na", Icon::History),
            Self::Missing | Self::Broken => ("deny", Icon::Warn),
        };
        badge(tone, drawing, self.label())
    }
}

/// Carries a capability over to a later draft and redirects to the list.
#[server(prefix = "/console", endpoint = "carry-grant", output = JsonCodec)]
async fn carry_grant(tenant: TenantId, id: CapabilityId, version: u32) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = capability::carry(&cx, id, CapabilityCarry { version }).await;
    let (result, page) = (result.map_err(Problem::from), url::carry_grant(tenant, id));
    request::respond(result, &url::grants(tenant), &page, String::new()).await
}

/// Revokes a capability, including everything it was carried over to, and redirects to the list.
#[server(prefix = "/console", endpoint = "revoke-grant", output = JsonCodec)]
async fn revoke_grant(tenant: TenantId, id: CapabilityId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = capability::revoke(&cx, id).await.map_err(Problem::from);
    let page = url::revoke_grant(tenant, id);
    request::respond(result, &url::grants(tenant), &page, String::new()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_capability_state_has_its_own_label() {
        let codes = ErrorCode::ALL.iter().filter(|code| {
            let suffix = code.as_str().strip_prefix("AUTHORING_CAPABILITY_");
            suffix.is_some_and(|suffix| !["OUT_OF_SCOPE", "OBJECT_MISMATCH"].contains(&suffix))
        });
        let mut labels: Vec<&str> =
            codes.map(|code| GrantState::from(Some(*code)).label()).collect();
        labels.push(GrantState::Live.label());
        let total = labels.len();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!((labels.len(), total), (7, 7), "{labels:?}");
    }
}
