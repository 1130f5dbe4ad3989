//! Search: the results as a page, and as the options of the command palette.

use contract::fold::{contains_folded, fold_text};
use decisions::log::entered_digest;
use governance::insight::{
    inbox::WaitingVersion,
    search::{self, FoundDecision, FoundObject, SearchResults},
};
use leptos::tachys::view::RenderHtml;
use page_kit::{prelude::*, request::counts, text::setting::Setting};

use crate::{
    inbox::{action_label, action_page},
    navigation::NavigationPage,
};

const TITLE: &str = "Search";

/// The label of the search field.
pub(crate) const SEARCH: &str = "Search or paste an ID";

const DECISIONS: &str = "Decisions";

/// The results for a text.
#[derive(Default)]
struct Results {
    decisions: Vec<FoundDecision>,
    /// The object whose ID is the text, unless it is a decision.
    object: Option<Found>,
    /// All results but the decisions. No group is empty.
    groups: Vec<Group>,
}

/// The results of one kind.
struct Group {
    title: &'static str,
    icon: Icon,
    results: Vec<Found>,
}

/// A link to what was found.
#[derive(Clone)]
struct Found {
    href: String,
    label: String,
    /// A code or another detail that distinguishes equal labels.
    detail: Option<String>,
}

impl Results {
    fn is_empty(&self) -> bool {
        self.decisions.is_empty() && self.groups.is_empty()
    }

    /// Returns the status of the list of results.
    fn status(&self, text: &str) -> String {
        let grouped: usize = self.groups.iter().map(|group| group.results.len()).sum();
        match self.decisions.len() + grouped {
            0 => no_results(text),
            total => count(total, "result", "results"),
        }
    }
}

fn no_results(text: &str) -> String {
    format!("No results for \"{text}\"")
}

/// `/t/{tenant}/search`. The ID of an object redirects to its page.
pub(crate) async fn search() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let text = page::query("q");
    let found =
        if text.is_empty() { Results::default() } else { results(&cx, tenant, &text).await? };
    if let [decision] = found.decisions.as_slice()
        && decision.id.to_string() == text.to_lowercase()
    {
        request::redirect(&url::decision(tenant, decision.id));
    } else if let Some(object) = &found.object {
        request::redirect(&object.href);
    }
    let content = if found.is_empty() {
        let title = if text.is_empty() {
            "Enter a name, a code or an ID.".to_owned()
        } else {
            no_results(&text)
        };
        any_view! {
            <div class="empty">
                <p class="font-semibold">{title}</p>
                <p class="text-muted">
                    "Search covers policies, rules of active versions, decisions by ID or correlation ID, versions, chains, alerts, API keys, authoring capabilities and deliveries by ID, digests in the transparency log, members, forms, settings, pages and actions."
                </p>
            </div>
        }
    } else {
        list(tenant, found)
    };
    Ok(any_view! {
        <Heading title=TITLE />
        <form method="get" action=url::search(tenant) class="filters" role="search">
            <input
                type="search"
                name="q"
                value=text
                aria-label=SEARCH
                class="grow"
                autocomplete="off"
                spellcheck="false"
            />
            <button class="primary">{TITLE}</button>
        </form>
        {content}
    })
}

/// Renders the results of the page.
fn list(tenant: TenantId, found: Results) -> AnyView {
    let section = |title: &'static str, rows: Vec<AnyView>| {
        view! {
            <section class="stack">
                <h2>{title}</h2>
                <ul class="choices card">{rows}</ul>
            </section>
        }
    };
    let decision = |decision: FoundDecision| {
        any_view! {
            <li>
                <a href=url::decision(tenant, decision.id) data-row="">
                    <code>{decision.id.to_string()}</code>
                    <span class="row text-muted">
                        <VerdictBadge verdict=decision.verdict />
                        <bdi>{decision.decision_type}</bdi>
                        {minute(decision.recorded_at)}
                    </span>
                </a>
            </li>
        }
    };
    let row = |found: Found| {
        any_view! {
            <li>
                <a href=found.href data-row="">
                    <bdi>{found.label}</bdi>
                    {found.detail.map(|detail| view! { <bdi class="text-muted">{detail}</bdi> })}
                </a>
            </li>
        }
    };
    let decisions: Vec<_> = found.decisions.into_iter().map(decision).collect();
    let groups = found
        .groups
        .into_iter()
        .map(|group| section(group.title, group.results.into_iter().map(row).collect()));
    any_view! {
        {(!decisions.is_empty()).then(|| section(DECISIONS, decisions))}
        {groups.collect_view()}
    }
}

