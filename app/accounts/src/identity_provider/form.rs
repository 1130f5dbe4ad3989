//! The form that creates or changes an identity provider.

use contract::identity_provider::IdentityProvider;
use governance::{authoring::identity_provider, base::error::invalid};
use kit::flash::FormWithErrors;
use page_kit::prelude::*;

use super::{NEW, TITLE, label};

/// The labels of the fields by member.
const LABELS: [(&str, &str); 9] = [
    ("name", "Name on the button"),
    ("issuer", "Issuer"),
    ("client_id", "Client ID"),
    ("client_secret", "Client secret (optional)"),
    ("scopes", "Additional scopes (optional)"),
    ("email_domains", "Email domains (optional)"),
    ("role_claim", "Role claim (optional)"),
    ("role_mapping", "Roles of the values (optional)"),
    ("default_role", "Role without a match"),
];

/// `/t/{tenant}/settings/identity-providers/new`
pub async fn new_provider() -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::READ_IDENTITY_PROVIDERS)?;
    let rejected = request::take_form(&url::new_identity_provider(tenant)).await;
    Ok(form_page(tenant, None, rejected))
}

/// `/t/{tenant}/settings/identity-providers/{provider}/edit`
pub async fn edit() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("provider")?;
    let provider = identity_provider::read(&cx, id).await?;
    let rejected = request::take_form(&url::edit_identity_provider(tenant, id)).await;
    Ok(form_page(tenant, Some(&provider), rejected))
}

/// Renders the form of a new provider or of the `stored` one, with the rejected input and its errors if there are any.
fn form_page(
    tenant: TenantId,
    stored: Option<&IdentityProvider>,
    (problem, rejected): (Option<Problem>, Option<FormWithErrors<ProviderForm>>),
) -> AnyView {
    let (title, action, submit) = match stored {
        Some(stored) => (label("Edit", stored), EditProvider::url(), "Save changes"),
        None => (NEW.to_owned(), CreateProvider::url(), "Create the identity provider"),
    };
    let FormWithErrors { form, errors } = rejected.unwrap_or_else(|| {
        let form = stored.map(ProviderForm::from).unwrap_or_default();
        FormWithErrors { form, errors: Vec::new() }
    });
    let tab = messages::title_with_errors(&title, errors.len());
    let id = stored
        .map(|stored| view! { <input type="hidden" name="id" value=stored.id.to_string() /> });
    let fields = fields(form, stored, &errors);
    let summary = (!errors.is_empty()).then(|| error_summary(errors, &LABELS));
    any_view! {
        <Crumb href=url::identity_providers(tenant) label=TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=action class="card panel roomy stack" novalidate>
            {problem.map(problem_note)}
            {summary}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            {id}
            {fields}
            {submit_or_cancel(submit, url::identity_providers(tenant))}
        </form>
    }
}

fn fields(form: ProviderForm, stored: Option<&IdentityProvider>, errors: &[FieldError]) -> AnyView {
    let field = |name, member: &'static str, hint| {
        let own = LABELS.iter().find(|(own, _)| *own == member);
        let label = own.map_or("", |(_, label)| label);
        MemberField::new(errors, label, member, format!("form[{name}]")).hint(hint)
    };
    let roles = std::iter::once(("", "None: refuse the sign-in"));
    let roles = roles.chain(Role::ALL.map(|role| (role.as_str(), messages::role(role))));
    let role =
        MemberField::new(errors, "Role without a match", "default_role", "form[default_role]");
    let (issuer, issuer_hint) = match stored {
        Some(stored) => {
            (stored.issuer.clone(), "It identifies the accounts, so it cannot be changed.")
        }
        None => (
            form.issuer,
            "https:// and exactly as the provider announces it. It cannot be changed later.",
        ),
    };
    any_view! {
        {field("name", "name", "Members see “Sign in with” and this name.")
            .line(form.name, false)}
        {field("issuer", "issuer", issuer_hint).line(issuer, stored.is_some())}
        {field("client_id", "client_id", "The ID of Govern at the provider.")
            .line(form.client_id, false)}
        {secret_field(stored.is_some_and(|stored| stored.has_client_secret), form.removes_secret)}
        {field("scopes", "scopes", "One per line. If empty: email and profile.")
            .area(3, form.scopes)}
        {field(
                "domains",
                "email_domains",
                "One per line. Only addresses of these domains can sign in. If empty, all can.",
            )
            .area(3, form.domains)}
        {checkbox(
            "form[trusts_domains]",
            form.trusts_domains,
            "Trust addresses of these domains if the provider does not say that they are verified",
        )}
        {field(
                "role_claim",
                "role_claim",
                "For example groups. If empty, you manage roles in Govern.",
            )
            .line(form.role_claim, false)}
        {field(
                "roles",
                "role_mapping",
                "One per line, for example: risk-officers = ratifier. The first match applies.",
            )
            .area(3, form.roles)}
        {role.choice(roles, &form.default_role)}
    }
}

