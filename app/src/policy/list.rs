//! The list of policies.

use contract::{id::TenantId, time::Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{CreateFromSample, list_policies},
    list_words::{self, list as strings},
    markup::ModeBadge,
    view::{PolicyCounts, PolicyList, PolicyRow, SampleRow, by_group},
    words,
};
use crate::{
    policy_form,
    text::{
        messages,
        number::{exact_rate, whole},
        query::{ListQuery, PolicyQuery},
        url,
    },
    ui::{
        badge::StageBadge,
        chart::spark,
        empty::Empty,
        field::TextField,
        filter_menu::{self, ChoiceMenu, FieldMenu, FilterBar, choices, hidden, label_of, others},
        heading::Heading,
        icon::{Icon, icon},
        list::{Pager, list_or_empty},
        load::load,
        params,
        problem::ProblemNote,
        time::{Age, Day},
    },
};

/// `/t/{tenant}/policies`
#[component]
pub(crate) fn PoliciesPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(PolicyQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let list = list_policies(tenant, query.clone()).await?;
            Ok((tenant, query, list))
        },
        |(tenant, query, list)| view! { <PoliciesContent tenant query list /> }.into_any(),
    )
}

#[component]
fn PoliciesContent(tenant: TenantId, query: PolicyQuery, list: PolicyList) -> impl IntoView {
    let path = url::policies(tenant);
    let PolicyList { rows, now, counts, groups, may_write, samples, problem, error } = list;
    let [newer, older] =
        [rows.newer, rows.older].map(|cursor| cursor.map(|cursor| query.address(&path, &cursor)));
    let count = messages::shown(rows.items.len(), "policy", "policies");
    let clear = query.has_filters().then(|| path.clone());
    let has_groups = !groups.is_empty();
    let PolicyCounts { policies, active, open, waiting } = counts;
    let totals = (policies > 0).then(|| strings::totals([policies, active, open, waiting]));
    let list = |items| {
        view! {
            <List tenant now rows=items has_groups />
            <Pager newer older count />
        }
        .into_any()
    };
    let none = || view! { <NoPolicies tenant samples /> }.into_any();
    let content = list_or_empty(error, rows.items, clear, list, none);
    view! {
        <div class="page-head">
            <Heading title=list_words::TITLE />
            {may_write
                .then(|| {
                    view! {
                        <a class="button primary push" href=url::new_policy(tenant) data-key="n">
                            {icon(Icon::Plus)}
                            {policy_form::NEW}
                        </a>
                    }
                })}
        </div>
        <p class="intro">{strings::INTRO}</p>
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        <Filters path query groups totals />
        {content}
    }
}

/// The field for a name or code, the active filters, the menus of the others, and the numbers of policies.
#[component]
fn Filters(
    path: String,
    query: PolicyQuery,
    groups: Vec<(String, String)>,
    totals: Option<String>,
) -> impl IntoView {
    let active = filter_menu::active(&query, &path, |name, value| match name {
        "type" => (strings::TYPE, None),
        "state" => (strings::STATE, label_of(&strings::STATES, value)),
        "mode" => (strings::MODE, label_of(&strings::MODES, value)),
        "group" => (strings::GROUP, label_of(&groups, value)),
        _ => (strings::SEARCH, None),
    });
    let states = choices(&query, &path, "state", &strings::STATES);
    let modes = choices(&query, &path, "mode", &strings::MODES);
    let groups = (!groups.is_empty()).then(|| choices(&query, &path, "group", &groups));
    let search = view! {
        <form method="get" action=path.clone() class="row" role="search">
            {hidden(others(&query, &["q"]))}
            <input
                type="search"
                name="q"
                value=query.q.clone()
                aria-label=strings::SEARCH
                placeholder=strings::SEARCH
                autocomplete="off"
                spellcheck="false"
            />
            <button>{messages::FILTER}</button>
        </form>
    };
    view! {
        <FilterBar path=path.clone() active search=search.into_any()>
            <ChoiceMenu label=strings::STATE choices=states />
            <ChoiceMenu label=strings::MODE choices=modes />
            {groups.map(|choices| view! { <ChoiceMenu label=strings::GROUP choices /> })}
            <FieldMenu label=strings::TYPE path others=others(&query, &["type"])>
                <TextField label=strings::TYPE name="type" value=query.decision_type />
            </FieldMenu>
            {totals.map(|totals| view! { <span class="text-xs text-muted push">{totals}</span> })}
        </FilterBar>
    }
}

