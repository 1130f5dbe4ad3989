//! Data of the search page.

use contract::{
    fold::{contains_folded, fold_text},
    id::TenantId,
    scope::{Right, Role},
};
use governance::{
    Cx,
    insight::{
        inbox::WaitingVersion,
        search::{self, FoundObject, SearchResults},
    },
};

use super::{
    view::{DecisionResult, ResultGroup, ResultKind, SearchPage, SearchResult},
    words as strings,
};
use crate::{
    frame::navigation::NavigationPage,
    inbox::{action_label, action_page},
    log::view::entered_digest,
    problem::Problem,
    request::{counts, into_problem},
    text::{setting::Setting, url},
};

/// Returns the results for `text`; none for an empty text.
pub(crate) async fn page(cx: &Cx, tenant: TenantId, text: String) -> Result<SearchPage, Problem> {
    let text = text.trim().to_owned();
    if text.is_empty() {
        return Ok(SearchPage { tenant, text, decisions: Vec::new(), groups: Vec::new() });
    }
    results(cx, tenant, text).await
}

/// Returns the results for `text`, for an empty text all actions and pages that the role permits.
pub(crate) async fn results(
    cx: &Cx,
    tenant: TenantId,
    text: String,
) -> Result<SearchPage, Problem> {
    let text = text.trim().to_owned();
    let role = cx.role().unwrap_or(Role::Viewer);
    let waiting = if role.has(Right::Operate) {
        counts(cx).await?.waiting_or_mentioned()
    } else {
        Vec::new()
    };
    let SearchResults { object, decisions, policies, rules, members, forms } =
        into_problem(search::search(cx, &text).await)?;
    let decisions = decisions.into_iter().map(|decision| DecisionResult {
        id: decision.id,
        decision_type: decision.decision_type,
        verdict: decision.verdict,
        recorded_at: decision.recorded_at,
    });
    let policies = policies
        .into_iter()
        .map(|policy| result(url::policy(tenant, policy.id), policy.name, policy.code));
    let rules = rules.into_iter().map(|rule| {
        let href = url::rule(tenant, rule.policy_id, rule.version, &rule.code);
        let label = rule.name.unwrap_or_else(|| rule.code.clone());
        let detail = strings::rule_location(&rule.code, &rule.policy_name, rule.version);
        result(href, label, detail)
    });
    let members =
        members.into_iter().map(|member| result(url::members(tenant), member.name, member.email));
    let forms = forms.into_iter().map(|form| link(url::form(tenant, form.id), form.title));
    let digest = entered_digest(&text).and_then(Result::ok);
    let digest =
        digest.map(|digest| result(url::log_entry(&digest), strings::LOOK_UP.to_owned(), digest));
    let groups = [
        (ResultKind::Ids, object.map(|object| found(tenant, object, &text)).into_iter().collect()),
        (ResultKind::Digests, digest.into_iter().collect()),
        (ResultKind::Actions, actions(tenant, role, waiting, &text)),
        (ResultKind::Policies, policies.collect()),
        (ResultKind::Rules, rules.collect()),
        (ResultKind::Members, members.collect()),
        (ResultKind::Forms, forms.collect()),
        (ResultKind::Settings, settings(tenant, role, &text)),
        (ResultKind::Pages, pages(tenant, role, &text)),
    ];
    let groups = groups
        .into_iter()
        .filter(|(_, results): &(_, Vec<_>)| !results.is_empty())
        .map(|(kind, results)| ResultGroup { kind, results })
        .collect();
    Ok(SearchPage { tenant, text, decisions: decisions.collect(), groups })
}

/// Returns the page of an object that was found by its ID. The page of an API key or a capability also revokes it.
fn found(tenant: TenantId, object: FoundObject, id: &str) -> SearchResult {
    let (href, kind) = match object {
        FoundObject::Policy(id) => (url::policy(tenant, id), "Policy"),
        FoundObject::Version(policy, version) => {
            (url::version(tenant, policy, version), "Policy version")
        }
        FoundObject::Form(id) => (url::form(tenant, id), "Form"),
        FoundObject::Chain(id) => (url::chain(tenant, id), "Chain"),
        FoundObject::Alert(id) => (url::alert(tenant, id), "Alert"),
        FoundObject::ApiKey(id) => (url::revoke_key(tenant, id), "API key"),
        FoundObject::Capability(id) => (url::revoke_grant(tenant, id), "Authoring capability"),
        FoundObject::Delivery(id) => (url::delivery(tenant, id), "Delivery"),
    };
    link(href, strings::object(kind, &id.to_lowercase()))
}

fn result(href: String, label: String, detail: String) -> SearchResult {
    SearchResult { href, label, detail: Some(detail) }
}

fn link(href: String, label: impl Into<String>) -> SearchResult {
    SearchResult { href, label: label.into(), detail: None }
}

/// Returns the actions that the user can perform now. A result opens the page or dialog of its action.
fn actions(
    tenant: TenantId,
    role: Role,
    waiting: Vec<WaitingVersion>,
    text: &str,
) -> Vec<SearchResult> {
    let on_versions = waiting
        .into_iter()
        .filter(|version| version.is_actionable)
        .map(|version| link(action_page(tenant, &version), action_label(&version)));
    let creations = [
        (Right::Author, strings::NEW_POLICY, url::new_policy(tenant)),
        (Right::Administer, strings::NEW_API_KEY, url::keys(tenant)),
        (Right::Administer, strings::INVITE_MEMBER, url::members(tenant)),
        (Right::Operate, strings::NEW_WEBHOOK, url::new_webhook(tenant)),
    ];
    let creations = creations
        .into_iter()
        .filter(move |(right, ..)| role.has(*right))
        .map(|(_, label, href)| link(href, label));
    matching(text, on_versions.chain(creations))
}

/// Returns the settings whose name contains the text.
fn settings(tenant: TenantId, role: Role, text: &str) -> Vec<SearchResult> {
    if text.is_empty() || !role.has(Right::Administer) {
        return Vec::new();
    }
    let address = |setting: Setting| format!("{}#{}", url::settings(tenant), setting.section());
    matching(text, Setting::ALL.into_iter().map(|setting| link(address(setting), setting.label())))
}

/// Returns the pages whose name contains the text.
fn pages(tenant: TenantId, role: Role, text: &str) -> Vec<SearchResult> {
    let pages = NavigationPage::permitted(role);
    matching(text, pages.map(|page| link(page.url(tenant), page.title())))
}

fn matching(text: &str, results: impl Iterator<Item = SearchResult>) -> Vec<SearchResult> {
    let text = fold_text(text);
    results.filter(|result| contains_folded(&result.label, &text)).collect()
}
