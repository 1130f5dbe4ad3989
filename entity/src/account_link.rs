//! One-time links for choosing a password.

use sea_orm::entity::prelude::*;

/// A link, identified by the digest of its token.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_links")]
pub struct Model {
    /// HMAC-SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    pub user_id: Uuid,
    /// `set_up` for the first password, `reset` for a new one.
    pub purpose: String,
    /// Whether the link was sent by mail to the address of the account, and therefore proves it.
    pub is_mailed: bool,
    pub created_at: DateTimeUtc,
    /// The first time at which the link is no longer valid.
    pub expires_at: DateTimeUtc,
}

table!();
