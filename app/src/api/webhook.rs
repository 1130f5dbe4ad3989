//! Webhooks: the list, making one, deleting one, and a test.

use contract::id::{SubscriptionId, TenantId};
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::webhook::{WebhookForm, WebhookFormPage, WebhooksPage},
};

/// The list, and a webhook that was made a moment ago.
#[server(prefix = "/console", endpoint = "webhooks", output = Answer)]
pub(crate) async fn list_webhooks(tenant: TenantId) -> Result<WebhooksPage, Problem> {
    use super::ssr::{self, webhook as sources};
    let cx = ssr::human(tenant).await?;
    sources::list(&cx, tenant).await
}

/// The form of a new webhook; it begins as the one with the id `from`, if any.
#[server(prefix = "/console", endpoint = "webhook-form", output = Answer)]
pub(crate) async fn read_webhook_form(
    tenant: TenantId,
    from: String,
) -> Result<WebhookFormPage, Problem> {
    use super::ssr::{self, webhook as sources};
    let cx = ssr::human(tenant).await?;
    sources::form(&cx, tenant, &from).await
}

/// Makes a webhook of the id that the form was given, and leads to the list, which shows its secret this
/// once.
#[server(prefix = "/console", endpoint = "create-webhook", output = Answer)]
pub(crate) async fn create_webhook(
    tenant: TenantId,
    id: SubscriptionId,
    from: Option<SubscriptionId>,
    form: WebhookForm,
) -> Result<(), Problem> {
    use super::ssr::{self, webhook as sources};
    let cx = ssr::human(tenant).await?;
    let page = sources::form_page(tenant, from);
    sources::create(&cx, tenant, id, page, form).await
}

/// Deletes a webhook and leads to the list.
#[server(prefix = "/console", endpoint = "delete-webhook", output = Answer)]
pub(crate) async fn delete_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    use super::ssr;
    let cx = ssr::human(tenant).await?;
    let list = crate::text::url::webhooks(tenant);
    match ssr::answer(governance::webhook::delete(&cx, id).await) {
        Ok(()) => ssr::go(&list),
        Err(problem) => ssr::keep(problem, list, String::new()).await?,
    }
    Ok(())
}

/// Sends a test to a webhook and leads to its delivery.
#[server(prefix = "/console", endpoint = "test-webhook", output = Answer)]
pub(crate) async fn test_webhook(tenant: TenantId, id: SubscriptionId) -> Result<(), Problem> {
    use super::ssr;
    use crate::text::url;
    let cx = ssr::human(tenant).await?;
    match ssr::answer(governance::webhook::send_sample(&cx, id).await) {
        Ok(sample) => ssr::go(&url::delivery(tenant, sample.id)),
        Err(problem) => ssr::keep(problem, url::webhooks(tenant), String::new()).await?,
    }
    Ok(())
}
