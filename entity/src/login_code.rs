//! One-time codes with which the command line gets an API key.

use contract::settings::AuthMethod;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

/// A code and the key that a user has allowed.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "login_codes")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// HMAC-SHA-256 of the code.
    #[sea_orm(primary_key, auto_increment = false)]
    pub digest: Vec<u8>,
    /// The user who allowed the key.
    pub user_id: Uuid,
    /// The session in which the user allowed the key.
    pub session_id: Uuid,
    /// The way the user signed in.
    pub auth_method: TextEnum<AuthMethod>,
    /// SHA-256 of the verifier of the program.
    pub challenge: Vec<u8>,
    /// The port of the redirect; absent for a code that the user pastes.
    pub port: Option<i32>,
    pub key_name: String,
    pub key_scopes: Vec<String>,
    /// The time at which the key expires; absent if it does not expire.
    pub key_expires_at: Option<DateTimeUtc>,
    /// The time at which the code expires.
    pub expires_at: DateTimeUtc,
}

table!(TenantOwned);
