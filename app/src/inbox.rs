//! The inbox: items that need the user's action, versions that need another user's, and past actions. `item` has what is
//! known about one item, `attention` the figures around the items.

mod attention;
mod item;

use governance::{
    base::error::role_lacks_permission,
    insight::inbox::{self, CompletedAction, RuleChanges, WaitingVersion},
};
use page_kit::{prelude::*, ui::empty::NothingMatches};

use self::item::{ACTIONS, ALERT, Item, look, matches_text};
pub(crate) use self::item::{action_label, action_page};

const NEEDS_ACTION: &str = "Needs your action";
const WAITING_ON_OTHERS: &str = "Waiting on others";
const NONE_WAITING: &str = "Nothing is waiting on others.";
const SHOW_ALL: &str = "Show all";

/// The number of versions in the summary of those that wait for others.
const SUMMARY_MAX: usize = 3;

/// The maximum number of versions whose rules are compared.
const COMPARED_MAX: usize = 50;

/// `/t/{tenant}/inbox`. Read-only roles have no inbox.
pub(crate) async fn inbox() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let role = cx.role().unwrap_or(Role::Viewer);
    if !role.has(Right::Operate) {
        let error = role_lacks_permission("the inbox", Right::Operate, role);
        return Err(request::to_problem(&error.into()));
    }
    let query = query(tenant);
    let names = &request::directory(&cx).await?.names;
    let counts = request::counts(&cx).await?;
    let waiting = counts.waiting_or_mentioned().into_iter();
    let waiting = waiting.map(|version| WaitingVersion { by: known(version.by, names), ..version });
    let (own, others): (Vec<_>, Vec<_>) = waiting.partition(|version| version.is_actionable);
    let is_main = tab(&query).is_empty();
    let changes = if is_main { changes(&cx, &own).await? } else { BTreeMap::new() };
    let item = |version: WaitingVersion| {
        let changes = changes.get(&(version.policy_id, version.version)).copied();
        Item::Version(version, changes)
    };
    let alerts = counts.assigned_alerts.iter().cloned().map(|mut alert| {
        alert.by = known(alert.by, names);
        Item::Alert(alert)
    });
    let mut mine: Vec<_> = own.into_iter().map(item).chain(alerts).collect();
    mine.sort_by_key(Item::since);
    let totals = [mine.len(), others.len()];
    let attention = if is_main {
        let oldest = mine.first().map(Item::since);
        Some(attention::read(&cx, tenant, &counts, totals[0], oldest).await?)
    } else {
        None
    };
    let done = inbox::completed_actions(&cx).await?;
    let (figures, decisions, alerts) = attention.unwrap_or_default();
    let (action, text) = (query.value("action"), query.value("text"));
    let matching = |item: &Item| item.matches(action, text);
    mine.retain(matching);
    let others: Vec<_> = others.into_iter().map(item).filter(matching).collect();
    let list = match tab(&query) {
        "done" => done_list(tenant, &query, done),
        "others" if others.is_empty() => {
            let note = "Submitted, accepted and ratified versions are listed here.".to_owned();
            nothing(tenant, &query, NONE_WAITING, note)
        }
        "others" => items(tenant, cx.now, others, false),
        _ => {
            let mine = if mine.is_empty() {
                nothing(tenant, &query, "Nothing to review", waiting_text(totals[1]))
            } else {
                items(tenant, cx.now, mine, true)
            };
            let summary = summary(tenant, cx.now, others, &query);
            let has_rail = decisions.is_some() || summary.is_some();
            let class = if has_rail { "with-rail" } else { "stack" };
            let rail = has_rail.then(|| view! { <div class="rail">{decisions} {summary}</div> });
            any_view! {
                <div class=class>
                    <div class="stack">{mine} {alerts}</div>
                    {rail}
                </div>
            }
        }
    };
    Ok(any_view! {
        <Heading title="Inbox" />
        {tabs(&query, totals)}
        {figures}
        {filters(&query)}
        {list}
    })
}

/// Returns how the rules of the first versions differ from those of the active versions.
async fn changes(
    cx: &Cx,
    waiting: &[WaitingVersion],
) -> Result<BTreeMap<(PolicyId, u32), RuleChanges>, Problem> {
    let versions = waiting.iter().take(COMPARED_MAX);
    let versions: Vec<_> = versions.map(|version| (version.policy_id, version.version)).collect();
    if versions.is_empty() {
        return Ok(BTreeMap::new());
    }
    Ok(inbox::rule_changes(cx, &versions).await?)
}

fn query(tenant: TenantId) -> ListQuery {
    let filters = [
        Filter::parameter("tab"),
        Filter::text("action", "Action"),
        Filter::text("text", "Policy or person"),
    ];
    ListQuery::read(url::inbox(tenant), filters.into())
}

/// Returns `others`, `done`, or nothing for the items that need the user's action.
fn tab(query: &ListQuery) -> &str {
    Some(query.value("tab")).filter(|tab| ["others", "done"].contains(tab)).unwrap_or_default()
}

/// Returns the address of a tab with the filters.
fn address(query: &ListQuery, tab: &str) -> String {
    let [action, text] = ["action", "text"].map(|name| (name, query.value(name)));
    url::with_query(query.path(), &[("tab", tab), action, text])
}

