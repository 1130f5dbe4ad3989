//! Second factors: those that a form offers, and those of the account.

use contract::second_factor::{SecondFactorKind, SecondFactors, TotpSetup};
use serde::{Deserialize, Serialize};

use crate::flash::RejectedForm;

/// What a form needs a passkey for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PasskeyUse {
    /// Adding it to the account.
    Create,
    /// Signing in without a password.
    SignIn,
    /// The second factor after the password.
    SecondFactor,
    /// Confirming an action that signs.
    Confirm,
}

impl PasskeyUse {
    /// Returns the name on the wire.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::SignIn => "sign_in",
            Self::SecondFactor => "second_factor",
            Self::Confirm => "confirm",
        }
    }
}

/// The kinds of second factors that an account has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Factors {
    pub passkey: bool,
    /// An authenticator app.
    pub totp: bool,
    pub recovery_code: bool,
}

impl Factors {
    pub fn of(kinds: &[SecondFactorKind]) -> Self {
        let has = |kind| kinds.contains(&kind);
        Self {
            passkey: has(SecondFactorKind::Passkey),
            totp: has(SecondFactorKind::Totp),
            recovery_code: has(SecondFactorKind::RecoveryCode),
        }
    }

    /// Returns whether a form asks for a code: of the app, or a recovery code.
    pub const fn has_codes(self) -> bool {
        self.totp || self.recovery_code
    }
}

/// The factor that a form contained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedFactor {
    Passkey,
    /// A code of an authenticator app: digits only.
    Code,
    RecoveryCode,
}

impl UsedFactor {
    /// Returns the factor of a form with a code, or with a passkey if the code is empty.
    pub fn of(code: &str) -> Self {
        match code.trim() {
            "" => Self::Passkey,
            code if code.chars().all(|c| c.is_ascii_digit() || c == ' ') => Self::Code,
            _ => Self::RecoveryCode,
        }
    }

    /// Returns the text of a rejected form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Passkey => "passkey",
            Self::Code => "code",
            Self::RecoveryCode => "recovery_code",
        }
    }
}

/// The step of the sign-in after the password.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    pub factors: Factors,
    /// Why the last factor was rejected. The text is its [`UsedFactor`].
    pub rejected: Option<RejectedForm>,
}

/// The second factors on the account page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Security {
    pub factors: SecondFactors,
    /// Whether the address of the account is proven, so that the user can add factors.
    pub can_add: bool,
    /// The names of the tenants that the session cannot enter without a second factor.
    pub required_by: Vec<String>,
    /// Why the last change was rejected. The text is the entered name of a passkey.
    pub rejected: Option<RejectedForm>,
}

/// The page for a member of a tenant that requires a second factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Required {
    /// The name of the tenant.
    pub tenant: String,
    /// Whether the address of the account is proven, so that the user can add factors.
    pub can_add: bool,
    /// The address of this page.
    pub page: String,
    pub rejected: Option<RejectedForm>,
}

/// The page that sets up an authenticator app.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AuthenticatorSetup {
    /// The secret; absent if the set-up was not started in this browser or took too long.
    pub setup: Option<TotpSetup>,
    /// Why the last code was rejected.
    pub rejected: Option<RejectedForm>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_without_a_code_contains_a_passkey() {
        assert_eq!(UsedFactor::of(" "), UsedFactor::Passkey);
        assert_eq!(UsedFactor::of("123 456"), UsedFactor::Code);
        assert_eq!(UsedFactor::of("abcd-2345-abcd-2345"), UsedFactor::RecoveryCode);
    }

    #[test]
    fn an_account_with_only_passkeys_has_no_codes() {
        let factors = Factors::of(&[SecondFactorKind::Passkey]);
        assert!(factors.passkey && !factors.has_codes());
        assert!(Factors::of(&[SecondFactorKind::RecoveryCode]).has_codes());
    }
}
