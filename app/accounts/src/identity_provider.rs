//! Identity providers of a tenant: the list with the addresses to register, and the test of a provider. `form` creates and
//! changes one.

pub mod form;

use contract::identity_provider::{IdentityProvider, IdentityProviderPatch, IdentityProviderTest};
use governance::authoring::identity_provider;
use page_kit::prelude::*;

const TITLE: &str = "Identity providers";
const NEW: &str = "New identity provider";

/// `/t/{tenant}/settings/identity-providers`. A tenant has at most one page of providers.
pub async fn identity_providers() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let all = PageRequest { limit: LIMIT_MAX, cursor: None };
    let providers = identity_provider::list(&cx, &all).await?.items;
    let tested = page::query("test");
    let test = match providers.iter().find(|provider| provider.id.to_string() == tested) {
        Some(provider) => {
            let test = identity_provider::test(&cx, provider.id).await?;
            Some(test_note(&provider.name, &test))
        }
        None => None,
    };
    let refused = request::take_rejected(&url::identity_providers(tenant)).await;
    Ok(any_view! {
        <Crumb href=url::settings(tenant) label="Settings" />
        <div class="page-head">
            <Heading title=TITLE />
            <a class="button primary push" href=url::new_identity_provider(tenant) data-key="n">
                {NEW}
            </a>
        </div>
        <p class="intro">
            "Members sign in with the identity provider of your company, by OpenID Connect."
        </p>
        {refused.map(|rejected| problem_note(rejected.problem))}
        {test}
        {list(tenant, &providers)}
    })
}

/// Renders the result of a test.
fn test_note(name: &str, test: &IdentityProviderTest) -> AnyView {
    let name = isolated(name);
    let text = if let Some(problem) = &test.problem {
        format!("{name} cannot sign anyone in: {problem}.")
    } else {
        let keys = count(test.signing_keys as usize, "signing key", "signing keys");
        format!("{name} is reachable and publishes {keys}.")
    };
    note(if test.is_usable { Tone::Allow } else { Tone::Deny }, Some("status"), text)
}

/// Renders the providers, newest first, and the address of the sign-in page.
fn list(tenant: TenantId, providers: &[IdentityProvider]) -> AnyView {
    if providers.is_empty() {
        let text = "Add one to let members sign in without a password.";
        return empty_state("No identity providers yet", text);
    }
    let table = Table::new(TITLE)
        .column("Provider", name_cell)
        .column("Roles", |provider: &IdentityProvider| {
            view! { <bdi class="breaks">{roles(provider)}</bdi> }
        })
        .column("Status", |provider| if provider.is_enabled { "Enabled" } else { "Disabled" })
        .column("Action", |provider| actions(tenant, provider));
    let sign_in = request::governance().link(&url::sign_in(tenant, "", None));
    let shown = sign_in.clone();
    any_view! {
        {table.of(providers)}
        <p class="text-muted">
            "Sign-in address for your colleagues: " <a href=sign_in class="breaks">
                {shown}
            </a>
        </p>
    }
}

/// Renders the name and the issuer, and the addresses to register at the provider.
fn name_cell(provider: &IdentityProvider) -> AnyView {
    const REGISTER: &str = "Addresses to register";
    let addresses = [
        ("Redirect URI", &provider.redirect_uri),
        ("Post-logout redirect URI", &provider.post_logout_redirect_uri),
        ("Back-channel logout URI", &provider.backchannel_logout_uri),
    ];
    let addresses = addresses.map(|(label, address)| {
        fact(label, view! { <code class="breaks">{address.clone()}</code> })
    });
    any_view! {
        <bdi class="breaks">{provider.name.clone()}</bdi>
        <span class="text-muted text-xs breaks">{provider.issuer.clone()}</span>
        <details class="disclosure">
            <summary aria-label=label(REGISTER, provider)>{REGISTER}</summary>
            <dl class="facts">{addresses.collect_view()}</dl>
        </details>
    }
}

/// Returns the roles that the provider gives, as a sentence.
fn roles(provider: &IdentityProvider) -> String {
    let mapped = provider.role_mapping.iter();
    let mapped = mapped.map(|entry| format!("{}: {}", entry.value, entry.role));
    let default = provider.default_role.map(|role| format!("otherwise {role}"));
    let roles: Vec<String> = mapped.chain(default).collect();
    if roles.is_empty() { "Existing members only".to_owned() } else { roles.join(", ") }
}

/// Returns the accessible name of an action for a provider.
fn label(action: &str, provider: &IdentityProvider) -> String {
    format!("{action}: {}", isolated(&provider.name))
}

/// Renders the actions for a provider. Deletion needs a confirmation.
fn actions(tenant: TenantId, provider: &IdentityProvider) -> AnyView {
    let id = provider.id;
    let hidden_fields = || {
        view! {
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
        }
    };
    let switch = if provider.is_enabled { "Disable" } else { "Enable" };
    any_view! {
        <div class="row">
            <a
                class="button"
                href=url::test_identity_provider(tenant, id)
                aria-label=label("Test", provider)
            >
                "Test"
            </a>
            <a
                class="button"
                href=url::edit_identity_provider(tenant, id)
                aria-label=label("Edit", provider)
            >
                "Edit"
            </a>
            <form method="post" action=EnableProvider::url()>
                {hidden_fields()}
                <input type="hidden" name="is_enabled" value=(!provider.is_enabled).to_string() />
                <button aria-label=label(switch, provider)>{switch}</button>
            </form>
            <details class="disclosure">
                <summary aria-label=label("Delete", provider)>"Delete"</summary>
                <form method="post" action=DeleteProvider::url() class="stack">
                    {hidden_fields()}
                    <p>
                        "Sessions that it started end. Accounts and memberships remain. This cannot be undone."
                    </p>
                    <div class="row">
                        <button class="danger" aria-label=label("Delete", provider)>
                            "Delete"
                        </button>
                    </div>
                </form>
            </details>
        </div>
    }
}

/// Enables or disables an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "enable-identity-provider", output = JsonCodec)]
async fn enable_provider(
    tenant: TenantId,
    id: IdentityProviderId,
    is_enabled: bool,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let patch = IdentityProviderPatch { is_enabled: Some(is_enabled), ..Default::default() };
    let list = url::identity_providers(tenant);
    let changed = identity_provider::edit(&cx, id, patch).await;
    request::respond(changed, &list, &list, String::new()).await
}

/// Deletes an identity provider and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-identity-provider", output = JsonCodec)]
async fn delete_provider(tenant: TenantId, id: IdentityProviderId) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let list = url::identity_providers(tenant);
    let deleted = identity_provider::delete(&cx, id).await;
    request::respond(deleted, &list, &list, String::new()).await
}
