//! `/setup`

pub(crate) const TITLE: &str = "Choose a password";
pub(crate) const SAYS: &str = "You were given an account. You sign in with its e-mail address and the password that you choose here.";
pub(crate) const PASSWORD: &str = "Password";
pub(crate) const HINT: &str = "12 to 256 characters, and none that anybody would guess.";
pub(crate) const SET: &str = "Set the password";
pub(crate) const NO_LINK: &str = "This link was used, was replaced, or has run out. If you chose a password with it, sign in. If not, ask whoever gave it to you for a new one.";
pub(crate) const SIGN_IN: &str = "Go to the sign-in page";
pub(crate) const DONE: &str = "Your password is set. Sign in with it.";
