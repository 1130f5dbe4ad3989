//! Links with which a person chooses a password: stored under their digests, used once.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    id::{TenantId, UserId},
    session::User,
    time::Timestamp,
};
use entity::{account_link as table, column::at, user};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, JoinType, QueryFilter,
    QuerySelect, RelationDef,
};

use crate::{
    Governance,
    database::{delete_untenanted, untenanted},
    error::{Error, Result},
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

/// Stores a link and returns its address, which is not stored.
pub(crate) async fn insert(
    governance: &Governance,
    connection: &impl ConnectionTrait,
    now: Timestamp,
    link: NewLink,
) -> Result<String> {
    let token = URL_SAFE_NO_PAD.encode(governance.chance().bytes::<32>());
    let row = table::ActiveModel {
        digest: Set(digest(governance, &token)),
        user_id: Set(link.person.0),
        purpose: Set(link.purpose.as_str().to_owned()),
        is_mailed: Set(link.is_mailed),
        created_at: Set(at(now)),
        expires_at: Set(at(now.plus_millis(link.purpose.lifetime_ms()))),
    };
    table::Entity::insert(row).exec_without_returning(connection).await?;
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

/// The account of a link.
fn account() -> RelationDef {
    let account = table::Entity::belongs_to(user::Entity);
    account.from(table::Column::UserId).to(user::Column::UserId).into()
}

/// Returns the valid link with this digest.
pub(super) async fn find(
    governance: &Governance,
    digest: &[u8],
    now: Timestamp,
) -> Result<Option<Link>> {
    let found = untenanted::<table::Entity>()
        .filter(table::Column::Digest.eq(digest))
        .filter(table::Column::ExpiresAt.gt(at(now)))
        .join(JoinType::InnerJoin, account())
        .select_two_required(user::Entity);
    found.one(governance.database()).await?.map(|(row, user)| link(&row, user)).transpose()
}

fn link(row: &table::Model, user: user::Model) -> Result<Link> {
    let purposes = [Purpose::SetUp, Purpose::Reset];
    let purpose = purposes.into_iter().find(|purpose| purpose.as_str() == row.purpose);
    Ok(Link {
        made_by: user.setup_tenant_id.map(TenantId),
        confined_to: user.confined_tenant_id.map(TenantId),
        purpose: purpose.ok_or_else(|| Error::bug("a link for an unknown purpose"))?,
        is_mailed: row.is_mailed,
        has_password: user.password_hash.is_some(),
        user: super::user(user),
    })
}

/// Uses a link up. Of uses at the same time one returns true.
pub(super) async fn spend(
    connection: &impl ConnectionTrait,
    digest: Vec<u8>,
    now: Timestamp,
) -> Result<bool> {
    let link = delete_untenanted::<table::Entity>()
        .filter(table::Column::Digest.eq(digest))
        .filter(table::Column::ExpiresAt.gt(at(now)));
    Ok(link.exec(connection).await?.rows_affected > 0)
}

/// Deletes all links of an account.
pub(crate) async fn void(connection: &impl ConnectionTrait, person: UserId) -> Result<()> {
    let links = delete_untenanted::<table::Entity>();
    links.filter(table::Column::UserId.eq(person.0)).exec(connection).await?;
    Ok(())
}
