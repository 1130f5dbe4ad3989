//! Passkeys of accounts.

use sea_orm::entity::prelude::*;

table! {
    /// A credential of `WebAuthn`.
    "passkeys" [passkey_id: Uuid] {
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
}
