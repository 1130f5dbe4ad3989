//! The networks from which a person has signed in.

use contract::id::UserId;
use entity::{
    column::at,
    sign_in_network::{self as table, Column},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::OnConflict,
};

use super::Client;
use crate::{
    cx::Cx,
    database::{delete_untenanted, untenanted},
    error::Result,
    mail::{self, Notice},
    tenancy::TenantTx,
};

/// How many networks of a person are stored; those that were not used for the longest time are deleted.
const STORED: u64 = 50;

/// Stores the network of a sign-in, and mails a notice when the person has signed in before, but never from it.
pub(super) async fn note(tx: &TenantTx, cx: &Cx, user: UserId, client: &Client) -> Result<()> {
    let Some(network) = client.network() else { return Ok(()) };
    let digest = cx.governance.pepper().digest("sign-in-network", network.as_bytes()).to_vec();
    let stored = untenanted::<table::Entity>()
        .select_only()
        .column(Column::Network)
        .filter(Column::UserId.eq(user.0));
    let known: Vec<Vec<u8>> = stored.clone().into_tuple().all(tx.connection()).await?;
    let is_new = !known.is_empty() && !known.contains(&digest);
    let row =
        table::ActiveModel { user_id: Set(user.0), network: Set(digest), seen_at: Set(at(cx.now)) };
    let mut again = OnConflict::columns([Column::UserId, Column::Network]);
    let note =
        table::Entity::insert(row).on_conflict(again.update_column(Column::SeenAt).to_owned());
    note.exec_without_returning(tx.connection()).await?;
    let newest = stored.order_by_desc(Column::SeenAt).order_by_asc(Column::Network).limit(STORED);
    delete_untenanted::<table::Entity>()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Network.not_in_subquery(newest.into_query()))
        .exec(tx.connection())
        .await?;
    if is_new {
        let user_agent = client.user_agent.clone();
        let notice = Notice::SignIn { at: cx.now, network, user_agent };
        mail::notify(&cx.governance, tx.connection(), cx.now, user, notice).await?;
    }
    Ok(())
}