/// Returns the results for `text`, for an empty text all actions and pages that the role permits.
async fn results(cx: &Cx, tenant: TenantId, text: &str) -> Result<Results, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let waiting = if role.has(Right::Operate) {
        counts(cx).await?.waiting_or_mentioned()
    } else {
        Vec::new()
    };
    let SearchResults { object, decisions, policies, rules, members, forms } =
        search::search(cx, text).await?;
    let object = object.map(|object| object_found(tenant, object, text));
    let digest = entered_digest(text).and_then(Result::ok).map(|digest| {
        let label = "Look up the digest in the transparency log";
        detailed(url::log_entry(&digest), label.to_owned(), digest)
    });
    let policies = policies
        .into_iter()
        .map(|policy| detailed(url::policy(tenant, policy.id), policy.name, policy.code));
    let rules = rules.into_iter().map(|rule| {
        let href = url::rule(tenant, rule.policy_id, rule.version, &rule.code);
        let detail = format!("{} · {} v{}", rule.code, rule.policy_name, rule.version);
        detailed(href, rule.name.unwrap_or(rule.code), detail)
    });
    let members =
        members.into_iter().map(|member| detailed(url::members(tenant), member.name, member.email));
    let forms = forms.into_iter().map(|form| link(url::form(tenant, form.id), form.title));
    let groups = [
        ("IDs", Icon::Next, object.iter().cloned().collect()),
        ("Digests", Icon::Log, digest.into_iter().collect()),
        ("Actions", Icon::Plus, actions(tenant, role, waiting, text)),
        ("Policies", Icon::Policies, policies.collect()),
        ("Rules", Icon::Policies, rules.collect()),
        ("Members", Icon::Members, members.collect()),
        ("Forms", Icon::Form, forms.collect()),
        ("Settings", Icon::Settings, settings(tenant, role, text)),
        ("Pages", Icon::Next, pages(tenant, role, text)),
    ];
    let groups = groups.into_iter().map(|(title, icon, results)| Group { title, icon, results });
    let groups = groups.filter(|group| !group.results.is_empty()).collect();
    Ok(Results { decisions, object, groups })
}

/// Returns the page of an object that was found by its ID. The page of an API key or a capability also revokes it.
fn object_found(tenant: TenantId, object: FoundObject, id: &str) -> Found {
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
    link(href, format!("{kind} {}", id.to_lowercase()))
}

fn detailed(href: String, label: String, detail: String) -> Found {
    Found { href, label, detail: Some(detail) }
}

fn link(href: String, label: impl Into<String>) -> Found {
    Found { href, label: label.into(), detail: None }
}

/// Returns the actions that the user can perform now. A result opens the page or dialog of its action.
fn actions(tenant: TenantId, role: Role, waiting: Vec<WaitingVersion>, text: &str) -> Vec<Found> {
    let on_versions = waiting
        .into_iter()
        .filter(|version| version.is_actionable)
        .map(|version| link(action_page(tenant, &version), action_label(&version)));
    let creations = [
        (Right::Author, "New policy", url::new_policy(tenant)),
        (Right::Administer, "New API key", url::keys(tenant)),
        (Right::Administer, "Invite member", url::members(tenant)),
        (Right::Operate, "New webhook", url::new_webhook(tenant)),
    ];
    let creations = creations
        .into_iter()
        .filter(move |(right, ..)| role.has(*right))
        .map(|(_, label, href)| link(href, label));
    matching(text, on_versions.chain(creations))
}