/// Renders the field of the client secret. A stored secret is not shown, but can be removed.
fn secret_field(is_stored: bool, removes: bool) -> AnyView {
    let (label, hint) = if is_stored {
        ("New client secret (optional)", "A secret is stored. If empty, it stays.")
    } else {
        ("Client secret (optional)", "It is stored encrypted and not shown again.")
    };
    let removal = is_stored
        .then(|| checkbox("form[removes_secret]", removes, "Remove the stored client secret"));
    any_view! {
        <HintedField
            label
            hint
            name="form[client_secret]"
            id="client_secret"
            kind="password"
            autocomplete="off"
        />
        {removal}
    }
}

fn checkbox(name: &'static str, is_checked: bool, label: &'static str) -> AnyView {
    any_view! {
        <label class="checkbox">
            <input type="checkbox" name=name value="true" checked=is_checked />
            {label}
        </label>
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct ProviderForm {
    name: String,
    /// The issuer of a new provider.
    issuer: String,
    client_id: String,
    /// The new client secret; empty for none, or for the stored one.
    client_secret: String,
    /// Whether a change removes the stored client secret.
    removes_secret: bool,
    /// The additional scopes, one per line; empty for the default.
    scopes: String,
    /// The domains of email addresses, one per line.
    domains: String,
    trusts_domains: bool,
    role_claim: String,
    /// The roles of the values of the claim, one per line: `value = role`.
    roles: String,
    default_role: String,
}

impl From<&IdentityProvider> for ProviderForm {
    fn from(provider: &IdentityProvider) -> Self {
        let roles = provider.role_mapping.iter();
        let roles: Vec<String> =
            roles.map(|entry| format!("{} = {}", entry.value, entry.role)).collect();
        Self {
            name: provider.name.clone(),
            issuer: provider.issuer.clone(),
            client_id: provider.client_id.clone(),
            client_secret: String::new(),
            removes_secret: false,
            scopes: provider.scopes.join("\n"),
            domains: provider.email_domains.join("\n"),
            trusts_domains: provider.trusts_email_domains,
            role_claim: provider.role_claim.clone().unwrap_or_default(),
            roles: roles.join("\n"),
            default_role: provider.default_role.map(|role| role.to_string()).unwrap_or_default(),
        }
    }
}

impl ProviderForm {
    /// Returns the form without the entered secret, which is not stored for a rejected form.
    fn without_secret(self) -> Self {
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
    fn patch(&self) -> Value {
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
        let scopes = self.scopes.trim();
        let scopes = if scopes.is_empty() { "email\nprofile" } else { scopes };
        body.insert("scopes", lines(scopes).collect::<Value>());
        body.into()
    }

    /// Returns the body that creates the provider.
    fn draft(&self) -> Value {
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

/// Creates an identity provider and redirects to the list. A rejected form is stored without the client secret.
#[server(prefix = "/console", endpoint = "create-identity-provider", output = JsonCodec)]
async fn create_provider(tenant: TenantId, form: ProviderForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let created = async {
        let draft = read::body(&form.draft()).map_err(|errors| invalid(&errors))?;
        identity_provider::create(&cx, draft).await
    };
    let (done, page) = (url::identity_providers(tenant), url::new_identity_provider(tenant));
    request::respond_to_form(created.await, &done, page, form.without_secret()).await
}

/// Changes an identity provider and redirects to the list. A rejected form is stored without the client secret.
#[server(prefix = "/console", endpoint = "edit-identity-provider", output = JsonCodec)]
async fn edit_provider(
    tenant: TenantId,
    id: IdentityProviderId,
    form: ProviderForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let changed = async {
        let patch = read::body(&form.patch()).map_err(|errors| invalid(&errors))?;
        identity_provider::edit(&cx, id, patch).await
    };
    let (done, page) = (url::identity_providers(tenant), url::edit_identity_provider(tenant, id));
    request::respond_to_form(changed.await, &done, page, form.without_secret()).await
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
