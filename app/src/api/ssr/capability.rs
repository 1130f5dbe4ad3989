//! What the pages of authoring capabilities are made of.

use contract::{
    id::{CapabilityId, TenantId},
    page::Page,
    scope::{Right, Role},
};
use governance::{
    Cx,
    capability::{self, Held},
    error::role_lacks,
    member,
};

use super::{answer, governance, kept, made, page_at};
use crate::{
    problem::Problem,
    text::{url, verdict::status, words},
    view::{
        capability::{GrantAct, GrantForm, GrantPage, GrantRow, GrantsPage, Offer, version_word},
        kept::Made,
        people::Names,
    },
};

/// One page of the list, newest first. `version` is the one that the form proposes.
pub(in crate::api) async fn list(
    cx: &Cx,
    tenant: TenantId,
    cursor: String,
    version: String,
) -> Result<GrantsPage, Problem> {
    let may_issue = may_issue(cx)?;
    let held = answer(capability::chains(cx, &page_at(cursor)).await)?;
    let names = answer(member::names(cx).await)?;
    let items = held.items.into_iter().filter_map(|held| row(held, &names)).collect();
    let page = url::grants(tenant);
    let offer = if may_issue { Some(offer(cx, &page, version).await?) } else { None };
    Ok(GrantsPage {
        tenant,
        rows: Page { items, next_cursor: held.next_cursor },
        offer,
        made: made(&page),
    })
}

/// One grant, and why `act` was refused.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: CapabilityId,
    act: GrantAct,
) -> Result<GrantPage, Problem> {
    let may_act = may_issue(cx)?;
    let held = answer(capability::chain(cx, id).await)?;
    let names = answer(member::names(cx).await)?;
    let row = row(held, &names).ok_or_else(Problem::missing)?;
    let refused = kept(&act.page(tenant, id)).await.map(|kept| kept.problem);
    Ok(GrantPage { tenant, row, may_act, refused })
}

/// Issues the grant that a form asks for, under the id that the form was given.
pub(in crate::api) async fn issue(
    cx: &Cx,
    id: CapabilityId,
    form: &GrantForm,
) -> Result<Made, Problem> {
    let issued = capability::issue_as(cx, id, form.draft()?).await;
    let issued = answer(issued)?;
    Ok(Made { name: issued.key.name, secret: issued.plaintext_key })
}

/// A form as it is kept for its page.
pub(in crate::api) fn typed(form: &GrantForm) -> String {
    serde_json::to_string(form).unwrap_or_default()
}

/// Whether the person may issue grants, or look at them at the least.
fn may_issue(cx: &Cx) -> Result<bool, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let may_issue = role.may(Right::Author);
    if may_issue || role.may(Right::Audit) {
        return Ok(may_issue);
    }
    answer(Err(role_lacks("looking after authoring grants", role.as_str()).into()))
}

async fn offer(cx: &Cx, page: &str, version: String) -> Result<Offer, Problem> {
    let open = answer(capability::open(cx).await)?.into_iter().map(|open| {
        let (code, name) = (&open.policy_code, &open.policy_name);
        let says = words::capability::open(code, open.version, status(open.status), name);
        (version_word(open.policy_id, open.version), says)
    });
    let refused = kept(page).await.map(|kept| {
        let form = serde_json::from_str(&kept.text).unwrap_or_default();
        (kept.problem, form)
    });
    Ok(Offer { next: governance().chance().id(), versions: open.collect(), version, refused })
}

fn row(held: Held, names: &Names) -> Option<GrantRow> {
    let row = GrantRow::new(held.grants, held.ended, names)?;
    Some(GrantRow { policy_named: held.policy, successor: held.successor, ..row })
}
