//! Webhooks: list, create, delete and test.

use contract::id::{SubscriptionId, TenantId};
use leptos::prelude::server;

use super::view::{WebhookForm, WebhookFormPage, WebhooksPage};
use crate::{codec::JsonCodec, problem::Problem};

/// Returns the list, and the webhook that was just created.
#[server(prefix = "/console", endpoint = "webhooks", output = JsonCodec)]
pub(crate) async fn list_webhooks(tenant: TenantId) -> Result<WebhooksPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::list(&cx, tenant).await
}

/// Returns the form of a new webhook. It starts as a copy of the webhook `from`, if that is set.
#[server(prefix = "/console", endpoint = "webhook-form", output = JsonCodec)]
pub(crate) async fn read_webhook_form(
    tenant: TenantId,
    from: String,
) -> Result<WebhookFormPage, Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    sources::form(&cx, tenant, &from).await
}

/// Creates a webhook with the ID from the form, and redirects to the list, which shows its secret once.
#[server(prefix = "/console", endpoint = "create-webhook", output = JsonCodec)]
pub(crate) async fn create_webhook(
    tenant: TenantId,
    id: SubscriptionId,
    from: Option<SubscriptionId>,
    form: WebhookForm,
) -> Result<(), Problem> {
    use super::load as sources;
    use crate::request;
    let cx = request::human(tenant).await?;
    let page = sources::form_page(tenant, from);
    sources::create(&cx, tenant, id, page, form).await
}

/// Deletes a webhook and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-webhook", output = JsonCodec)]
pub(crate) async fn delete_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    use crate::request;
    let cx = request::human(tenant).await?;
    let list = crate::text::url::webhooks(tenant);
    let result = request::into_problem(governance::notify::webhook::delete(&cx, id).await);
    request::respond(result, &list, &list, String::new()).await
}

/// Sends a test to a webhook and redirects to the delivery.
#[server(prefix = "/console", endpoint = "test-webhook", output = JsonCodec)]
pub(crate) async fn test_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    use crate::request;
    use crate::text::url;
    let cx = request::human(tenant).await?;
    match request::into_problem(governance::notify::webhook::send_test(&cx, id).await) {
        Ok(sample) => request::redirect(&url::delivery(tenant, sample.id)),
        Err(problem) => {
            request::set_rejected(problem, url::webhooks(tenant), String::new()).await?;
        }
    }
    Ok(())
}
