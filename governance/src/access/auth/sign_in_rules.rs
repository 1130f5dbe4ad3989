//! The sign-ins that the settings of a tenant accept.

use contract::settings::{AuthMethod, SignInPolicy};

use crate::{
    access::session::SignedIn,
    base::{
        error::{second_factor_required, sign_in_excluded},
        prelude::*,
    },
};

/// The settings `sign_in` and `second_factor_required` of a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SignInRules {
    pub(crate) policy: SignInPolicy,
    pub(crate) requires_second_factor: bool,
}

impl SignInRules {
    /// Reads the settings from the column `index` and the next one.
    pub(crate) fn read(row: &QueryResult, index: usize) -> Result<Self, DbErr> {
        let policy: TextEnum<SignInPolicy> = row.try_get_by_index(index)?;
        Ok(Self { policy: policy.0, requires_second_factor: row.try_get_by_index(index + 1)? })
    }

    /// Checks that a sign-in gives access to the tenant.
    ///
    /// # Errors
    /// `FORBIDDEN` for a sign-in that the tenant excludes; `SECOND_FACTOR_REQUIRED` for one without a second factor.
    pub(crate) fn check(self, method: AuthMethod) -> Result<()> {
        if !self.policy.permits(method) {
            return Err(sign_in_excluded().into());
        }
        if self.requires_second_factor && !method.has_second_factor() {
            return Err(second_factor_required().into());
        }
        Ok(())
    }

    /// Returns the time and the method of the last authentication of a session that the tenant accepts. A confirmation
    /// in a way that the tenant excludes does not count.
    pub(crate) fn confirmation(self, signed_in: &SignedIn) -> (Timestamp, AuthMethod) {
        let method = signed_in.method();
        match signed_in.confirmed_with {
            Some(with) if self.check(with).is_ok() => (signed_in.confirmed_at, with),
            Some(_) => (signed_in.signed_in_at, method),
            None => (signed_in.confirmed_at, method),
        }
    }
}
