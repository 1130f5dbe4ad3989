//! What the pages of webhooks are made of.

use contract::{
    id::{SubscriptionId, TenantId},
    page::LIMIT_MAX,
    read,
    time::DAY_MS,
    webhook::WebhookSubscription,
};
use governance::{
    Cx, PageRequest,
    error::{Noun, not_found},
    permission, webhook,
};

use super::{
    answer, correlation_id, fields, form_text, go, governance, keep, keep_faults, keep_made, kept,
    kept_form, made, refuse,
};
use crate::{
    problem::Problem,
    text::url,
    view::{
        kept::{Made, RefusedForm},
        webhook::{WebhookForm, WebhookFormPage, WebhookRow, WebhooksPage},
    },
};

/// The list.
pub(in crate::api) async fn list(cx: &Cx, tenant: TenantId) -> Result<WebhooksPage, Problem> {
    let webhooks = all(cx).await?;
    let day = answer(webhook::counts_since(cx, cx.now.plus_millis(-DAY_MS)).await)?;
    let dead = answer(webhook::dead(cx).await)?;
    let page = url::webhooks(tenant);
    let rows = webhooks.into_iter().map(|webhook| {
        let counted = day.iter().find(|stats| stats.subscription_id == webhook.id);
        let dead = dead.get(&webhook.id).copied().unwrap_or_default();
        WebhookRow::new(webhook, counted.map(|stats| stats.counts).unwrap_or_default(), dead)
    });
    let rows: Vec<WebhookRow> = rows.collect();
    let made = made(&page).map(|made| {
        let own = rows.iter().find(|row| row.id.to_string() == made.name);
        Made { name: own.map_or(made.name, |row| row.url.clone()), secret: made.secret }
    });
    let refused = kept(&page).await.map(|kept| kept.problem);
    Ok(WebhooksPage { tenant, rows, made, refused })
}

/// All webhooks, newest first: there are never more than a page of them.
pub(super) async fn all(cx: &Cx) -> Result<Vec<WebhookSubscription>, Problem> {
    let whole = PageRequest { limit: LIMIT_MAX, cursor: None };
    Ok(answer(webhook::list(cx, &whole).await)?.items)
}

/// The form of a new webhook, as it was refused, or as the webhook `from` is.
pub(in crate::api) async fn form(
    cx: &Cx,
    tenant: TenantId,
    from: &str,
) -> Result<WebhookFormPage, Problem> {
    answer(cx.tenant(permission::KEEP_WEBHOOKS).map(drop))?;
    let (from, form) = if from.is_empty() {
        (None, WebhookForm::default())
    } else {
        let replaced = match from.parse() {
            Ok(id) => webhook::read(cx, id).await,
            Err(_) => Err(not_found(Noun::Subscription).into()),
        };
        let replaced = answer(replaced)?;
        (Some(replaced.id), WebhookForm::from(&replaced))
    };
    let (problem, refused) = kept_form(&form_page(tenant, from)).await;
    let RefusedForm { form, faults } =
        refused.unwrap_or_else(|| RefusedForm { form, faults: Vec::new() });
    Ok(WebhookFormPage { tenant, next: governance().chance().id(), from, form, problem, faults })
}

/// The page of the form.
pub(in crate::api) fn form_page(tenant: TenantId, from: Option<SubscriptionId>) -> String {
    from.map_or_else(|| url::new_webhook(tenant), |id| url::replace_webhook(tenant, id))
}

/// Makes the webhook that was typed on `page`, under the id that its form was given, and leads to the list,
/// which shows its secret this once.
pub(in crate::api) async fn create(
    cx: &Cx,
    tenant: TenantId,
    id: SubscriptionId,
    page: String,
    form: WebhookForm,
) -> Result<(), Problem> {
    let draft = match read::body(&form.draft()) {
        Ok(draft) => draft,
        Err(faults) => return keep_faults(page, form, faults).await,
    };
    let created = match webhook::create_as(cx, id, draft).await {
        Ok(created) => created,
        Err(error) => {
            return match fields(&error) {
                Some(faults) => keep_faults(page, form, faults).await,
                None => keep(refuse(&error), page, form_text(form, Vec::new())).await,
            };
        }
    };
    let list = url::webhooks(tenant);
    // An address may be longer than what browsers carry; the list knows it by the id.
    let name = created.subscription.id.to_string();
    keep_made(&Made { name, secret: created.secret }, &list);
    go(&list);
    Ok(())
}

/// How many deliveries were given up; none for whoever may not see them. What surrounds a page stands
/// without the number, should the store not tell it.
pub(in crate::api) async fn dead(cx: &Cx) -> u64 {
    if cx.tenant(permission::READ_DELIVERIES).is_err() {
        return 0;
    }
    match webhook::dead(cx).await {
        Ok(dead) => dead.values().sum(),
        Err(error) => {
            let correlation_id = correlation_id();
            tracing::error!(%correlation_id, %error, "dead deliveries could not be counted");
            0
        }
    }
}
