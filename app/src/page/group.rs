//! One policy group: its policies, and what can be changed of it.

mod change;
mod policies;

use leptos::prelude::*;

pub(super) use self::change::Fields;
use self::{
    change::{DeleteCard, EditCard},
    policies::Policies,
};
use super::params;
use crate::{
    api::group::read_group,
    text::{url, words},
    ui::{heading::Heading, load::load, problem::ProblemNote, time::Minute},
    view::group::{GroupForm, GroupPage as Shown, GroupRow, Refused},
};

/// `/t/{tenant}/groups/{group}`
#[component]
pub(crate) fn GroupPage() -> impl IntoView {
    let (tenant, group) = (params::tenant(), params::group());
    let cursor = params::query("cursor");
    let page = Resource::new(
        move || (tenant(), group(), cursor()),
        async |(tenant, group, cursor)| read_group(tenant?, group?, cursor).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    let (tenant, id, name) = (page.tenant, page.row.id, page.row.name.clone());
    let code = page.row.code.clone();
    let is_empty = page.policies.items.is_empty();
    let (problem, refused) = page.refused.unzip();
    let (edited, typed) = match refused {
        Some(Refused::Edit(form)) => (Some(form), String::new()),
        Some(Refused::Add(code)) => (None, code),
        _ => (None, String::new()),
    };
    let changes = page.may_write.then(|| {
        let now = GroupForm::from(page.row.clone());
        let seen = now.seen.clone();
        view! {
            <EditCard tenant id now edited/>
            <DeleteCard tenant id seen is_empty/>
        }
    });
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::groups(tenant)>{words::group::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title=name.clone()>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{code}</bdi>
        </div>
        {problem.map(|problem| view! { <ProblemNote problem/> })}
        <div class="with-rail">
            <Policies
                tenant
                group=id
                policies=page.policies
                others=page.others
                typed
                may_write=page.may_write
            />
            <aside class="rail">
                <About row=page.row/>
                {changes}
            </aside>
        </div>
    }
}

#[component]
fn About(row: GroupRow) -> impl IntoView {
    let description = (!row.description.is_empty()).then(|| {
        view! {
            <dt>{words::group::DESCRIPTION}</dt>
            <dd>
                <bdi>{row.description}</bdi>
            </dd>
        }
    });
    view! {
        <section class="card">
            <h2>{words::group::ABOUT}</h2>
            <dl>
                {description}
                <dt>{words::group::CHANGED}</dt>
                <dd>
                    <Minute at=row.updated_at/>
                </dd>
            </dl>
        </section>
    }
}
