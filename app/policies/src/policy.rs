//! Policies: the list; `detail` is the page of one policy, and `deactivate` the page that deactivates it.

mod deactivate;
mod detail;

use contract::policy::PolicyFilter;
use governance::{
    authoring::{policy, sample},
    insight::rollup::{PolicyFigures, policy_figures},
};
use page_kit::{prelude::*, text::url::SHADOW, ui::chart::spark};

pub use self::{deactivate::deactivate, detail::policy};
use crate::policy_form::{self, NO_GROUP};

pub const TITLE: &str = "Policies";
const ACTIVE: &str = "Active version";
const NO_ACTIVE: &str = "No active version. Decisions do not use this policy.";
const GOVERNS: &str = "Governs";

/// The value of the filter for policies that are not in shadow mode.
const ENFORCING: &str = "enforcing";

/// `/t/{tenant}/policies`
pub async fn policies() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let path = url::policies(tenant);
    let may_write = cx.role().is_some_and(|role| role.has(Right::Author));
    let groups = policy_form::groups(&cx).await?;
    let query = ListQuery::read(path.clone(), filters(&groups));
    let mut totals = None;
    let mut figures = Figures::default();
    let window = match filter(&query) {
        Ok(filter) => {
            let window = policy::window(&cx, filter, &query.page()).await?;
            (figures, totals) = Figures::read(&cx, &window.items).await?;
            Ok(window)
        }
        Err(message) => Err(message),
    };
    let is_empty = window.as_ref().is_ok_and(|window| window.items.is_empty());
    let samples = may_write && is_empty && !query.is_filtered();
    let samples = if samples { sample::list()? } else { Vec::new() };
    let samples = samples.into_iter().map(|own| [own.code, own.name, own.description]).collect();
    let rejected = request::take_rejected(&path).await;
    let problem = rejected.map(|form| problem_note(form.problem));
    let create = may_write.then(|| {
        view! {
            <a class="button primary push" href=url::new_policy(tenant) data-key="n">
                {icon(Icon::Plus)}
                {policy_form::NEW}
            </a>
        }
    });
    let totals = totals.map(|text| view! { <span class="text-xs text-muted push">{text}</span> });
    let table = table(&cx, tenant, &figures);
    let rows = |policies: &[Policy]| {
        let has_groups = !groups.is_empty();
        let heading = |policies: &[Policy]| group_heading(tenant, &groups, policies);
        let policies = by_group(policies, &groups);
        let chunks = policies.chunk_by(|a, b| a.policy_group_id == b.policy_group_id);
        let chunks = chunks.map(|chunk| (has_groups.then(|| heading(chunk)), chunk));
        table.grouped(chunks.collect())
    };
    Ok(any_view! {
        <div class="page-head">
            <Heading title=TITLE />
            {create}
        </div>
        <p class="intro">
            "Each version is written, reviewed, ratified by a second person and then activated."
        </p>
        {problem}
        {query.bar(totals)}
        {list(&query, window, ["policy", "policies"], rows, || no_policies(tenant, samples))}
    })
}

fn filters(groups: &[(PolicyGroupId, String)]) -> Vec<Filter> {
    let states = [
        ("active", "Active"),
        (SHADOW, "Active in shadow mode"),
        ("inactive", "No active version"),
    ];
    let modes = [(ENFORCING, verdict::ENFORCING), (SHADOW, verdict::SHADOW)];
    let groups = groups.iter().map(|(id, name)| (id.to_string(), name.clone()));
    vec![
        Filter::search(PolicyFilter::Q, "Name or code"),
        Filter::choice("state", "State", states),
        Filter::choice("mode", "Mode", modes),
        Filter::choice(PolicyFilter::POLICY_GROUP_ID, "Group", groups),
        Filter::text(PolicyFilter::DECISION_TYPE, "Decision type"),
    ]
}