fn tabs(query: &ListQuery, [mine, others]: [usize; 2]) -> AnyView {
    let tabs = [
        ("", NEEDS_ACTION, Some(mine)),
        ("others", WAITING_ON_OTHERS, Some(others)),
        ("done", "Done", None),
    ];
    let link = |(name, label, count): (&'static str, &'static str, Option<usize>)| {
        view! {
            <a
                href=address(query, name)
                aria-current=(tab(query) == name).then_some("true")
                data-noscroll=""
            >
                {label}
                " "
                <span class="tabular-nums text-muted">
                    {count.map(|count| counted(count as u64))}
                </span>
            </a>
        }
    };
    any_view! {
        <nav class="tabs" aria-label="Inbox">
            {tabs.map(link).collect_view()}
        </nav>
    }
}

/// Renders the filters as a form. Past actions cannot be filtered by the requested action.
fn filters(query: &ListQuery) -> AnyView {
    let action = (query.value("tab") != "done").then(|| {
        let mut choices = vec![("", "Any")];
        let looks = ACTIONS.map(look).into_iter().chain([ALERT]);
        choices.extend(looks.map(|look| (look.word, look.label)));
        let value = query.value("action");
        view! { <SelectField label="Action" name="action" choices value /> }
    });
    let clear = query.is_filtered().then(|| {
        view! { <a href=query.path().to_owned()>{messages::CLEAR_FILTERS}</a> }
    });
    any_view! {
        <form
            method="get"
            action=query.path().to_owned()
            class="filters"
            aria-label=messages::FILTER
        >
            {query.hidden(&["action", "text"])}
            {action}
            <TextField label="Policy or person" name="text" value=query.value("text") />
            <button>{messages::FILTER}</button>
            {clear}
        </form>
    }
}

/// Renders the state of a tab without items.
fn nothing(tenant: TenantId, query: &ListQuery, title: &'static str, text: String) -> AnyView {
    if query.is_filtered() {
        let clear = url::with_query(&url::inbox(tenant), &[("tab", query.value("tab"))]);
        return any_view! { <NothingMatches clear /> };
    }
    empty_state(title, text)
}

/// Returns the number of versions that wait for others as a sentence.
fn waiting_text(others: usize) -> String {
    if others == 0 {
        return NONE_WAITING.to_owned();
    }
    format!("{} on others.", count(others, "version is waiting", "versions are waiting"))
}

/// Renders a list of items. Only items of the user have a button.
fn items(tenant: TenantId, now: Timestamp, items: Vec<Item>, is_mine: bool) -> AnyView {
    let items = items.into_iter().map(|item| item.view(tenant, now, is_mine));
    any_view! { <ol class="tasks">{items.collect_view()}</ol> }
}

/// Renders the versions that wait for others longest.
fn summary(
    tenant: TenantId,
    now: Timestamp,
    others: Vec<Item>,
    query: &ListQuery,
) -> Option<AnyView> {
    if others.is_empty() {
        return None;
    }
    let others = others.into_iter().take(SUMMARY_MAX).filter_map(|item| item.summary(tenant, now));
    Some(any_view! {
        <section class="stack" aria-label=WAITING_ON_OTHERS>
            <div class="card-head">
                <h2>{WAITING_ON_OTHERS}</h2>
                <a class="text-xs" href=address(query, "others")>
                    {SHOW_ALL}
                </a>
            </div>
            <ul class="waiting-summary">{others.collect_view()}</ul>
        </section>
    })
}

/// Renders the user's recent actions, newest first.
fn done_list(tenant: TenantId, query: &ListQuery, mut done: Vec<CompletedAction>) -> AnyView {
    done.retain(|done| matches_text(query.value("text"), [Some(&done.policy_name)]));
    if done.is_empty() {
        let title = "You have not submitted, reviewed or signed anything yet.";
        let text = "Your latest actions on versions are listed here.".to_owned();
        return nothing(tenant, query, title, text);
    }
    Table::new("Done")
        .column("Action", |done: &CompletedAction| {
            let href = url::version(tenant, done.policy_id, done.version);
            view! {
                <a href=href data-row="">
                    {completed(&done.action)}
                </a>
            }
        })
        .column("Policy", |done| view! { <bdi>{done.policy_name.clone()}</bdi> })
        .numbers("Version", |done| format!("v{}", done.version))
        .column("When (UTC)", |done| second(done.at))
        .of(&done)
}

/// Returns the display name of an action of the audit log, or the action itself if it is unknown.
fn completed(action: &str) -> String {
    let name = match action {
        "policy_version.create" => "Opened a draft",
        "policy_version.seal" => "Submitted for review",
        "policy_version.submit" => "Submitted",
        "policy_version.recall" => "Recalled",
        "policy_version.reject" => "Rejected",
        "policy_version.review" => "Reviewed",
        "policy_version.ratify" => "Ratified",
        "policy_version.activate" => "Activated",
        "policy_version.set_aside" => "Set aside",
        "policy_version.supersede" => "Revised in a new draft",
        other => other,
    };
    name.to_owned()
}
