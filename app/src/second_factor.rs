//! Second factors of the signed-in user: passkeys, the authenticator app and recovery codes.

#[cfg(feature = "ssr")]
pub(crate) mod act;
#[cfg(feature = "ssr")]
pub(crate) mod authenticator;
#[cfg(feature = "ssr")]
pub(crate) mod codes;
#[cfg(feature = "ssr")]
pub(crate) mod load;
#[cfg(feature = "ssr")]
pub(crate) mod markup;
#[cfg(feature = "ssr")]
pub(crate) mod required;
#[cfg(feature = "ssr")]
pub(crate) mod section;
#[cfg(feature = "ssr")]
pub(crate) mod step;
pub(crate) mod view;
#[cfg(feature = "ssr")]
pub(crate) mod words;