/// Returns the settings whose name contains the text.
fn settings(tenant: TenantId, role: Role, text: &str) -> Vec<Found> {
    if text.is_empty() || !role.has(Right::Administer) {
        return Vec::new();
    }
    let address = |setting: Setting| format!("{}#{}", url::settings(tenant), setting.section());
    matching(text, Setting::ALL.into_iter().map(|setting| link(address(setting), setting.label())))
}

/// Returns the pages whose name contains the text.
fn pages(tenant: TenantId, role: Role, text: &str) -> Vec<Found> {
    let pages = NavigationPage::permitted(role);
    matching(text, pages.map(|page| link(page.url(tenant), page.title())))
}

fn matching(text: &str, results: impl Iterator<Item = Found>) -> Vec<Found> {
    let text = fold_text(text);
    results.filter(|found| contains_folded(&found.label, &text)).collect()
}

/// The results of the command palette.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PaletteResults {
    /// The options of the list as HTML; empty without results.
    html: String,
    /// The number of results as text.
    status: String,
}

/// Returns the results for `text` as the options of the command palette. It executes no action.
#[server(prefix = "/console", endpoint = "palette", output = JsonCodec)]
pub(crate) async fn find_in_palette(
    tenant: TenantId,
    #[server(default)] text: String,
) -> Result<PaletteResults, Problem> {
    let cx = request::human(tenant).await?;
    let text = text.trim();
    let found = results(&cx, tenant, text).await?;
    let status = found.status(text);
    let html =
        if found.is_empty() { String::new() } else { options(tenant, text, found).to_html() };
    Ok(PaletteResults { html, status })
}

/// Renders the results as options, decisions with the searched ID first. Each option is a link.
fn options(tenant: TenantId, text: &str, found: Results) -> AnyView {
    let section = |title: &'static str, options: Vec<AnyView>| {
        view! {
            <div role="group" aria-label=title>
                <p role="presentation" class="palette-head">
                    {title}
                </p>
                {options}
            </div>
        }
    };
    let decision = |decision: FoundDecision| {
        let detail = format!("{}, {}", decision.decision_type, decision.verdict);
        let href = url::decision(tenant, decision.id);
        option(Icon::Decisions, text, detailed(href, decision.id.to_string(), detail))
    };
    let decisions: Vec<_> = found.decisions.into_iter().map(decision).collect();
    let groups = found.groups.into_iter().map(|Group { title, icon, results }| {
        section(title, results.into_iter().map(|found| option(icon, text, found)).collect())
    });
    any_view! {
        {(!decisions.is_empty()).then(|| section(DECISIONS, decisions))}
        {groups.collect_view()}
    }
}

fn option(drawing: Icon, text: &str, Found { href, label, detail }: Found) -> AnyView {
    let (before, found, after) = split(&label, text);
    let found = (!found.is_empty()).then(|| view! { <mark>{found.to_owned()}</mark> });
    let detail = detail.map(|detail| {
        view! {
            " "
            <small>
                <bdi>{detail}</bdi>
            </small>
        }
    });
    any_view! {
        <a role="option" href=href tabindex="-1" aria-selected="false">
            {icon(drawing)}
            <span class="grow">
                <bdi>{before.to_owned()} {found} {after.to_owned()}</bdi>
                {detail}
            </span>
        </a>
    }
}

/// Splits a label into the text before the first match, the match, and the text after it. Upper and lower case
/// of ASCII letters are equal, so that the parts have the length of the label.
fn split<'l>(label: &'l str, text: &str) -> (&'l str, &'l str, &'l str) {
    let found = label.to_ascii_lowercase().find(&text.to_ascii_lowercase());
    let parts = found.and_then(|start| {
        let (before, rest) = label.split_at_checked(start)?;
        let (found, after) = rest.split_at_checked(text.len())?;
        Some((before, found, after))
    });
    parts.unwrap_or((label, "", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_found_in_any_case_and_keeps_the_text_of_the_label() {
        assert_eq!(split("Vendor payments", "PAY"), ("Vendor ", "pay", "ments"));
        assert_eq!(split("Größe", "größe"), ("", "Größe", ""));
        assert_eq!(split("GRÖSSE", "ö"), ("GRÖSSE", "", ""));
        assert_eq!(split("Vendor", ""), ("", "", "Vendor"));
    }
}
