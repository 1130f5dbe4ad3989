//! Data of the webhook pages.

use contract::{
    id::{SubscriptionId, TenantId},
    pagination::LIMIT_MAX,
    read,
    time::DAY_MS,
    webhook::WebhookSubscription,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    base::error::{ResourceKind, not_found},
    notify::webhook,
};

use super::view::{WebhookForm, WebhookFormPage, WebhookRow, WebhooksPage};
use crate::{
    flash::{FormWithErrors, OneTimeSecret},
    problem::Problem,
    request::{
        fields, form_text, governance, into_problem, redirect, set_created, set_errors,
        set_rejected, take_created, take_form, take_rejected, to_problem,
    },
    text::url,
};

pub(crate) async fn list(cx: &Cx, tenant: TenantId) -> Result<WebhooksPage, Problem> {
    let webhooks = all(cx).await?;
    let day = into_problem(webhook::counts_since(cx, cx.now.plus_millis(-DAY_MS)).await)?;
    let dead = into_problem(webhook::dead_counts(cx).await)?;
    let page = url::webhooks(tenant);
    let rows = webhooks.into_iter().map(|webhook| {
        let counted = day.iter().find(|stats| stats.subscription_id == webhook.id);
        let dead = dead.get(&webhook.id).copied().unwrap_or_default();
        WebhookRow::new(webhook, counted.map(|stats| stats.counts).unwrap_or_default(), dead)
    });
    let rows: Vec<WebhookRow> = rows.collect();
    let secret = take_created(&page).map(|secret| {
        let own = rows.iter().find(|row| row.id.to_string() == secret.name);
        OneTimeSecret {
            name: own.map_or(secret.name, |row| row.url.clone()),
            secret: secret.secret,
        }
    });
    let refused = take_rejected(&page).await.map(|rejected| rejected.problem);
    Ok(WebhooksPage { tenant, rows, secret, refused })
}

/// Returns all webhooks, newest first. A tenant has at most one page of them.
pub(crate) async fn all(cx: &Cx) -> Result<Vec<WebhookSubscription>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    Ok(into_problem(webhook::list(cx, &page).await)?.items)
}

/// Returns the form of a new webhook: with the rejected input, or as a copy of the webhook `from`.
pub(crate) async fn form(
    cx: &Cx,
    tenant: TenantId,
    from: &str,
) -> Result<WebhookFormPage, Problem> {
    into_problem(cx.tenant(permission::MANAGE_WEBHOOKS).map(drop))?;
    let (from, form) = if from.is_empty() {
        (None, WebhookForm::default())
    } else {
        let replaced = match from.parse() {
            Ok(id) => webhook::read(cx, id).await,
            Err(_) => Err(not_found(ResourceKind::Subscription).into()),
        };
        let replaced = into_problem(replaced)?;
        (Some(replaced.id), WebhookForm::from(&replaced))
    };
    let (problem, refused) = take_form(&form_page(tenant, from)).await;
    let FormWithErrors { form, errors } =
        refused.unwrap_or_else(|| FormWithErrors { form, errors: Vec::new() });
    Ok(WebhookFormPage { tenant, next: governance().entropy().id(), from, form, problem, errors })
}

pub(crate) fn form_page(tenant: TenantId, from: Option<SubscriptionId>) -> String {
    from.map_or_else(|| url::new_webhook(tenant), |id| url::replace_webhook(tenant, id))
}

/// Creates the webhook entered on `page`, under the ID from its form, and redirects to the list, which shows
/// its secret once.
pub(crate) async fn create(
    cx: &Cx,
    tenant: TenantId,
    id: SubscriptionId,
    page: String,
    form: WebhookForm,
) -> Result<(), Problem> {
    let draft = match read::body(&form.draft()) {
        Ok(draft) => draft,
        Err(errors) => return set_errors(page, form, errors).await,
    };
    let created = match webhook::create_as(cx, id, draft).await {
        Ok(created) => created,
        Err(error) => {
            return match fields(&error) {
                Some(errors) => set_errors(page, form, errors).await,
                None => set_rejected(to_problem(&error), page, form_text(form, Vec::new())).await,
            };
        }
    };
    let list = url::webhooks(tenant);
    // The URL may be longer than a cookie can be. The list finds it by the ID.
    let name = created.subscription.id.to_string();
    set_created(&OneTimeSecret { name, secret: created.secret }, &list);
    redirect(&list);
    Ok(())
}
