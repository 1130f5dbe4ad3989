//! API keys: list, create and revoke.

use contract::id::{ApiKeyId, TenantId};
use leptos::prelude::server;

use super::view::{KeyRow, KeysPage};
use crate::{codec::JsonCodec, flash::RejectedForm, problem::Problem};

/// Returns one page of the list, and the key that was just created.
#[server(prefix = "/console", endpoint = "keys", output = JsonCodec)]
pub(crate) async fn list_keys(tenant: TenantId, cursor: String) -> Result<KeysPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// Returns one key, and why its revocation was last rejected.
#[server(prefix = "/console", endpoint = "key", output = JsonCodec)]
pub(crate) async fn read_key(
    tenant: TenantId,
    id: ApiKeyId,
) -> Result<(KeyRow, Option<RejectedForm>), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let key = sources::read(&cx, id).await?;
    Ok((key, request::take_rejected(&crate::text::url::revoke_key(tenant, id)).await))
}

/// Creates a key with the ID from the form, and redirects to the list, which shows the key once.
#[server(prefix = "/console", endpoint = "create-key", output = JsonCodec)]
pub(crate) async fn create_key(
    tenant: TenantId,
    id: ApiKeyId,
    name: String,
    #[server(default)] scopes: Vec<String>,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    use super::load as sources;
    use super::view::KeyForm;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = crate::text::url::keys(tenant);
    let form = KeyForm { name, scopes, expires };
    match sources::create(&cx, id, &form).await {
        Ok(secret) => {
            request::set_created(&secret, &page);
            request::redirect(&page);
        }
        Err(problem) => request::set_rejected(problem, page, request::form_json(&form)).await?,
    }
    Ok(())
}

/// Revokes a key permanently and redirects to the list.
#[server(prefix = "/console", endpoint = "revoke-key", output = JsonCodec)]
pub(crate) async fn revoke_key(tenant: TenantId, id: ApiKeyId) -> Result<(), Problem> {
    use crate::request;
    let cx = request::human(tenant).await?;
    let result = request::into_problem(governance::access::api_key::revoke(&cx, id).await);
    let page = crate::text::url::revoke_key(tenant, id);
    request::respond(result, &crate::text::url::keys(tenant), &page, String::new()).await
}
