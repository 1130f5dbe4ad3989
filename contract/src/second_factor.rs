//! Second factors of an account: passkeys, one-time codes and recovery codes.

use crate::{
    id::PasskeyId,
    json::Object,
    read::{ObjectReader, text},
    time::Timestamp,
};

/// The maximum number of passkeys of an account.
pub const PASSKEYS_MAX: usize = 20;

/// The number of recovery codes of a set.
pub const RECOVERY_CODES: usize = 10;

string_enum! {
    /// A second factor after the password.
    pub enum SecondFactorKind {
        /// A passkey.
        Passkey = "passkey",
        /// A one-time code of an authenticator app.
        Totp = "totp",
        /// A recovery code.
        RecoveryCode = "recovery_code",
    }
}

string_enum! {
    /// The use of a passkey.
    pub enum PasskeyPurpose {
        /// Signing in without a password.
        SignIn = "sign_in",
        /// The second factor after the password.
        SecondFactor = "second_factor",
        /// Confirming an action that signs.
        Confirm = "confirm",
    }
}

/// The second factors of the signed-in user.
#[wire(Eq)]
pub struct SecondFactors {
    /// The passkeys, oldest first.
    pub passkeys: Vec<Passkey>,
    /// The authenticator app; absent without one.
    pub totp: Option<Totp>,
    /// The number of unused recovery codes.
    pub recovery_codes_left: u32,
}

/// A passkey of the signed-in user.
#[wire(Eq)]
pub struct Passkey {
    /// The ID of the passkey.
    pub id: PasskeyId,
    /// The name that the user chose.
    pub name: String,
    /// Whether the passkey is backed up, for example by a password manager.
    pub is_backed_up: bool,
    /// Whether the passkey can sign in without the password. It can if it has verified its user, for example by a
    /// fingerprint or a PIN.
    pub can_sign_in: bool,
    /// The time at which the passkey was added.
    pub created_at: Timestamp,
    /// The time of the last use; absent for an unused passkey.
    pub last_used_at: Option<Timestamp>,
}

/// The authenticator app of the signed-in user.
#[wire(Eq)]
pub struct Totp {
    /// The time at which the app was added.
    pub created_at: Timestamp,
    /// The time of the last use; absent for an unused app.
    pub last_used_at: Option<Timestamp>,
}

/// The secret of an authenticator app, which takes effect when a code confirms it.
#[wire(derive_more::Debug, Eq)]
#[debug("TotpSetup {{ .. }}")]
pub struct TotpSetup {
    /// The secret in Base32: 32 characters.
    pub secret: String,
    /// The address that an app reads from a QR code: `otpauth://totp/…`.
    pub uri: String,
}

/// The body of `POST /v1/session/totp/confirm`.
#[body(derive_more::Debug)]
#[debug("TotpConfirmation {{ .. }}")]
pub struct TotpConfirmation {
    /// The current code of the app: 6 digits.
    #[json(with = text(1, 20))]
    pub code: String,
}

/// New recovery codes. They are shown only once.
#[wire(derive_more::Debug, Eq)]
#[debug("RecoveryCodes {{ .. }}")]
pub struct RecoveryCodes {
    /// The codes, each valid once. Empty if the account has codes already.
    pub recovery_codes: Vec<String>,
}

/// The body of `POST /v1/session/passkey-options`.
#[body(Copy, Eq)]
pub struct PasskeyOptionsRequest {
    /// The use of the passkey.
    pub purpose: PasskeyPurpose,
}

/// The options with which a browser creates or uses a passkey.
#[wire]
pub struct PasskeyOptions {
    /// `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` of `WebAuthn` Level 3. They
    /// are valid once, for five minutes.
    pub public_key: Object,
}

/// The body of `POST /v1/session/passkeys`.
#[body]
pub struct PasskeyDraft {
    /// The name of the passkey, 1 to 100 characters.
    #[json(with = text(1, 100))]
    pub name: String,
    /// The created credential: `RegistrationResponseJSON` of `WebAuthn` Level 3.
    pub credential: Object,
}

/// The body of `PATCH /v1/session/passkeys/{passkey_id}`.
#[body(Eq)]
#[json(nulls)]
pub struct PasskeyPatch {
    /// The new name, 1 to 100 characters.
    #[json(with = text(1, 100))]
    pub name: String,
}

/// An added passkey.
#[wire(derive_more::Debug, Eq)]
#[debug("PasskeyCreated {{ passkey: {passkey:?}, .. }}")]
pub struct PasskeyCreated {
    /// The passkey.
    pub passkey: Passkey,
    /// The recovery codes, which are shown only once. Empty if the account has codes already.
    pub recovery_codes: Vec<String>,
}

/// The body of `POST /v1/session/passkey`.
#[body]
pub struct PasskeySignIn {
    /// The used credential: `AuthenticationResponseJSON` of `WebAuthn` Level 3.
    pub credential: Object,
}

/// The body of `POST /v1/session/second-factor`: exactly one of `code` and `credential`.
#[body(derive_more::Debug)]
#[debug("SecondFactorRequest {{ .. }}")]
#[json(check = check_second_factor())]
pub struct SecondFactorRequest {
    /// The current code of the authenticator app (6 digits), or a recovery code.
    #[json(with = text(1, 50))]
    pub code: Option<String>,
    /// The used passkey: `AuthenticationResponseJSON` of `WebAuthn` Level 3.
    pub credential: Option<Object>,
}

/// Requires exactly one of `code` and `credential`.
fn check_second_factor(members: &mut ObjectReader<'_, '_>) {
    members.exactly_one_of(&["code", "credential"]);
}
