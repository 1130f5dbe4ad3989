//! People. They belong to no tenant of their own; `member` says where they act.

use sea_orm::entity::prelude::*;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The address to sign in with, in lower case.
    pub email: String,
    /// The name to show.
    pub display_name: String,
    /// argon2id, in PHC form; absent until the person has set one.
    pub password_hash: Option<String>,
    /// Sessions from before are void.
    pub password_changed_at: Option<DateTimeUtc>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// Digest of the token of the link to choose a first password with.
    pub setup_digest: Option<Vec<u8>>,
    /// The first instant at which that link is no longer good.
    pub setup_expires_at: Option<DateTimeUtc>,
    /// The tenant in which the person was made.
    pub setup_tenant_id: Option<Uuid>,
}

table!();
