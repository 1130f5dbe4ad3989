//! Identity providers: a row of the list, and the form that creates or changes one.

use contract::{
    error::FieldError,
    id::{IdentityProviderId, TenantId},
    identity_provider::{IdentityProvider, IdentityProviderTest},
    json::{Object, Value},
};
use serde::{Deserialize, Serialize};

use super::words;
use crate::{problem::Problem, text::lines};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderRow {
    pub id: IdentityProviderId,
    pub name: String,
    pub issuer: String,
    /// The roles that the provider gives, as a sentence.
    pub roles: String,
    pub is_enabled: bool,
    /// The addresses to register at the provider, with their labels.
    pub addresses: Vec<(String, String)>,
}

impl From<IdentityProvider> for ProviderRow {
    fn from(provider: IdentityProvider) -> Self {
        let mapped = provider.role_mapping.iter();
        let mapped = mapped.map(|entry| format!("{}: {}", entry.value, entry.role));
        let default = provider.default_role.map(|role| words::default_role(role.as_str()));
        let roles: Vec<String> = mapped.chain(default).collect();
        let address = |label: &str, uri: String| (label.to_owned(), uri);
        Self {
            id: provider.id,
            name: provider.name,
            issuer: provider.issuer,
            roles: if roles.is_empty() { words::MEMBERS_ONLY.to_owned() } else { roles.join(", ") },
            is_enabled: provider.is_enabled,
            addresses: vec![
                address(words::REDIRECT_URI, provider.redirect_uri),
                address(words::POST_LOGOUT_URI, provider.post_logout_redirect_uri),
                address(words::BACKCHANNEL_URI, provider.backchannel_logout_uri),
            ],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProvidersPage {
    pub tenant: TenantId,
    /// All providers, newest first.
    pub rows: Vec<ProviderRow>,
    /// The URL of the sign-in page of the tenant.
    pub sign_in: String,
    /// The name of the tested provider and the result of its test.
    pub test: Option<(String, IdentityProviderTest)>,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProviderFormPage {
    pub tenant: TenantId,
    /// The provider that the form changes; absent for a new one.
    pub stored: Option<StoredProvider>,
    pub form: ProviderForm,
    /// Why the form was rejected, unless there are field errors.
    pub problem: Option<Problem>,
    pub errors: Vec<FieldError>,
}

/// The parts of a provider that its form shows and does not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredProvider {
    pub id: IdentityProviderId,
    pub name: String,
    pub issuer: String,
    /// Whether a client secret is stored.
    pub has_secret: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProviderForm {
    pub name: String,
    /// The issuer of a new provider.
    pub issuer: String,
    pub client_id: String,
    /// The new client secret; empty for none, or for the stored one.
    pub client_secret: String,
    /// Whether a change removes the stored client secret.
    pub removes_secret: bool,
    /// The additional scopes, one per line; empty for the default.
    pub scopes: String,
    /// The domains of email addresses, one per line.
    pub domains: String,
    pub trusts_domains: bool,
    pub role_claim: String,
    /// The roles of the values of the claim, one per line: `value = role`.
    pub roles: String,
    pub default_role: String,
}

/// The additional scopes of a provider whose form names none, one per line.
const DEFAULT_SCOPES: &str = "email\nprofile";

impl From<IdentityProvider> for ProviderForm {
    fn from(provider: IdentityProvider) -> Self {
        let roles = provider.role_mapping.iter();
        let roles: Vec<String> =
            roles.map(|entry| format!("{} = {}", entry.value, entry.role)).collect();
        Self {
            name: provider.name,
            issuer: provider.issuer,
            client_id: provider.client_id,
            client_secret: String::new(),
            removes_secret: false,
            scopes: provider.scopes.join("\n"),
            domains: provider.email_domains.join("\n"),
            trusts_domains: provider.trusts_email_domains,
            role_claim: provider.role_claim.unwrap_or_default(),
            roles: roles.join("\n"),
            default_role: provider.default_role.map(|role| role.to_string()).unwrap_or_default(),
        }
    }
}

impl ProviderForm {
    /// Returns the form without the entered secret, which is not stored for a rejected form.
    pub fn without_secret(self) -> Self {
        Self { client_secret: String::new(), ..self }
    }

    /// Returns the members that a draft and a patch share.
    fn members(&self) -> Object {
        let mapping = lines(&self.roles).map(|line| {
            let (value, role) = line.rsplit_once('=').unwrap_or((line, ""));
            let entry = [("value", value.trim().into()), ("role", role.trim().into())];
            Value::from(Object::from(entry))
        });
        let mapping: Value = mapping.collect();
        Object::from([
            ("name", self.name.trim().into()),
            ("client_id", self.client_id.trim().into()),
            ("email_domains", lines(&self.domains).collect()),
            ("trusts_email_domains", self.trusts_domains.into()),
            ("role_mapping", mapping),
        ])
    }

    /// Returns the body that changes the provider. An empty client secret keeps the stored one.
    pub fn patch(&self) -> Value {
        let mut body = self.members();
        let text_or_null = |text: &str| match text.trim() {
            "" => Value::Null,
            text => text.into(),
        };
        body.insert("role_claim", text_or_null(&self.role_claim));
        body.insert("default_role", text_or_null(&self.default_role));
        if !self.client_secret.trim().is_empty() {
            body.insert("client_secret", self.client_secret.trim());
        } else if self.removes_secret {
            body.insert("client_secret", Value::Null);
        }
        let scopes = if self.scopes.trim().is_empty() { DEFAULT_SCOPES } else { &self.scopes };
        body.insert("scopes", lines(scopes).collect::<Value>());
        body.into()
    }

    /// Returns the body that creates the provider.
    pub fn draft(&self) -> Value {
        let mut body = self.members();
        body.insert("issuer", self.issuer.trim());
        let optional = [
            ("client_secret", &self.client_secret),
            ("role_claim", &self.role_claim),
            ("default_role", &self.default_role),
        ];
        for (name, value) in optional.into_iter().filter(|(_, value)| !value.trim().is_empty()) {
            body.insert(name, value.trim());
        }
        if !self.scopes.trim().is_empty() {
            body.insert("scopes", lines(&self.scopes).collect::<Value>());
        }
        body.into()
    }
}

#[cfg(test)]
mod tests {
    use contract::{
        identity_provider::{IdentityProviderDraft, IdentityProviderPatch},
        read::{self, FieldPatch},
        scope::Role,
    };

    use super::*;

    #[test]
    fn a_form_becomes_a_draft_with_the_entered_values() {
        let form = ProviderForm {
            name: " Acme ".into(),
            issuer: "https://login.acme.example".into(),
            client_id: "govern".into(),
            domains: "acme.example\r\n\r\n".into(),
            role_claim: "groups".into(),
            roles: "risk=officers = ratifier\r\nstaff=viewer".into(),
            ..ProviderForm::default()
        };
        let draft: IdentityProviderDraft = read::body(&form.draft()).unwrap();
        assert_eq!((&*draft.name, draft.client_secret, draft.scopes), ("Acme", None, None));
        assert_eq!(draft.email_domains.unwrap(), ["acme.example"]);
        let mapping = draft.role_mapping.unwrap();
        let mapping: Vec<_> = mapping.iter().map(|entry| (&*entry.value, entry.role)).collect();
        assert_eq!(mapping, [("risk=officers", Role::Ratifier), ("staff", Role::Viewer)]);
        let errors = read::body::<IdentityProviderDraft>(
            &ProviderForm { roles: "staff".into(), ..form }.draft(),
        );
        assert_eq!(errors.unwrap_err()[0].path, "/role_mapping/0/role");
    }

    #[test]
    fn a_changed_form_clears_empty_members_and_preserves_the_secret() {
        let form = ProviderForm {
            name: "Acme".into(),
            client_id: "govern".into(),
            ..ProviderForm::default()
        };
        let patch: IdentityProviderPatch = read::body(&form.patch()).unwrap();
        assert_eq!((patch.client_secret, patch.role_claim), (FieldPatch::Keep, FieldPatch::Clear));
        assert_eq!((patch.default_role, patch.is_enabled), (FieldPatch::Clear, None));
        assert_eq!(patch.scopes.unwrap(), ["email", "profile"]);
        let removed = ProviderForm { removes_secret: true, ..form.clone() };
        let patch: IdentityProviderPatch = read::body(&removed.patch()).unwrap();
        assert_eq!(patch.client_secret, FieldPatch::Clear);
        let replaced = ProviderForm { client_secret: "new".into(), ..removed };
        let patch: IdentityProviderPatch = read::body(&replaced.patch()).unwrap();
        assert_eq!(patch.client_secret, FieldPatch::Set("new".to_owned()));
    }
}
