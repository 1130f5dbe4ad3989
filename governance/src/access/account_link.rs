//! One-time links to choose a password. Only their digests are stored.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::session::User;
use entity::{account_link as table, user};

use crate::base::prelude::*;

contract::named_enum! {
    pub(crate) enum Purpose {
        /// The first password of an account.
        SetUp = "set_up",
        /// A new password for a user who has forgotten the current one.
        Reset = "reset",
    }
}

impl Purpose {
    /// Returns the validity of a link in milliseconds: a week, or an hour for a reset.
    const fn lifetime_ms(self) -> i64 {
        const HOUR_MS: i64 = 60 * 60 * 1_000;
        match self {
            Self::SetUp => 7 * 24 * HOUR_MS,
            Self::Reset => HOUR_MS,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NewLink {
    pub(crate) person: UserId,
    pub(crate) purpose: Purpose,
    /// Whether only the account's address receives the link. Using it then proves the address.
    pub(crate) is_mailed: bool,
}

/// Stores the digest of a new link and returns its URL.
pub(crate) async fn insert(
    governance: &Governance,
    connection: &impl ConnectionTrait,
    now: Timestamp,
    link: NewLink,
) -> Result<String> {
    let token = URL_SAFE_NO_PAD.encode(governance.entropy().bytes::<32>());
    let row = table::ActiveModel {
        digest: Set(digest(governance, &token)),
        user_id: Set(link.person.0),
        purpose: Set(link.purpose.as_str().to_owned()),
        is_mailed: Set(link.is_mailed),
        created_at: Set(to_column(now)),
        expires_at: Set(to_column(now.plus_millis(link.purpose.lifetime_ms()))),
    };
    table::Entity::insert(row).exec_without_returning(connection).await?;
    Ok(governance.link(&format!("/setup?token={token}")))
}

/// Returns the digest of a token. It is useless without the service's secret key.
pub(crate) fn digest(governance: &Governance, token: &str) -> Vec<u8> {
    governance.pepper().digest("setup", token.as_bytes()).to_vec()
}

#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) user: User,
    /// The tenant that created the account.
    pub(crate) created_by: Option<TenantId>,
    pub(crate) confined_to: Option<TenantId>,
    pub(crate) purpose: Purpose,
    pub(crate) is_mailed: bool,
    pub(crate) has_password: bool,
}

fn account() -> RelationDef {
    let account = table::Entity::belongs_to(user::Entity);
    account.from(table::Column::UserId).to(user::Column::UserId).into()
}

/// Returns the valid link with this digest.
pub(crate) async fn find(
    governance: &Governance,
    digest: &[u8],
    now: Timestamp,
) -> Result<Option<Link>> {
    let links = untenanted::<table::Entity>()
        .filter(table::Column::Digest.eq(digest))
        .filter(table::Column::ExpiresAt.gt(to_column(now)))
        .join(JoinType::InnerJoin, account())
        .select_two_required(user::Entity);
    links.one(governance.database()).await?.map(|(row, user)| to_link(&row, user)).transpose()
}

fn to_link(row: &table::Model, user: user::Model) -> Result<Link> {
    let purposes = [Purpose::SetUp, Purpose::Reset];
    let purpose = purposes.into_iter().find(|purpose| purpose.as_str() == row.purpose);
    Ok(Link {
        created_by: user.setup_tenant_id.map(TenantId),
        confined_to: user.confined_tenant_id.map(TenantId),
        purpose: purpose.or_bug("a link for an unknown purpose")?,
        is_mailed: row.is_mailed,
        has_password: user.password_hash.is_some(),
        user: user.into(),
    })
}

/// Consumes a link. Of concurrent calls, only one returns true.
pub(crate) async fn consume(
    connection: &impl ConnectionTrait,
    digest: Vec<u8>,
    now: Timestamp,
) -> Result<bool> {
    let link = delete_untenanted::<table::Entity>()
        .filter(table::Column::Digest.eq(digest))
        .filter(table::Column::ExpiresAt.gt(to_column(now)));
    Ok(link.exec(connection).await?.rows_affected > 0)
}

pub(crate) async fn revoke_all(connection: &impl ConnectionTrait, person: UserId) -> Result<()> {
    let links = delete_untenanted::<table::Entity>();
    links.filter(table::Column::UserId.eq(person.0)).exec(connection).await?;
    Ok(())
}
