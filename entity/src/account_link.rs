//! The links with which a person chooses a password.

use sea_orm::entity::prelude::*;

/// A link, found by the digest of its token.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account_links")]
pub struct Model {
    /// HMAC-SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// The account.
    pub user_id: Uuid,
    /// `set_up` for the first password, `reset` for another one.
    pub purpose: String,
    /// Whether the link was mailed to the account's address, and so proves it.
    pub is_mailed: bool,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// The first instant at which it is no longer valid.
    pub expires_at: DateTimeUtc,
}

table!();
