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
    /// The id under which its owner finds it; it is no secret and does not change with the token.
    pub session_id: Uuid,
    /// The number of the password that it began with.
    pub password_generation: i64,
    /// When the person signed in; absent for sessions without a person.
    pub signed_in_at: Option<DateTimeUtc>,
    /// When it was last used, to the minute.
    pub seen_at: Option<DateTimeUtc>,
    /// The network block of the sign-in.
    pub network: Option<String>,
    /// The user agent of the sign-in.
    pub user_agent: Option<String>,
}

table!();
