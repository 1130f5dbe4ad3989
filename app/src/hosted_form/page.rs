//! One hosted form: its status and link, its settings with a preview, its tokens, and its integration guide.

mod edit;
mod field;
mod integrate;
mod question;
mod tokens;

use contract::{id::TenantId, text::isolated};
use leptos::{prelude::*, server_fn::ServerFn};

use self::{
    edit::{DeleteCard, FormEditor},
    integrate::IntegrationGuide,
    tokens::Tokens,
};
use super::{
    act::{PublishForm, read_form},
    markup::FormBadge,
    view::{FormPage as FormView, FormRow},
    words,
};
use crate::{
    text::{messages, url},
    ui::{
        code::Id, heading::Heading, load::load, one_time_secret::OneTimeSecretBox, panel::Crumb,
        params, problem::ProblemNote,
    },
};

/// `/t/{tenant}/forms/{form}/edit`
#[component]
pub(crate) fn FormPage() -> impl IntoView {
    let (tenant, form) = (params::tenant(), params::form());
    load(
        move || (tenant(), form()),
        async |(tenant, form)| read_form(tenant?, form?).await,
        |page| view! { <FormContent page /> }.into_any(),
    )
}

#[component]
fn FormContent(page: FormView) -> impl IntoView {
    let (tenant, id, title) = (page.tenant, page.row.id, page.row.title.clone());
    let (row, may_write, link) = (page.row, page.may_write, page.link);
    let seen = page.now.seen.clone();
    let open_tab = params::query("tab")();
    // Only the tabs of the editor show the list of errors.
    let pending = page.unsaved.as_ref().filter(|_| open_tab != "integrate");
    let error_count = pending.map_or(0, |pending| pending.errors.len());
    let tab = |(tab_name, label): (&'static str, &'static str)| {
        let current = (open_tab == tab_name).then_some("page");
        view! {
            <a href=url::form_tab(tenant, id, tab_name) aria-current=current>
                {label}
            </a>
        }
    };
    let content = match open_tab.as_str() {
        "integrate" => view! { <IntegrationGuide contract=page.contract /> }.into_any(),
        tab => {
            let tokens = (tab == words::ACCESS_TAB)
                .then(|| view! { <Tokens tenant id tokens=page.tokens may_write /> });
            let tab = tab.to_owned();
            view! {
                <FormEditor tenant id tab current=page.now pending=page.unsaved may_write />
                {tokens}
            }
            .into_any()
        }
    };
    let token = page.secret.map(|token| {
        view! {
            <OneTimeSecretBox
                title=words::TOKEN_CREATED.to_owned()
                secret=token.secret
                what=words::TOKEN
                note=words::TOKEN_HELP
                page=url::form_tab(tenant, id, words::ACCESS_TAB)
                done=words::TOKEN_COPIED
            />
        }
    });
    let is_published = row.is_published;
    let delete = may_write.then(|| {
        let seen = seen.clone();
        view! { <DeleteCard tenant id is_published seen /> }
    });
    view! {
        <Crumb href=url::forms(tenant) label=words::TITLE />
        <div class="page-head">
            <Heading title=messages::title_with_errors(&isolated(&title), error_count)>
                <bdi>{title}</bdi>
            </Heading>
            <FormBadge is_published />
        </div>
        {page.refused.map(|problem| view! { <ProblemNote problem /> })}
        {token}
        <Link tenant row link seen may_write />
        <nav class="tabs" aria-label=words::TITLE>
            {words::TABS.map(tab)}
        </nav>
        {content}
        {delete}
    }
}

/// The link of the form, a note about who can use it, and the button that publishes or unpublishes the form.
#[component]
fn Link(
    tenant: TenantId,
    row: FormRow,
    link: String,
    seen: String,
    may_write: bool,
) -> impl IntoView {
    use super::words as strings;
    let help =
        if row.is_published { strings::link_note(row.access) } else { strings::LINK_INACTIVE };
    let (label, class) =
        if row.is_published { (strings::UNPUBLISH, "") } else { (strings::PUBLISH, "primary") };
    let publish_form = may_write.then(|| {
        view! {
            <form method="post" action=PublishForm::url() data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=row.id.to_string() />
                <input type="hidden" name="published" value=(!row.is_published).to_string() />
                <input type="hidden" name="seen" value=seen />
                <button class=class>{label}</button>
            </form>
        }
    });
    let open = row.is_published.then(|| {
        view! {
            <a class="button" href=url::hosted_form(row.id) rel="external">
                {strings::LINK}
            </a>
        }
    });
    view! {
        <section class="card stack" aria-label=strings::LINK>
            <Id id=link what=strings::LINK />
            <p>{help}</p>
            <div class="row">{open} {publish_form}</div>
        </section>
    }
}
