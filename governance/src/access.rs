//! Who may do what: accounts, sign-in, sessions, API keys, members and permissions.
//!
//! Every operation begins here. A caller presents a session or an API key (`auth`), and the result is a
//! [`Cx`]: one caller, one time, one correlation ID. A [`Permission`] names what a use case needs, and
//! [`Cx::tenant`] checks it and returns the `Tenant` without which no row can be read. So a use case that
//! forgets the check does not compile.
//!
//! Accounts belong to people and can be members of several tenants. An account begins with an invitation or
//! is created by the operator; whoever opens a mailed link proves its address. Before that, an account is
//! confined to the tenant that created it, so that an admin cannot prepare an account for somebody else. A
//! sign-in consists of the password or the identity provider of a tenant (`oidc`), and of a second factor if
//! the account has one. Sessions are rows; the cookie has a token of which only the digest is stored.
//!
//! - Secrets are never stored. Tokens and keys are stored as digests with a pepper, passwords as Argon2
//!   hashes, second factors encrypted.
//! - An unknown account and a wrong password are indistinguishable in answer and in time.
//! - Failed attempts are counted per account and per address (`attempts`), before the password is checked.
//! - A change of a password or a second factor ends all other sessions, in its transaction. A change of a role
//!   applies from the next request.
//! - Each action that signs needs a sign-in or a confirmation of the last 15 minutes.
//! - The last admin of a tenant cannot be removed.
//!
//! A key never has more rights than its scopes, and a key with a capability has no others. What a session or
//! key did is in the audit log of each tenant that it concerns, and a notice is mailed to the owner of the
//! account.
//!
//! [`Cx`]: crate::Cx
//! [`Cx::tenant`]: crate::Cx::tenant
//! [`Permission`]: permission::Permission

pub mod account;
pub(crate) mod account_link;
pub mod api_key;
pub mod attempts;
pub(crate) mod audit_logs;
pub(crate) mod auth;
pub(crate) mod authorization;
pub mod cli_login;
pub mod mail;
pub mod member;
pub(crate) mod membership;
pub mod oidc;
pub mod operator;
pub(crate) mod password;
pub mod permission;
pub(crate) mod removal;
pub mod second_factor;
pub mod session;
pub mod sign_in;
mod single_use;
pub(crate) mod time_zone;

/// The state of this layer.
#[derive(Debug)]
pub(crate) struct AccessState {
    pub(crate) authenticator: auth::Authenticator,
    pub(crate) attempts: attempts::Attempts,
    pub(crate) passwords: password::Hasher,
    pub(crate) providers: oidc::metadata::ProviderCache,
}

impl AccessState {
    pub(crate) fn new(shared: Option<Box<dyn attempts::SharedCounters>>) -> Self {
        Self {
            authenticator: auth::Authenticator::default(),
            attempts: attempts::Attempts::new(shared),
            passwords: password::Hasher::default(),
            providers: oidc::metadata::ProviderCache::default(),
        }
    }
}
