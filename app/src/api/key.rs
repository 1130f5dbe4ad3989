//! API keys: the list, making one, and revoking one.

use contract::id::{ApiKeyId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        kept::Kept,
        key::{KeyRow, KeysPage},
    },
};

/// One page of the list, and a key that was made a moment ago.
#[server(prefix = "/console", endpoint = "keys", output = Answer)]
pub(crate) async fn list_keys(tenant: TenantId, cursor: String) -> Result<KeysPage, Problem> {
    use super::ssr::{self, key as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant, cursor).await
}

/// One key, and why it was not revoked a moment ago.
#[server(prefix = "/console", endpoint = "key", output = Answer)]
pub(crate) async fn read_key(
    tenant: TenantId,
    id: ApiKeyId,
) -> Result<(KeyRow, Option<Kept>), Problem> {
    use super::ssr::{self, key as sources};
    let cx = ssr::human(tenant).await?;
    let key = sources::read(&cx, id).await?;
    Ok((key, ssr::kept(&crate::text::url::revoke_key(tenant, id)).await))
}

/// Makes a key of the id that the form was given, and leads to the list, which shows it this once.
#[server(prefix = "/console", endpoint = "create-key", output = Answer)]
pub(crate) async fn create_key(
    tenant: TenantId,
    id: ApiKeyId,
    name: String,
    #[server(default)] scopes: Vec<String>,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    use super::ssr::{self, key as sources};
    use crate::view::key::KeyForm;
    let cx = ssr::human(tenant).await?;
    let page = crate::text::url::keys(tenant);
    let form = KeyForm { name, scopes, expires };
    match sources::create(&cx, id, &form).await {
        Ok(made) => {
            ssr::keep_made(&made, &page);
            ssr::go(&page);
        }
        Err(problem) => ssr::keep(problem, page, sources::typed(&form)).await?,
    }
    Ok(())
}

/// Revokes a key for good and leads to the list.
#[server(prefix = "/console", endpoint = "revoke-key", output = Answer)]
pub(crate) async fn revoke_key(tenant: TenantId, id: ApiKeyId) -> Result<(), Problem> {
    use super::ssr;
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::api_key::revoke(&cx, id).await) {
        Ok(_) => ssr::go(&crate::text::url::keys(tenant)),
        Err(problem) => {
            let page = crate::text::url::revoke_key(tenant, id);
            ssr::keep(problem, page, String::new()).await?;
        }
    }
    Ok(())
}
