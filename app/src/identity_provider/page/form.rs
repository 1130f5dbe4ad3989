//! The form that creates or changes an identity provider.

use contract::{error::FieldError, scope::Role};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    identity_provider::{
        act::{CreateProvider, EditProvider, read_provider, read_provider_form},
        view::{ProviderForm, ProviderFormPage as FormView, StoredProvider},
        words,
    },
    problem::Problem,
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

/// `/t/{tenant}/settings/identity-providers/{provider}/edit`
#[component]
pub(crate) fn EditIdentityProviderPage() -> impl IntoView {
    let (tenant, provider) = (params::tenant(), params::identity_provider());
    load(
        move || (tenant(), provider()),
        async |(tenant, provider)| read_provider(tenant?, provider?).await,
        |page| view! { <EditProviderContent page /> }.into_any(),
    )
}

#[component]
fn NewProviderContent(page: FormView) -> impl IntoView {
    let tenant = page.tenant;
    let tab = messages::title_with_errors(words::NEW, page.errors.len());
    view! {
        <Crumb href=url::identity_providers(tenant) label=words::TITLE />
        <Heading title=tab>{words::NEW}</Heading>
        <form method="post" action=CreateProvider::url() class="card panel roomy stack" novalidate>
            <Rejection problem=page.problem errors=page.errors.clone() />
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <Fields form=page.form errors=page.errors stored=None />
            {submit_or_cancel(words::CREATE, url::identity_providers(tenant))}
        </form>
    }
}

#[component]
fn EditProviderContent(page: FormView) -> impl IntoView {
    let tenant = page.tenant;
    let stored = page.stored;
    let (id, name) = stored.as_ref().map(|stored| (stored.id, stored.name.clone())).unzip();
    let id = id.map(|id| id.to_string()).unwrap_or_default();
    let title = words::act(words::EDIT, &name.unwrap_or_default());
    let tab = messages::title_with_errors(&title, page.errors.len());
    view! {
        <Crumb href=url::identity_providers(tenant) label=words::TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=EditProvider::url() class="card panel roomy stack" novalidate>
            <Rejection problem=page.problem errors=page.errors.clone() />
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id />
            <Fields form=page.form errors=page.errors stored />
            {submit_or_cancel(words::SAVE, url::identity_providers(tenant))}
        </form>
    }
}

/// Why the form was rejected.
#[component]
fn Rejection(problem: Option<Problem>, errors: Vec<FieldError>) -> impl IntoView {
    let summary =
        (!errors.is_empty()).then(|| view! { <ErrorSummary errors labels=&words::FIELDS /> });
    view! {
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        {summary}
    }
}

#[component]
fn Fields(
    form: ProviderForm,
    errors: Vec<FieldError>,
    /// The provider that the form changes.
    stored: Option<StoredProvider>,
) -> impl IntoView {
    let form_errors = StoredValue::new(errors);
    let field = |name, member, label, hint| FormField { form_errors, name, member, label, hint };
    let roles = std::iter::once(("", words::NO_ROLE));
    let roles = roles.chain(Role::ALL.map(|role| (role.as_str(), messages::role(role))));
    let (issuer, issuer_hint) = match &stored {
        Some(stored) => (stored.issuer.clone(), words::FIXED_ISSUER_HINT),
        None => (form.issuer, words::ISSUER_HINT),
    };
    let is_fixed = stored.is_some();
    let has_secret = stored.is_some_and(|stored| stored.has_secret);
    let (secret, secret_hint) = if has_secret {
        (words::STORED_SECRET, words::STORED_SECRET_HINT)
    } else {
        (words::SECRET, words::SECRET_HINT)
    };
    let removal = has_secret.then(|| {
        view! {
            <label class="checkbox">
                <input
                    type="checkbox"
                    name="form[removes_secret]"
                    value="true"
                    checked=form.removes_secret
                />
                {words::REMOVE_SECRET}
            </label>
        }
    });
    view! {
        {field("name", "name", words::NAME, words::NAME_HINT).line(form.name, false)}
        {field("issuer", "issuer", words::ISSUER, issuer_hint).line(issuer, is_fixed)}
        {field("client_id", "client_id", words::CLIENT_ID, words::CLIENT_ID_HINT)
            .line(form.client_id, false)}
        <HintedField
            label=secret
            hint=secret_hint
            name="form[client_secret]"
            id="client_secret"
            kind="password"
            autocomplete="off"
        />
        {removal}
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
