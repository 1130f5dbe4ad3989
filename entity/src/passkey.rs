//! Passkeys of accounts.

use sea_orm::entity::prelude::*;

/// A credential of `WebAuthn`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "passkeys")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub passkey_id: Uuid,
    pub user_id: Uuid,
    /// The ID of the credential, chosen by the authenticator.
    pub credential_id: Vec<u8>,
    /// `COSE_Key` in CBOR.
    pub public_key: Vec<u8>,
    /// The last signature counter; 0 for authenticators without one.
    pub sign_count: i64,
    pub name: String,
    /// Whether the passkey can sign in alone.
    pub verifies_user: bool,
    pub is_backed_up: bool,
    /// The transports that the browser reported, such as `internal`.
    pub transports: Vec<String>,
    pub created_at: DateTimeUtc,
    pub last_used_at: Option<DateTimeUtc>,
}

table!();
