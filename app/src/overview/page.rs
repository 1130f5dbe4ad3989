//! The overview of a tenant: key figures, charts and the current status, or the steps up to the first decision.

use contract::id::{PolicyId, TenantId};
use leptos::prelude::*;

use super::{
    act::read_overview,
    view::{GettingStarted, OverviewPage as Page, OverviewQuery},
    words,
};
use crate::{
    text::{curl, query::ListQuery as _, url},
    ui::{
        code::CodeBlock,
        field::options,
        filter_menu::{ActiveFilter, FieldMenu, chips, others},
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
    },
};

/// `/t/{tenant}`
#[component]
pub(crate) fn OverviewPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(OverviewQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            Ok((tenant, query.clone(), read_overview(tenant, query).await?))
        },
        |(tenant, query, page)| match page {
            Page::New(steps) => view! {
                <Heading title=words::TITLE />
                <Steps tenant steps />
            }
            .into_any(),
            Page::Drawn { ranges, charts, policies } => view! {
                <div class="page-head">
                    <Heading title=words::TITLE />
                    <PolicyFilter path=url::overview(tenant) query policies />
                    <div class="push" inner_html=ranges></div>
                </div>
                <div class="stack" inner_html=charts></div>
            }
            .into_any(),
        },
    )
}

/// The filter by policy: the active one as a chip, and a menu to choose another.
#[component]
fn PolicyFilter(
    path: String,
    query: OverviewQuery,
    policies: Vec<(PolicyId, String)>,
) -> impl IntoView {
    let name = policies.iter().find(|(id, _)| id.to_string() == query.policy);
    let active = (!query.policy.is_empty()).then(|| ActiveFilter {
        name: "Policy",
        value: name.map_or_else(|| query.policy.clone(), |(_, name)| name.clone()),
        clear: query.filtered(&path, "policy", ""),
    });
    let choices = policies.into_iter().map(|(id, name)| (id.to_string(), name));
    let choices = options(choices, &query.policy);
    let others = others(&query, &["policy"]);
    view! {
        <div class="chip-bar">
            {chips(active.into_iter().collect())} <FieldMenu label="Policy" path others>
                <label class="field">
                    <span>{"Policy"}</span>
                    <select name="policy">
                        <option value="">{"Any"}</option>
                        {choices}
                    </select>
                </label>
            </FieldMenu>
        </div>
    }
}

/// The title and the text of a step, whether it is done, and the page on which it is done.
type Step = ((&'static str, &'static str), bool, Option<String>);

/// The checklist of a tenant without decisions.
#[component]
fn Steps(tenant: TenantId, steps: GettingStarted) -> impl IntoView {
    use super::words::started as strings;
    let [has_policy, has_active_policy, has_api_key] = steps.done;
    let list = [
        (strings::POLICY, has_policy, steps.may_create_policies.then(|| url::new_policy(tenant))),
        (strings::ACTIVE, has_active_policy, Some(url::policies(tenant))),
        (strings::KEY, has_api_key, steps.may_create_api_keys.then(|| url::keys(tenant))),
        (strings::DECISION, false, None),
    ];
    let done = list.iter().filter(|(_, is_done, _)| *is_done).count();
    let total = list.len();
    let step = |(number, step): (usize, Step)| {
        let ((title, text), is_done, href) = step;
        let mark = if is_done {
            view! {
                {icon(Icon::Allow)}
                <span class="sr-only">{strings::DONE}</span>
            }
            .into_any()
        } else {
            number.to_string().into_any()
        };
        let title = match href.filter(|_| !is_done) {
            Some(href) => view! { <a href=href>{title}</a> }.into_any(),
            None => title.into_any(),
        };
        view! {
            <li>
                <span class="step-mark" class:done=is_done>
                    {mark}
                </span>
                <div>
                    <h3>{title}</h3>
                    <p class="text-muted">{text}</p>
                </div>
            </li>
        }
    };
    view! {
        <section class="card stack">
            <div class="card-head">
                <h2>{strings::TITLE}</h2>
                <span class="plain">{strings::progress(done, total)}</span>
            </div>
            <ol class="checklist">{(1..).zip(list).map(step).collect_view()}</ol>
            <CodeBlock text=curl::record(tenant) label=words::FIRST_REQUEST />
        </section>
    }
}
