//! One policy group: its policies and its settings.

mod change;
mod policies;

use contract::text::isolated;
use leptos::prelude::*;

pub(crate) use self::change::Fields;
use self::{
    change::{DeleteCard, EditCard},
    policies::Policies,
};
use super::{
    act::read_group,
    view::{GroupError, GroupForm, GroupPage as GroupView, GroupRow},
    words,
};
use crate::{
    text::url,
    ui::{
        facts::fact, heading::Heading, load::load, panel::Crumb, params, problem::ProblemNote,
        time::Minute,
    },
};

/// `/t/{tenant}/groups/{group}`
#[component]
pub(crate) fn GroupPage() -> impl IntoView {
    let (tenant, group) = (params::tenant(), params::group());
    let cursor = params::query("cursor");
    load(
        move || (tenant(), group(), cursor()),
        async |(tenant, group, cursor)| read_group(tenant?, group?, cursor).await,
        |page| view! { <GroupContent page /> }.into_any(),
    )
}

#[component]
fn GroupContent(page: GroupView) -> impl IntoView {
    let (tenant, id, name) = (page.tenant, page.row.id, page.row.name.clone());
    let code = page.row.code.clone();
    let is_empty = page.policies.items.is_empty();
    let (problem, input) = page.refused.unzip();
    let (rejected, rejected_code) = match input {
        Some(GroupError::Edit(form)) => (Some(form), String::new()),
        Some(GroupError::Add(code)) => (None, code),
        _ => (None, String::new()),
    };
    let changes = page.may_write.then(|| {
        let current = GroupForm::from(page.row.clone());
        let seen = current.seen.clone();
        view! {
            <EditCard tenant id current rejected />
            <DeleteCard tenant id seen is_empty />
        }
    });
    view! {
        <Crumb href=url::groups(tenant) label=words::TITLE />
        <div class="page-head">
            <Heading title=isolated(&name)>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{code}</bdi>
        </div>
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        <div class="with-rail">
            <Policies
                tenant
                group=id
                policies=page.policies
                others=page.others
                rejected_code
                may_write=page.may_write
            />
            <aside class="rail">
                <About row=page.row />
                {changes}
            </aside>
        </div>
    }
}

#[component]
fn About(row: GroupRow) -> impl IntoView {
    let description = (!row.description.is_empty())
        .then(|| fact(words::DESCRIPTION, view! { <bdi>{row.description}</bdi> }));
    view! {
        <section class="card">
            <h2>{words::ABOUT}</h2>
            <dl>
                {description} <dt>{words::CHANGED}</dt> <dd>
                    <Minute at=row.updated_at />
                </dd>
            </dl>
        </section>
    }
}
