//! The content of the sign-in page and of the page that confirms an action.

use serde::{Deserialize, Serialize};

use crate::{flash::RejectedForm, frame::view::Person, second_factor::view::Factors};

/// The content of the sign-in page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LoginContent {
    /// Why the last sign-in with a password was rejected.
    pub(crate) rejected: Option<RejectedForm>,
    pub(crate) providers: Vec<ProviderLink>,
}

/// An identity provider on the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProviderLink {
    pub(crate) name: String,
    /// The address at which the sign-in starts.
    pub(crate) address: String,
}

/// The content of the page that confirms an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Confirmation {
    pub(crate) person: Person,
    /// The second factors of the account.
    pub(crate) factors: Factors,
    /// Why the last confirmation was rejected. The text is the used factor.
    pub(crate) rejected: Option<RejectedForm>,
    /// The identity provider that started the session; absent for a password.
    pub(crate) provider: Option<ProviderLink>,
}
