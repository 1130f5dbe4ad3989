//! Texts of `/t/{tenant}/settings/identity-providers` and of its form.

use contract::{identity_provider::IdentityProviderTest, text::isolated};

use crate::text::number::count;

pub(crate) const TITLE: &str = "Identity providers";
pub(crate) const INTRO: &str =
    "Members sign in with the identity provider of your company, by OpenID Connect.";
pub(crate) const ADDRESS: &str = "Sign-in address for your colleagues";
pub(crate) const HEAD: [&str; 4] = ["Provider", "Roles", "Status", "Action"];
pub(crate) const EMPTY: &str = "No identity providers yet";
pub(crate) const EMPTY_NEXT: &str = "Add one to let members sign in without a password.";
pub(crate) const NEW: &str = "New identity provider";
pub(crate) const ENABLED: &str = "Enabled";
pub(crate) const DISABLED: &str = "Disabled";
pub(crate) const MEMBERS_ONLY: &str = "Existing members only";
pub(crate) const TEST: &str = "Test";
pub(crate) const EDIT: &str = "Edit";
pub(crate) const SAVE: &str = "Save changes";
pub(crate) const ENABLE: &str = "Enable";
pub(crate) const DISABLE: &str = "Disable";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const DELETE_HELP: &str =
    "Sessions that it started end. Accounts and memberships remain. This cannot be undone.";
pub(crate) const REGISTER: &str = "Addresses to register";
pub(crate) const REDIRECT_URI: &str = "Redirect URI";
pub(crate) const POST_LOGOUT_URI: &str = "Post-logout redirect URI";
pub(crate) const BACKCHANNEL_URI: &str = "Back-channel logout URI";
pub(crate) const NAME: &str = "Name on the button";
pub(crate) const NAME_HINT: &str = "Members see “Sign in with” and this name.";
pub(crate) const ISSUER: &str = "Issuer";
pub(crate) const ISSUER_HINT: &str =
    "https:// and exactly as the provider announces it. It cannot be changed later.";
pub(crate) const CLIENT_ID: &str = "Client ID";
pub(crate) const CLIENT_ID_HINT: &str = "The ID of Govern at the provider.";
pub(crate) const SECRET: &str = "Client secret (optional)";
pub(crate) const SECRET_HINT: &str = "It is stored encrypted and not shown again.";
pub(crate) const STORED_SECRET: &str = "New client secret (optional)";
pub(crate) const STORED_SECRET_HINT: &str = "A secret is stored. If empty, it stays.";
pub(crate) const REMOVE_SECRET: &str = "Remove the stored client secret";
pub(crate) const FIXED_ISSUER_HINT: &str = "It identifies the accounts, so it cannot be changed.";
pub(crate) const SCOPES: &str = "Additional scopes (optional)";
pub(crate) const SCOPES_HINT: &str = "One per line. If empty: email and profile.";
pub(crate) const DOMAINS: &str = "Email domains (optional)";
pub(crate) const DOMAINS_HINT: &str =
    "One per line. Only addresses of these domains can sign in. If empty, all can.";
pub(crate) const TRUSTS_DOMAINS: &str =
    "Trust addresses of these domains if the provider does not say that they are verified";
pub(crate) const ROLE_CLAIM: &str = "Role claim (optional)";
pub(crate) const ROLE_CLAIM_HINT: &str =
    "For example groups. If empty, you manage roles in Govern.";
pub(crate) const ROLES: &str = "Roles of the values (optional)";
pub(crate) const ROLES_HINT: &str =
    "One per line, for example: risk-officers = ratifier. The first match applies.";
pub(crate) const DEFAULT_ROLE: &str = "Role without a match";
pub(crate) const NO_ROLE: &str = "None: refuse the sign-in";
pub(crate) const CREATE: &str = "Create the identity provider";

pub(crate) const FIELDS: [(&str, &str); 9] = [
    ("name", NAME),
    ("issuer", ISSUER),
    ("client_id", CLIENT_ID),
    ("client_secret", SECRET),
    ("scopes", SCOPES),
    ("email_domains", DOMAINS),
    ("role_claim", ROLE_CLAIM),
    ("role_mapping", ROLES),
    ("default_role", DEFAULT_ROLE),
];

pub(crate) fn act(word: &str, name: &str) -> String {
    format!("{word}: {}", isolated(name))
}

pub(crate) fn default_role(role: &str) -> String {
    format!("otherwise {role}")
}

/// Returns the result of a test as a sentence.
pub(crate) fn test_result(name: &str, test: &IdentityProviderTest) -> String {
    let name = isolated(name);
    if let Some(problem) = &test.problem {
        return format!("{name} cannot sign anyone in: {problem}.");
    }
    let keys = count(test.signing_keys as usize, "signing key", "signing keys");
    format!("{name} is reachable and publishes {keys}.")
}
