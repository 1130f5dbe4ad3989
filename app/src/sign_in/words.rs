//! Texts of `/login`.

pub(crate) const TITLE: &str = "Sign in";
pub(crate) const INTRO: &str = "To the decisions and policies of your organization.";
pub(crate) const CLAIM: &str = "Every decision with its reason, every reason with its proof.";
pub(crate) const LINKS: &str = "Public pages";
pub(crate) const EMAIL: &str = "Email";
pub(crate) const PASSWORD: &str = "Password";
pub(crate) const SIGN_IN: &str = "Sign in";
pub(crate) const SIGNING: &str = "Signing a policy asks you to confirm your identity again.";
pub(crate) const FORGOT: &str = "Forgot password?";
pub(crate) const WRONG: &str = "Incorrect email or password.";
pub(crate) const OR_PASSWORD: &str = "Or sign in with a password:";
pub(crate) const SIGNED_OUT: &str = "Signed out";
pub(crate) const SIGNED_OUT_HERE: &str =
    "You are signed out of Govern. You may still be signed in at your identity provider.";
pub(crate) const SIGN_OUT_AT_PROVIDER: &str = "Sign out at the identity provider";

pub(crate) fn sign_in_with(provider: &str) -> String {
    format!("Sign in with {provider}")
}

/// Returns why a sign-in with an identity provider or a passkey was rejected, or why a sign-in ended; `None` for an unknown
/// reason.
pub(crate) fn rejection(reason: &str) -> Option<&'static str> {
    Some(match reason {
        "passkey" => {
            "The passkey was not accepted. Sign in with your password, or try another passkey."
        }
        "expired" => "The sign-in took too long. Start it again.",
        "unknown" => {
            "This sign-in is not available. Ask an admin of your organization for the address."
        }
        "not_started" => {
            "This sign-in took too long, was used already, or another browser started it. Start it again."
        }
        "not_fresh" => {
            "The identity provider did not ask you to sign in again. Sign out, then sign in again."
        }
        "refused" => "The identity provider did not sign you in. Try again.",
        "unavailable" => {
            "The identity provider is not available. Try again later, or sign in with a password."
        }
        "invalid" => {
            "The response of the identity provider is not valid. Try again. If it happens again, report it to \
             an admin."
        }
        "unverified" => {
            "The identity provider does not confirm your email address. Verify the address there, then try again."
        }
        "domain" => "Email addresses of your domain cannot sign in with this identity provider.",
        "no_role" => {
            "The identity provider gives you no role in this organization. Ask an admin for access."
        }
        "roles_omitted" => {
            "The identity provider left out your groups, because there are too many. Ask an admin to limit the groups \
             that it sends, or to add you as a member first."
        }
        "removed" => {
            "You are no longer a member of this organization. Ask an admin for an invitation."
        }
        "invited" => {
            "Your address already has an account. Sign in with its password and accept the invitation first."
        }
        _ => return None,
    })
}
