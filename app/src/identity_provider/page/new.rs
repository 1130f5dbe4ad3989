//! The form to create an identity provider.

use contract::{error::FieldError, scope::Role};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    identity_provider::{
        act::{CreateProvider, read_provider_form},
        view::{ProviderForm, ProviderFormPage as FormView},
        words,
    },
    text::{messages, url},
    ui::{
        field::{HintedField, options},
        form_errors::{ErrorSummary, FormField, field_error, invalid},
        heading::Heading,
        load::load,
        panel::{Crumb, submit_or_cancel},
        params,
        problem::ProblemNote,
    },
};

/// `/t/{tenant}/settings/identity-providers/new`
#[component]
pub(crate) fn NewIdentityProviderPage() -> impl IntoView {
    let tenant = params::tenant();
    load(
        tenant,
        async |tenant| read_provider_form(tenant?).await,
        |page| view! { <NewProviderContent page /> }.into_any(),
    )
}

#[component]
fn NewProviderContent(page: FormView) -> impl IntoView {
    let tenant = page.tenant;
    let errors = page.errors.clone();
    let tab = messages::title_with_errors(words::NEW, errors.len());
    view! {
        <Crumb href=url::identity_providers(tenant) label=words::TITLE />
        <Heading title=tab>{words::NEW}</Heading>
        <form method="post" action=CreateProvider::url() class="card panel roomy stack" novalidate>
            {page.problem.map(|problem| view! { <ProblemNote problem /> })}
            {(!errors.is_empty()).then(|| view! { <ErrorSummary errors labels=&words::FIELDS /> })}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <Fields form=page.form errors=page.errors />
            {submit_or_cancel(words::CREATE, url::identity_providers(tenant))}
        </form>
    }
}

#[component]
fn Fields(form: ProviderForm, errors: Vec<FieldError>) -> impl IntoView {
    let form_errors = StoredValue::new(errors);
    let field = |name, member, label, hint| FormField { form_errors, name, member, label, hint };
    let roles = std::iter::once(("", words::NO_ROLE));
    let roles = roles.chain(Role::ALL.map(|role| (role.as_str(), messages::role(role))));
    view! {
        {field("name", "name", words::NAME, words::NAME_HINT).line(form.name, false)}
        {field("issuer", "issuer", words::ISSUER, words::ISSUER_HINT).line(form.issuer, false)}
        {field("client_id", "client_id", words::CLIENT_ID, words::CLIENT_ID_HINT)
            .line(form.client_id, false)}
        <HintedField
            label=words::SECRET
            hint=words::SECRET_HINT
            name="form[client_secret]"
            id="client_secret"
            kind="password"
            autocomplete="off"
        />
        {field("scopes", "scopes", words::SCOPES, words::SCOPES_HINT).area(form.scopes)}
        {field("domains", "email_domains", words::DOMAINS, words::DOMAINS_HINT).area(form.domains)}
        <label class="checkbox">
            <input
                type="checkbox"
                name="form[trusts_domains]"
                value="true"
                checked=form.trusts_domains
            />
            {words::TRUSTS_DOMAINS}
        </label>
        {field("role_claim", "role_claim", words::ROLE_CLAIM, words::ROLE_CLAIM_HINT)
            .line(form.role_claim, false)}
        {field("roles", "role_mapping", words::ROLES, words::ROLES_HINT).area(form.roles)}
        <div class="field">
            <label for="default_role">{words::DEFAULT_ROLE}</label>
            <select
                id="default_role"
                name="form[default_role]"
                aria-describedby="default_role-error"
                aria-invalid=invalid(form_errors, "default_role")
            >
                {options(roles, &form.default_role)}
            </select>
            {field_error(form_errors, "default_role")}
        </div>
    }
}
