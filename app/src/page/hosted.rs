//! One hosted form: its state and link, its members with a preview, its tokens, and how programs use it.

mod edit;
mod entry;
mod integrate;
mod preview;
mod question;
mod tokens;

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

pub(crate) use self::preview::preview;
use self::{
    edit::{DeleteCard, Edit},
    integrate::Integrate,
    tokens::Tokens,
};
use super::params;
use crate::{
    api::hosted::{PublishForm, read_form},
    text::{url, words},
    ui::{
        badge::FormBadge, code::Id, heading::Heading, load::load, problem::ProblemNote,
        shown_once::ShownOnce,
    },
    view::{
        hosted::{FormPage as Shown, FormRow},
        kept::Made,
    },
};

/// `/t/{tenant}/forms/{form}/edit`
#[component]
pub(crate) fn FormPage() -> impl IntoView {
    let (tenant, form) = (params::tenant(), params::form());
    let page = Resource::new(
        move || (tenant(), form()),
        async |(tenant, form)| read_form(tenant?, form?).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    let (tenant, id, title) = (page.tenant, page.row.id, page.row.title.clone());
    let (row, may_write, link) = (page.row, page.may_write, page.link);
    let open = params::query("tab")();
    // The list of what is wrong stands on the first tab alone.
    let faults = page.unsaved.as_ref().filter(|_| open.is_empty());
    let faults = faults.map_or(0, |unsaved| unsaved.faults.len());
    let tab = |(word, name): (&'static str, &'static str)| {
        let current = (open == word).then_some("page");
        view! {
            <a href=url::form_tab(tenant, id, word) aria-current=current>
                {name}
            </a>
        }
    };
    let shown = match open.as_str() {
        "tokens" => view! { <Tokens tenant id tokens=page.tokens may_write/> }.into_any(),
        "integrate" => view! { <Integrate contract=page.contract/> }.into_any(),
        _ => view! { <Edit tenant id now=page.now unsaved=page.unsaved may_write/> }.into_any(),
    };
    let delete = may_write.then(|| view! { <DeleteCard tenant id/> });
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::forms(tenant)>{words::hosted::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title=words::title_with_faults(&title, faults)>
                <bdi>{title}</bdi>
            </Heading>
            <FormBadge is_published=row.is_published/>
        </div>
        {page.refused.map(|problem| view! { <ProblemNote problem/> })}
        {page.made.map(|made| view! { <MadeToken tenant row=row.clone() made/> })}
        <Link tenant row link may_write/>
        <nav class="tabs" aria-label=words::hosted::TITLE>
            {words::hosted::TABS.map(tab)}
        </nav>
        {shown}
        {delete}
    }
}

/// The token, this once.
#[component]
fn MadeToken(tenant: TenantId, row: FormRow, made: Made) -> impl IntoView {
    view! {
        <ShownOnce
            says=words::hosted::TOKEN_MADE.to_owned()
            secret=made.secret
            what=words::hosted::TOKEN
            note=words::hosted::TOKEN_SAYS
            page=url::form_tab(tenant, row.id, "tokens")
            done=words::hosted::TOKEN_SAVED
        />
    }
}

/// The form's link with who can use it, and the button that publishes it.
#[component]
fn Link(tenant: TenantId, row: FormRow, link: String, may_write: bool) -> impl IntoView {
    use words::hosted as say;
    let says = if row.is_published { say::link_says(row.access) } else { say::LINK_DEAD };
    let (word, class) =
        if row.is_published { (say::UNPUBLISH, "") } else { (say::PUBLISH, "primary") };
    let act = may_write.then(|| {
        view! {
            <form method="post" action=PublishForm::url() data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=row.id.to_string()/>
                <input type="hidden" name="published" value=(!row.is_published).to_string()/>
                <button class=class>{word}</button>
            </form>
        }
    });
    let open = row.is_published.then(|| {
        view! {
            <a class="button" href=url::hosted_form(row.id) rel="external">
                {say::LINK}
            </a>
        }
    });
    view! {
        <section class="card stack" aria-label=say::LINK>
            <Id id=link what=say::LINK/>
            <p>{says}</p>
            <div class="row">{open} {act}</div>
        </section>
    }
}