/// The empty state, with samples to start from for roles that can write policies.
#[component]
fn NoPolicies(tenant: TenantId, samples: Vec<SampleRow>) -> impl IntoView {
    let sample = move |sample: SampleRow| {
        let label = strings::use_sample(&sample.name);
        view! {
            <li class="card stack">
                <h3>
                    <bdi>{sample.name}</bdi>
                </h3>
                <p class="text-muted">{sample.description}</p>
                <form method="post" action=CreateFromSample::url() data-once="">
                    <input type="hidden" name="tenant" value=tenant.to_string() />
                    <input type="hidden" name="code" value=sample.code />
                    <button>{label}</button>
                </form>
            </li>
        }
    };
    let samples = (!samples.is_empty()).then(|| {
        view! {
            <section class="stack">
                <h2>{strings::SAMPLES}</h2>
                <p class="text-muted">{strings::SAMPLES_HELP}</p>
                <ul class="samples plain-list">{samples.into_iter().map(sample).collect_view()}</ul>
            </section>
        }
    });
    view! {
        <Empty title=strings::EMPTY text=strings::EMPTY_NEXT />
        {samples}
    }
}

/// The policies by group. Without groups, there are no headings.
#[component]
fn List(tenant: TenantId, now: Timestamp, rows: Vec<PolicyRow>, has_groups: bool) -> impl IntoView {
    let group = |rows: Vec<PolicyRow>| {
        let heading = has_groups.then(|| group_heading(tenant, &rows));
        let row = |row| view! { <Row tenant now row /> };
        view! { <tbody>{heading} {rows.into_iter().map(row).collect_view()}</tbody> }
    };
    view! {
        <table class="list policies">
            <caption class="sr-only">{list_words::TITLE}</caption>
            <thead>
                <tr>{strings::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            {by_group(rows).into_iter().map(group).collect_view()}
        </table>
    }
}

/// Renders the row with the name of a group and the number of its policies on the page.
fn group_heading(tenant: TenantId, rows: &[PolicyRow]) -> AnyView {
    let group = rows.first().and_then(|row| row.group.clone());
    let name = match group {
        Some((id, name)) => view! {
            <a href=url::group(tenant, id)>
                <bdi>{name}</bdi>
            </a>
        }
        .into_any(),
        None => policy_form::NO_GROUP.into_any(),
    };
    let number = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    view! {
        <tr class="group">
            <th scope="rowgroup" colspan=strings::HEAD.len()>
                <span class="row">
                    {icon(Icon::Groups)} {name} <span class="tabular-nums">{whole(number)}</span>
                </span>
            </th>
        </tr>
    }
    .into_any()
}

#[component]
fn Row(tenant: TenantId, now: Timestamp, row: PolicyRow) -> impl IntoView {
    use strings::HEAD;
    let types = row.governed_types();
    let none = |text: &'static str| view! { <span class="text-muted">{text}</span> }.into_any();
    let active = match row.active_version {
        Some(version) => {
            let since = row.active_since.map(|at| {
                view! { <span class="text-muted">" " {words::SINCE} " " <Day at /></span> }
            });
            view! {
                <b class="tabular-nums">"v" {version}</b>
                {since}
            }
            .into_any()
        }
        None => none(list_words::NOT_ACTIVE),
    };
    let draft = match row.draft_version {
        Some(version) => {
            let href = url::version(tenant, row.id, version);
            view! {
                <a class="tabular-nums" href=href>
                    {row.draft_stage.map(|stage| view! { <StageBadge stage /> })}
                    " v"
                    {version}
                </a>
            }
            .into_any()
        }
        None => none(strings::NO_DRAFT),
    };
    let by = row.changed_by.map(|by| view! { <bdi class="block text-xs text-muted">{by}</bdi> });
    let (decisions, denied) = match row.recent.decisions {
        0 => (none(strings::NO_DECISIONS), none("–")),
        decisions => {
            let rate = exact_rate(row.recent.denied, decisions);
            let decisions = view! {
                <span class="sparkline">
                    {spark(&row.recent.buckets)}
                    <span class="tabular-nums">{whole(decisions)}</span>
                </span>
            };
            (decisions.into_any(), view! { <span class="tabular-nums">{rate}</span> }.into_any())
        }
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::policy(tenant, row.id) data-row="">
                    <bdi>{row.name}</bdi>
                </a>
                <span class="block text-xs text-muted">
                    <bdi class="font-mono">{row.code}</bdi>
                    " · "
                    <bdi>{types}</bdi>
                </span>
            </th>
            <td data-label=HEAD[1]>{active}</td>
            <td data-label=HEAD[2]>{draft}</td>
            <td data-label=HEAD[3]>
                <ModeBadge shadow=row.shadow_mode />
            </td>
            <td data-label=HEAD[4]>{decisions}</td>
            <td data-label=HEAD[5]>{denied}</td>
            <td data-label=HEAD[6]>
                <Age at=row.changed_at now />
                {by}
            </td>
        </tr>
    }
}
