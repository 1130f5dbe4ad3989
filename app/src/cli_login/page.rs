//! The page on which the user allows the command line to access a tenant.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{AllowCliLogin, read_cli_login},
    view::{AllowPage, CliLogin, DAYS, ProgramRequest},
    words,
};
use crate::{
    flash::OneTimeSecret,
    frame::view::TenantMembership,
    key::{page::scope_groups, words as key_words},
    text::messages,
    ui::{
        field::{TextField, options},
        heading::Heading,
        load::load,
        note::{Tone, note},
        one_time_secret::OneTimeSecretBox,
        params,
        problem::ProblemNote,
        public::PublicFrame,
    },
};

/// `/cli-login`
#[component]
pub(crate) fn CliLoginPage() -> impl IntoView {
    let program = params::filters(ProgramRequest::read);
    let content = load(program, read_cli_login, |content| match content {
        CliLogin::Invalid => note(Tone::Deny, Some("alert"), words::INVALID),
        CliLogin::NoTenant(person) => no_tenant(&person.email),
        CliLogin::Form(page) => view! { <AllowContent page=*page /> }.into_any(),
        CliLogin::Code(code) => view! { <Code code /> }.into_any(),
    });
    view! {
        <PublicFrame width="reading">
            <div class="card panel roomy stack">
                <Heading title=words::TITLE />
                {content}
            </div>
        </PublicFrame>
    }
}

/// Renders why a user without administered tenants cannot allow access, and the next step.
fn no_tenant(email: &str) -> AnyView {
    view! {
        {note(Tone::Warn, Some("alert"), words::NO_TENANT)}
        <p class="text-muted breaks">{words::signed_in_as(email)}</p>
        <p>
            <a href="/">{words::START}</a>
        </p>
    }
    .into_any()
}

#[component]
fn Code(code: OneTimeSecret) -> impl IntoView {
    view! {
        <OneTimeSecretBox
            title=words::CODE_TITLE.to_owned()
            secret=code.secret
            what=words::CODE
            note=words::CODE_HELP
            page="/".to_owned()
            done=words::DONE
        />
    }
}

#[component]
fn AllowContent(page: AllowPage) -> impl IntoView {
    let AllowPage { program, person, tenants, form, problem, cancel } = page;
    let days = DAYS.map(|days| (days.to_string(), words::days(days)));
    view! {
        <p class="font-semibold breaks">{words::request(&program.machine(), &person.email)}</p>
        <p>{words::STARTED_BY_YOU}</p>
        <form method="post" action=AllowCliLogin::url() class="stack">
            {problem.map(|problem| view! { <ProblemNote problem /> })}
            <HiddenRequest program />
            {tenant_field(tenants, &form.tenant)}
            <TextField label=words::NAME name="name" value=form.name required=true />
            <p class="text-muted">{key_words::SCOPES_HELP}</p>
            <div class="scopes">{scope_groups(&form.scopes)}</div>
            <label class="field">
                <span>{words::EXPIRES}</span>
                <select name="days">{options(days, &form.days)}</select>
            </label>
            <div class="row end">
                <a class="button" href=cancel rel="external">
                    {messages::CANCEL}
                </a>
                <button class="primary">{words::ALLOW}</button>
            </div>
        </form>
    }
}

#[component]
fn HiddenRequest(program: ProgramRequest) -> impl IntoView {
    view! {
        <input type="hidden" name="program[port]" value=program.port />
        <input type="hidden" name="program[state]" value=program.state />
        <input type="hidden" name="program[code_challenge]" value=program.code_challenge />
        <input type="hidden" name="program[name]" value=program.name />
        <input type="hidden" name="program[scopes]" value=program.scopes />
    }
}

/// Renders the choice of a tenant, or the name of the only one.
fn tenant_field(tenants: Vec<TenantMembership>, current: &str) -> AnyView {
    if let [only] = tenants.as_slice() {
        return view! {
            <p class="breaks">{words::in_tenant(&only.name)}</p>
            <input type="hidden" name="tenant" value=only.tenant.to_string() />
        }
        .into_any();
    }
    let choices = tenants.into_iter().map(|tenant| (tenant.tenant.to_string(), tenant.name));
    view! {
        <label class="field">
            <span>{words::TENANT}</span>
            <select name="tenant">{options(choices, current)}</select>
        </label>
    }
    .into_any()
}
