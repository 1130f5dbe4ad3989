//! The networks from which a user has signed in.

use entity::sign_in_network::{self as table, Column};
use sea_orm::sea_query::OnConflict;

use super::client::Client;
use crate::{
    access::mail::{self, Notice},
    base::prelude::*,
};

/// The maximum number of stored networks of a user. The least recently used ones are deleted.
const NETWORKS_MAX: u64 = 50;

/// Stores the network of a sign-in. Mails a notice if the network is new and the user has signed in
/// from another one before.
///
/// A sign-in that the identity provider of the tenant `provider` asserts makes the network known only for sign-ins of its tenant. Otherwise the admin
/// of one tenant could suppress the notice of a sign-in with the password, which all tenants share.
pub(super) async fn record(
    tx: &TenantTx,
    cx: &Cx,
    user: UserId,
    provider: Option<TenantId>,
    client: &Client,
) -> Result<()> {
    let Some(network) = client.network() else { return Ok(()) };
    let known_as = match provider {
        Some(tenant) => format!("{network} {tenant}"),
        None => network.clone(),
    };
    let digest = cx.governance.pepper().digest("sign-in-network", known_as.as_bytes()).to_vec();
    let stored = untenanted::<table::Entity>()
        .select_only()
        .column(Column::Network)
        .filter(Column::UserId.eq(user.0));
    let digests: Vec<Vec<u8>> = stored.clone().into_tuple().all(tx.connection()).await?;
    let is_new = !digests.is_empty() && !digests.contains(&digest);
    let row = table::ActiveModel {
        user_id: Set(user.0),
        network: Set(digest),
        seen_at: Set(to_column(cx.now)),
    };
    let mut on_conflict = OnConflict::columns([Column::UserId, Column::Network]);
    let insert = table::Entity::insert(row)
        .on_conflict(on_conflict.update_column(Column::SeenAt).to_owned());
    insert.exec_without_returning(tx.connection()).await?;
    let newest =
        stored.order_by_desc(Column::SeenAt).order_by_asc(Column::Network).limit(NETWORKS_MAX);
    delete_untenanted::<table::Entity>()
        .filter(Column::UserId.eq(user.0))
        .filter(Column::Network.not_in_subquery(newest.into_query()))
        .exec(tx.connection())
        .await?;
    if is_new {
        let user_agent = client.user_agent.clone();
        let notice = Notice::SignIn { at: cx.now, network, user_agent };
        mail::notify(tx, cx, user, notice).await?;
    }
    Ok(())
}
