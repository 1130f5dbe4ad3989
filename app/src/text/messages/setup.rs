//! Texts of `/setup`.

#[cfg(feature = "ssr")]
pub(crate) const TITLE: &str = "Choose a password";
#[cfg(feature = "ssr")]
pub(crate) const SAYS: &str = "You sign in with your e-mail address and the password that you choose here. All sessions of the account end.";
#[cfg(feature = "ssr")]
pub(crate) const PASSWORD: &str = "Password";
#[cfg(feature = "ssr")]
pub(crate) const HINT: &str = "12 to 256 characters, and none that anybody would guess.";
#[cfg(feature = "ssr")]
pub(crate) const SET: &str = "Set the password";
#[cfg(feature = "ssr")]
pub(crate) const NO_LINK: &str = "This link was used, was replaced, or has run out. If you chose a password with it, sign in. If not, ask for a new one: on the sign-in page, or the person who gave it to you.";
#[cfg(feature = "ssr")]
pub(crate) const HAS_ACCOUNT: &str = "Your e-mail address has an account already. Sign in with it, and accept the invitation on your account page.";
#[cfg(feature = "ssr")]
pub(crate) const SIGN_IN: &str = "Go to the sign-in page";
pub(crate) const DONE: &str = "Your password is set. Sign in with it.";
