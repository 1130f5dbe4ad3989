//! Sessions, identified by the digest of their token.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session_digests")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// Absent before sign-in.
    pub user_id: Option<Uuid>,
    pub data: Vec<u8>,
    pub expires_at: DateTimeUtc,
    /// The ID in the user's list of sessions. It is not secret and does not change with the token.
    pub session_id: Uuid,
    /// The generation of the password used to sign in.
    pub password_generation: i64,
    /// The time of the sign-in; absent for sessions without a user.
    pub signed_in_at: Option<DateTimeUtc>,
    /// The time of last use, to the minute.
    pub seen_at: Option<DateTimeUtc>,
    /// The network block of the sign-in.
    pub network: Option<String>,
    pub user_agent: Option<String>,
    /// The tenant of the identity provider that started the session, to which it is confined; absent for a password.
    pub confined_tenant_id: Option<Uuid>,
    /// The identity provider that started the session.
    pub provider_id: Option<Uuid>,
    /// The ID of the session at the identity provider, if it has one.
    pub provider_session: Option<String>,
}

table!();