fn filter(query: &ListQuery) -> Result<PolicyFilter, &'static str> {
    let (state, mode) = (query.value("state"), query.value("mode"));
    let shadow_mode = match (state, mode) {
        (SHADOW, _) | (_, SHADOW) => Some(true),
        (_, ENFORCING) => Some(false),
        (_, "") => None,
        _ => return Err(messages::BAD_FILTER),
    };
    let is_active = match state {
        "active" | SHADOW => Some(true),
        "inactive" => Some(false),
        "" => None,
        _ => return Err(messages::BAD_FILTER),
    };
    Ok(PolicyFilter { is_active, shadow_mode, ..query.filter()? })
}

/// What the rows show of policies besides their own fields.
#[derive(Default)]
struct Figures {
    stages: BTreeMap<PolicyId, VersionStage>,
    figures: BTreeMap<PolicyId, PolicyFigures>,
}

impl Figures {
    /// Reads the figures of policies. The text has the numbers of all policies of the tenant, if there are any, such
    /// as "8 policies, 7 active, 3 with an open draft, 2 waiting".
    async fn read(cx: &Cx, policies: &[Policy]) -> Result<(Self, Option<String>), Problem> {
        let stages = policy::version::open_stages(cx).await?;
        let ids = policies.iter().map(|policy| policy.id);
        let (counts, figures) = policy_figures(cx, ids).await?;
        let is_waiting = |stage: &&VersionStage| {
            matches!(stage, VersionStage::WaitingForReview | VersionStage::WaitingForRatification)
        };
        let waiting = stages.values().filter(is_waiting).map(|_| 1).sum();
        let totals = (counts.policies > 0).then(|| {
            let all = usize::try_from(counts.policies).unwrap_or(usize::MAX);
            let [active, open] = [counts.active, counts.open].map(|n| counted(n.unsigned_abs()));
            let all = count(all, "policy", "policies");
            format!(
                "{all}, {active} active, {open} with an open draft, {} waiting",
                counted(waiting)
            )
        });
        Ok((Self { stages, figures }, totals))
    }
}

/// Returns the policies in the order of the names of their groups. Policies without a group are last.
fn by_group(policies: &[Policy], groups: &[(PolicyGroupId, String)]) -> Vec<Policy> {
    let mut policies = policies.to_vec();
    policies.sort_by_cached_key(|policy| {
        let group = policy.policy_group_id;
        (group.is_none(), group.map(|id| group_name(id, groups)), group)
    });
    policies
}

fn group_name(id: PolicyGroupId, groups: &[(PolicyGroupId, String)]) -> String {
    let name = groups.iter().find(|(other, _)| *other == id).map(|(_, name)| name.clone());
    name.unwrap_or_else(|| id.to_string())
}

/// Renders the name of the group of `policies` and their number.
fn group_heading(
    tenant: TenantId,
    groups: &[(PolicyGroupId, String)],
    policies: &[Policy],
) -> AnyView {
    let name = match policies.first().and_then(|policy| policy.policy_group_id) {
        Some(id) => any_view! {
            <a href=url::group(tenant, id)>
                <bdi>{group_name(id, groups)}</bdi>
            </a>
        },
        None => NO_GROUP.into_any(),
    };
    let number = i64::try_from(policies.len()).unwrap_or(i64::MAX);
    any_view! {
        <span class="row">
            {icon(Icon::Groups)} {name} <span class="tabular-nums">{whole(number)}</span>
        </span>
    }
}

