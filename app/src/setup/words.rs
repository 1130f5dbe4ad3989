//! Texts of `/setup`.

#[cfg(feature = "ssr")]
pub(crate) const TITLE: &str = "Choose a password";
#[cfg(feature = "ssr")]
pub(crate) const HELP: &str = "You sign in with your email address and the password that you choose here. All sessions of the account end.";
#[cfg(feature = "ssr")]
pub(crate) const PASSWORD: &str = "Password";
#[cfg(feature = "ssr")]
pub(crate) const HINT: &str = "12 to 256 characters. Avoid common passwords.";
#[cfg(feature = "ssr")]
pub(crate) const SET_PASSWORD: &str = "Set the password";
#[cfg(feature = "ssr")]
pub(crate) const INVALID_LINK: &str = "This link has expired or was already used. Sign in, or request a new link on the sign-in page or from an admin.";
#[cfg(feature = "ssr")]
pub(crate) const HAS_ACCOUNT: &str = "Your email address already has an account. Sign in, and accept the invitation on your account page.";
#[cfg(feature = "ssr")]
pub(crate) const SIGN_IN: &str = "Go to the sign-in page";
pub(crate) const DONE: &str = "Your password is set. Sign in with it.";
