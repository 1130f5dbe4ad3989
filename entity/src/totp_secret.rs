//! Secrets of authenticator apps, one per account.

use sea_orm::entity::prelude::*;

table! {
    "totp_secrets" [user_id: Uuid] {
        /// The encrypted secret.
        pub secret: Vec<u8>,
        /// The version of the key that encrypts the secret.
        pub secret_key: i32,
        /// The time step of the last accepted code.
        pub last_step: i64,
        pub created_at: DateTimeUtc,
        /// The time at which a code confirmed the secret; absent for a secret that has no effect yet.
        pub confirmed_at: Option<DateTimeUtc>,
        pub last_used_at: Option<DateTimeUtc>,
    }
}
