//! Links with which a person chooses a password: stored under their digests, used once.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    id::{TenantId, UserId},
    session::User,
    time::Timestamp,
};
use sea_orm::{ConnectionTrait, QueryResult};
use uuid::Uuid;

use crate::{
    Governance,
    error::{Error, Result},
    tenancy::{instant, statement},
};

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The first password of an account.
    SetUp,
    /// Another password, for a person who has forgotten the present one.
    Reset,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::SetUp => "set_up",
            Self::Reset => "reset",
        }
    }

    /// How long a link is valid, in milliseconds: a week, or an hour for a reset.
    const fn lifetime_ms(self) -> i64 {
        const HOUR_MS: i64 = 60 * 60 * 1_000;
        match self {
            Self::SetUp => 7 * 24 * HOUR_MS,
            Self::Reset => HOUR_MS,
        }
    }
}

/// A link that is about to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewLink {
    pub(crate) person: UserId,
    pub(crate) purpose: Purpose,
    /// Whether it goes to the account's address and to nobody else. Its use then proves the address.
    pub(crate) is_mailed: bool,
}

const INSERT: &str = "INSERT INTO account_links (digest, user_id, purpose, is_mailed, created_at, \
     expires_at) VALUES ($1, $2, $3, $4, $5, $6)";

/// Stores a link and returns its address, which is not stored.
pub(crate) async fn insert(
    governance: &Governance,
    connection: &impl ConnectionTrait,
    now: Timestamp,
    link: NewLink,
) -> Result<String> {
    let token = URL_SAFE_NO_PAD.encode(governance.chance().bytes::<32>());
    let row = [
        digest(governance, &token).into(),
        link.person.0.into(),
        link.purpose.as_str().into(),
        link.is_mailed.into(),
        instant(now),
        instant(now.plus_millis(link.purpose.lifetime_ms())),
    ];
    connection.execute_raw(statement(INSERT, row)).await?;
    Ok(governance.link(&format!("/setup?token={token}")))
}

/// Returns what is stored of a token: without the server's secret it opens nothing.
pub(super) fn digest(governance: &Governance, token: &str) -> Vec<u8> {
    governance.pepper().digest("setup", token.as_bytes()).to_vec()
}

/// A link that is valid, and the account that it opens.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) user: User,
    /// The tenant that made the account.
    pub(super) made_by: Option<TenantId>,
    /// The tenant that the account is confined to.
    pub(super) confined_to: Option<TenantId>,
    pub(super) purpose: Purpose,
    pub(super) is_mailed: bool,
    pub(super) has_password: bool,
}

const FIND: &str = "SELECT u.user_id, u.email, u.display_name, u.setup_tenant_id, \
     u.confined_tenant_id, l.purpose, l.is_mailed, u.password_hash IS NOT NULL \
     FROM account_links l JOIN users u ON u.user_id = l.user_id \
     WHERE l.digest = $1 AND l.expires_at > $2";

/// Returns the valid link with this digest.
pub(super) async fn find(
    governance: &Governance,
    digest: &[u8],
    now: Timestamp,
) -> Result<Option<Link>> {
    let find = statement(FIND, [digest.to_vec().into(), instant(now)]);
    governance.database().query_one_raw(find).await?.as_ref().map(link).transpose()
}

fn link(row: &QueryResult) -> Result<Link> {
    let purpose: String = row.try_get_by_index(5)?;
    let purpose = [Purpose::SetUp, Purpose::Reset].into_iter().find(|one| one.as_str() == purpose);
    let tenant =
        |index| -> Result<_> { Ok(row.try_get_by_index::<Option<Uuid>>(index)?.map(TenantId)) };
    Ok(Link {
        user: super::user(row)?,
        made_by: tenant(3)?,
        confined_to: tenant(4)?,
        purpose: purpose.ok_or_else(|| Error::bug("a link for an unknown purpose"))?,
        is_mailed: row.try_get_by_index(6)?,
        has_password: row.try_get_by_index(7)?,
    })
}

const USE: &str =
    "DELETE FROM account_links WHERE digest = $1 AND expires_at > $2 RETURNING user_id";

/// Uses a link up. Of uses at the same time one returns true.
pub(super) async fn spend(
    connection: &impl ConnectionTrait,
    digest: Vec<u8>,
    now: Timestamp,
) -> Result<bool> {
    let spend = statement(USE, [digest.into(), instant(now)]);
    Ok(connection.query_one_raw(spend).await?.is_some())
}

const VOID: &str = "DELETE FROM account_links WHERE user_id = $1";

/// Deletes all links of an account.
pub(crate) async fn void(connection: &impl ConnectionTrait, person: UserId) -> Result<()> {
    connection.execute_raw(statement(VOID, [person.0.into()])).await?;
    Ok(())
}
