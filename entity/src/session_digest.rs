//! Sessions, found by the digest of their token.

use sea_orm::entity::prelude::*;

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_digests")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// Who is signed in.
    pub user_id: Option<Uuid>,
    /// What the session holds.
    pub data: Vec<u8>,
    /// From then on it is void.
    pub expires_at: DateTimeUtc,
}

table!();
