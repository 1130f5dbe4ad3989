//! Texts of `/login`.

pub(crate) const TITLE: &str = "Sign in";
pub(crate) const INTRO: &str = "To the decisions and policies of your organization.";
pub(crate) const CLAIM: &str = "Every decision with its reason, every reason with its proof.";
pub(crate) const LINKS: &str = "Public pages";
pub(crate) const EMAIL: &str = "Email";
pub(crate) const PASSWORD: &str = "Password";
pub(crate) const SIGN_IN: &str = "Sign in";
pub(crate) const SIGNING: &str = "Signing a policy asks for your password again.";
pub(crate) const FORGOT: &str = "Forgot password?";
pub(crate) const WRONG: &str = "Incorrect email or password.";
