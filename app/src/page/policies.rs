//! The list of policies.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::policy::{CreateFromSample, list_policies},
    markup::icon::{Icon, icon},
    text::{
        messages::{self, policies::list as strings},
        time, url,
    },
    ui::{
        badge::{ModeBadge, StageBadge},
        empty::Empty,
        field::TextField,
        filter_menu::{self, ChoiceMenu, FieldMenu, FilterBar, choices, hidden, label_of, others},
        heading::Heading,
        list::{Pager, list_or_empty, table},
        load::load,
        params,
        problem::ProblemNote,
        time::Second,
    },
    view::{
        policy::{PolicyList, PolicyRow, SampleRow},
        query::{ListQuery, PolicyQuery},
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
    let PolicyList { rows, groups, may_write, samples, problem, error } = list;
    let [newer, older] =
        [rows.newer, rows.older].map(|cursor| cursor.map(|cursor| query.address(&path, &cursor)));
    let count = messages::shown(rows.items.len(), "policy", "policies");
    let clear = query.has_filters().then(|| path.clone());
    let list = |items| {
        let row = move |row| view! { <Row tenant row /> };
        view! {
            {table(messages::policies::TITLE, strings::HEAD, items, row)}
            <Pager newer older count />
        }
        .into_any()
    };
    let none = || view! { <NoPolicies tenant samples /> }.into_any();
    let content = list_or_empty(error, rows.items, clear, list, none);
    view! {
        <div class="page-head">
            <Heading title=messages::policies::TITLE />
            {may_write
                .then(|| {
                    view! {
                        <a class="button primary push" href=url::new_policy(tenant) data-key="n">
                            {icon(Icon::Plus)}
                            {messages::policy_form::NEW}
                        </a>
                    }
                })}
        </div>
        <p class="intro">{strings::INTRO}</p>
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        <Filters path query groups />
        {content}
    }
}

/// The field for a name or code, the active filters, and the menus of the other filters.
#[component]
fn Filters(path: String, query: PolicyQuery, groups: Vec<(String, String)>) -> impl IntoView {
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

#[component]
fn Row(tenant: TenantId, row: PolicyRow) -> impl IntoView {
    use strings::HEAD;
    let types = row.governed_types();
    let none = |text: &'static str| view! { <span class="text-muted">{text}</span> }.into_any();
    let group = match row.group {
        Some((id, name)) => view! {
            <a href=url::group(tenant, id)>
                <bdi>{name}</bdi>
            </a>
        }
        .into_any(),
        None => none(strings::NO_GROUP),
    };
    let active = match row.active_version {
        Some(version) => view! { <b class="tabular-nums">"v" {version}</b> }.into_any(),
        None => none(messages::policies::NOT_ACTIVE),
    };
    let draft = match row.draft_version {
        Some(version) => {
            let href = url::version(tenant, row.id, version);
            view! {
                <a class="tabular-nums" href=href>
                    "v"
                    {version}
                </a>
                " "
                {row.draft_stage.map(|stage| view! { <StageBadge stage /> })}
            }
            .into_any()
        }
        None => none(strings::NO_DRAFT),
    };
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::policy(tenant, row.id) data-row="">
                    <bdi>{row.name}</bdi>
                </a>
                <bdi class="block font-mono text-xs text-muted">{row.code}</bdi>
            </th>
            <td data-label=HEAD[1] class="group-cell">
                {group}
            </td>
            <td data-label=HEAD[2]>
                <bdi>{types}</bdi>
            </td>
            <td data-label=HEAD[3]>{active}</td>
            <td data-label=HEAD[4]>{draft}</td>
            <td data-label=HEAD[5]>
                <ModeBadge shadow=row.shadow_mode />
            </td>
            <td data-label=time::head(HEAD[6])>
                <Second at=row.updated_at />
            </td>
        </tr>
    }
}
