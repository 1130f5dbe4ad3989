//! The networks from which a person has signed in.

use contract::id::UserId;
use sea_orm::ConnectionTrait;

use super::Client;
use crate::{
    cx::Cx,
    error::Result,
    mail::{self, Notice},
    tenancy::{TenantTx, instant, statement},
};

/// How many networks of a person are stored; those that were not used for the longest time are deleted.
const STORED: i64 = 50;

const KNOWN: &str = "SELECT network = $2 FROM sign_in_networks WHERE user_id = $1";

const NOTE: &str = "INSERT INTO sign_in_networks (user_id, network, seen_at) VALUES ($1, $2, $3) \
     ON CONFLICT (user_id, network) DO UPDATE SET seen_at = $3";

const FORGET: &str = "DELETE FROM sign_in_networks WHERE user_id = $1 AND network NOT IN \
     (SELECT network FROM sign_in_networks WHERE user_id = $1 \
      ORDER BY seen_at DESC, network LIMIT $2)";

/// Stores the network of a sign-in, and mails a notice when the person has signed in before, but never from it.
pub(super) async fn note(tx: &TenantTx, cx: &Cx, user: UserId, client: &Client) -> Result<()> {
    let Some(network) = client.network() else { return Ok(()) };
    let digest = cx.governance.pepper().digest("sign-in-network", network.as_bytes()).to_vec();
    let known = statement(KNOWN, [user.0.into(), digest.clone().into()]);
    let rows = tx.connection().query_all_raw(known).await?;
    let mut is_known = false;
    for row in &rows {
        is_known |= row.try_get_by_index::<bool>(0)?;
    }
    let note = statement(NOTE, [user.0.into(), digest.into(), instant(cx.now)]);
    tx.connection().execute_raw(note).await?;
    tx.connection().execute_raw(statement(FORGET, [user.0.into(), STORED.into()])).await?;
    if !rows.is_empty() && !is_known {
        let user_agent = client.user_agent.clone();
        let notice = Notice::SignIn { at: cx.now, network, user_agent };
        mail::notify(&cx.governance, tx.connection(), cx.now, user, notice).await?;
    }
    Ok(())
}
