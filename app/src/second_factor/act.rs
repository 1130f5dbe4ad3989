//! Passkeys, the authenticator app and recovery codes: sign in with them, add, rename and remove them.

use contract::{id::PasskeyId, second_factor::PasskeyOptions};
use leptos::prelude::server;

use super::{
    load as sources,
    view::{AuthenticatorSetup, PasskeyUse, Required, Step},
};
use crate::{codec::JsonCodec, problem::Problem, request, text::url, ui::problem::page_not_found};

/// Returns the options with which the browser creates or uses a passkey.
#[server(prefix = "/console", endpoint = "passkey-options", output = JsonCodec)]
pub(crate) async fn read_passkey_options(purpose: PasskeyUse) -> Result<PasskeyOptions, Problem> {
    sources::options(purpose).await
}

/// Signs a user in with a passkey alone and redirects to `next`.
#[server(prefix = "/console", endpoint = "sign-in-with-passkey", output = JsonCodec)]
pub(crate) async fn sign_in_with_passkey(
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    sources::sign_in(&credential, &next).await
}

/// Returns the second factors of the pending sign-in. Without one, it redirects to the sign-in page.
pub(crate) async fn read_step(next: String) -> Result<Step, Problem> {
    sources::step(&next).await
}

/// Completes a sign-in with a code or a passkey, and redirects to `next`.
#[server(prefix = "/console", endpoint = "finish-sign-in", output = JsonCodec)]
pub(crate) async fn finish_sign_in(
    #[server(default)] code: String,
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    sources::finish_sign_in(code, &credential, &next).await
}

/// Returns the page for a member of a tenant that requires a second factor. If the session gives access to the tenant,
/// it redirects to `next`.
pub(crate) async fn read_required(tenant: String, next: String) -> Result<Required, Problem> {
    let tenant = tenant.parse().map_err(|_| page_not_found())?;
    sources::required(tenant, &next).await
}

/// Adds a passkey to the account. It redirects to `next`, by way of the page with recovery codes if there are new ones.
/// `page` is the page of the form.
#[server(prefix = "/console", endpoint = "create-passkey", output = JsonCodec)]
pub(crate) async fn create_passkey(
    name: String,
    #[server(default)] credential: String,
    page: String,
    next: String,
) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    match sources::create_passkey(&signed_in, &name, &credential).await {
        Ok(codes) => {
            sources::show_codes(&codes, &next);
            Ok(())
        }
        Err(problem) => request::set_rejected(problem, page, name).await,
    }
}

/// Renames a passkey and redirects to the account page.
#[server(prefix = "/console", endpoint = "rename-passkey", output = JsonCodec)]
pub(crate) async fn rename_passkey(id: PasskeyId, name: String) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::rename_passkey(&signed_in, id, &name).await
}

/// Removes a passkey and redirects to the account page.
#[server(prefix = "/console", endpoint = "remove-passkey", output = JsonCodec)]
pub(crate) async fn remove_passkey(id: PasskeyId) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::remove_passkey(&signed_in, id).await
}

/// Creates the secret of an authenticator app and redirects to the page that shows it. `page` is the page of the form.
#[server(prefix = "/console", endpoint = "set-up-authenticator", output = JsonCodec)]
pub(crate) async fn set_up_authenticator(page: String, next: String) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::set_up_authenticator(&signed_in, page, &next).await
}

/// Returns the secret of the authenticator app that is being set up.
pub(crate) async fn read_authenticator(next: String) -> Result<AuthenticatorSetup, Problem> {
    sources::authenticator(&next).await
}

/// Adds the authenticator app to the account. It redirects to `next`, by way of the page with recovery codes if there are
/// new ones.
#[server(prefix = "/console", endpoint = "confirm-authenticator", output = JsonCodec)]
pub(crate) async fn confirm_authenticator(code: String, next: String) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::confirm_authenticator(&signed_in, &code, &next).await
}

/// Removes the authenticator app and redirects to the account page.
#[server(prefix = "/console", endpoint = "remove-authenticator", output = JsonCodec)]
pub(crate) async fn remove_authenticator() -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::remove_authenticator(&signed_in).await
}

/// Replaces the recovery codes and redirects to the page that shows them.
#[server(prefix = "/console", endpoint = "replace-recovery-codes", output = JsonCodec)]
pub(crate) async fn replace_recovery_codes() -> Result<(), Problem> {
    let signed_in = request::signed_in(url::ACCOUNT)?;
    sources::replace_recovery_codes(&signed_in).await
}

/// Returns new recovery codes, which the browser shows once. Without new codes, the list is empty.
pub(crate) async fn read_codes() -> Result<Vec<String>, Problem> {
    request::signed_in(url::ACCOUNT)?;
    Ok(sources::codes())
}