fn table<'a>(cx: &Cx, tenant: TenantId, figures: &'a Figures) -> Table<'a, Policy> {
    let now = cx.now;
    let none = |text: &'static str| any_view! { <span class="text-muted">{text}</span> };
    let of = move |policy: &Policy| figures.figures.get(&policy.id).cloned().unwrap_or_default();
    Table::new(TITLE)
        .class("list policies")
        .column("Policy", move |policy: &Policy| {
            view! {
                <a href=url::policy(tenant, policy.id) data-row="">
                    <bdi>{policy.name.clone()}</bdi>
                </a>
                <span class="block text-xs text-muted">
                    <bdi class="font-mono">{policy.code.clone()}</bdi>
                    " · "
                    <bdi>{governed_types(policy)}</bdi>
                </span>
            }
        })
        .column(ACTIVE, move |policy| {
            let Some(version) = policy.active_version else { return none("None") };
            let since = of(policy).active_since.map(|at| {
                view! { <span class="text-muted">" since " {day(at)}</span> }
            });
            any_view! {
                <b class="tabular-nums">"v" {version}</b>
                {since}
            }
        })
        .column("Open draft", move |policy| {
            let Some(version) = policy.draft_version else { return none("None") };
            let stage = figures.stages.get(&policy.id).copied();
            any_view! {
                <a class="tabular-nums" href=url::version(tenant, policy.id, version)>
                    {stage.map(stage_badge)}
                    " v"
                    {version}
                </a>
            }
        })
        .column("Mode", |policy| mode_badge(policy.shadow_mode))
        .column("30 days", move |policy| match of(policy).totals {
            totals if totals.decisions == 0 => none("None"),
            totals => any_view! {
                <span class="sparkline">
                    {spark(&totals.buckets)}
                    <span class="tabular-nums">{whole(totals.decisions)}</span>
                </span>
            },
        })
        .column("DENY", move |policy| match of(policy).totals {
            totals if totals.decisions == 0 => none("–"),
            totals => {
                let rate = exact_rate(totals.denied, totals.decisions);
                any_view! { <span class="tabular-nums">{rate}</span> }
            }
        })
        .column("Last change", move |policy| {
            // A deleted draft has no version whose events could be read.
            let change = of(policy).last_change.filter(|change| change.at >= policy.updated_at);
            let at = change.as_ref().map_or(policy.updated_at, |change| change.at);
            let by = change.and_then(|change| change.by);
            let by = by.map(|by| view! { <bdi class="block text-xs text-muted">{by}</bdi> });
            view! {
                {age(at, now)}
                {by}
            }
        })
}

/// Returns the decision types that a policy governs, as text.
fn governed_types(policy: &Policy) -> String {
    match policy.decision_types.as_slice() {
        [] => "Every type".to_owned(),
        types => types.join(", "),
    }
}

/// Renders the empty state, with samples to start from: the code, the name and the description of each.
fn no_policies(tenant: TenantId, samples: Vec<[String; 3]>) -> AnyView {
    let sample = |[code, name, description]: [String; 3]| {
        let label = format!("Create from {}", isolated(&name));
        view! {
            <li class="card stack">
                <h3>
                    <bdi>{name}</bdi>
                </h3>
                <p class="text-muted">{description}</p>
                <form method="post" action=CreateFromSample::url() data-once="">
                    <input type="hidden" name="tenant" value=tenant.to_string() />
                    <input type="hidden" name="code" value=code />
                    <button>{label}</button>
                </form>
            </li>
        }
    };
    let samples = (!samples.is_empty()).then(|| {
        view! {
            <section class="stack">
                <h2>"Start from a sample"</h2>
                <p class="text-muted">
                    "A sample becomes a draft that you can change. It is not legal advice."
                </p>
                <ul class="samples plain-list">{samples.into_iter().map(sample).collect_view()}</ul>
            </section>
        }
    });
    any_view! {
        {empty_state("No policies yet", "Create a policy to define decision rules.")}
        {samples}
    }
}

/// Creates the policy of a sample and redirects to its draft.
#[server(prefix = "/console", endpoint = "create-from-sample", output = JsonCodec)]
async fn create_from_sample(tenant: TenantId, code: String) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::policies(tenant), String::new(), async {
        let created = sample::create(&cx, &code).await?;
        Ok(url::edit_version(tenant, created.policy.id, 1))
    })
    .await
}
