//! The form to create an API key: a plain post.

use contract::api_key::ApiKeyDraft;
use governance::access::api_key;
use page_kit::prelude::*;

pub const SCOPES_HELP: &str =
    "Select only the scopes the service needs. Scopes cannot be changed later.";

/// Renders the form. It contains the ID of the new key, so that a repeated submission does not create another one.
/// `rejected` is the input of a rejected attempt, with its error.
pub(super) fn create_form(
    tenant: TenantId,
    rejected: Option<(Problem, KeyForm)>,
    open: bool,
) -> AnyView {
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let id: ApiKeyId = request::governance().entropy().id();
    any_view! {
        <CreateForm label="Create API key" action=CreateKey::url() tenant open problem>
            <input type="hidden" name="id" value=id.to_string() />
            <div class="filters">
                <TextField
                    label="Name, such as the service that uses it"
                    name="name"
                    value=form.name
                    required=true
                />
                <TextField
                    label="Expires (UTC, optional)"
                    name="expires"
                    kind="datetime-local"
                    value=form.expires
                />
            </div>
            <p class="text-muted">{SCOPES_HELP}</p>
            <div class="scopes">{scope_groups(&form.scopes)}</div>
        </CreateForm>
    }
}

/// A group of scopes: its name, and the scopes with their descriptions.
type ScopeGroup = (&'static str, &'static [(&'static str, &'static str)]);

/// The grantable scopes by group.
const SCOPES: [ScopeGroup; 6] = [
    (
        "Decisions",
        &[
            ("decisions:evaluate", "Evaluate without a record"),
            ("decisions:write", "Record decisions and outcomes"),
            ("decisions:read", "List and read recorded decisions"),
        ],
    ),
    (
        "Policies",
        &[
            ("policies:read", "List and read policies, versions, groups, settings"),
            (
                "policies:write",
                "Write drafts and groups, submit, reject, deactivate, change settings",
            ),
            ("authoring:capability", "Use authoring capabilities"),
        ],
    ),
    (
        "Alerts",
        &[
            ("alerts:read", "List and read alerts"),
            ("alerts:write", "Acknowledge alerts, manage webhooks"),
        ],
    ),
    ("Audit", &[("audit:read", "List the audit log"), ("audit:admin", "Verify the audit log")]),
    (
        "Members",
        &[
            ("members:read", "List and read members"),
            ("members:write", "Invite, change, remove members"),
        ],
    ),
    ("API keys", &[("api-keys:admin", "Create, list, revoke keys")]),
];

/// Renders a box for each grantable scope, by group. The boxes of `selected` are checked.
pub fn scope_groups(selected: &[String]) -> AnyView {
    let scope = |(scope, label): &(&'static str, &'static str)| {
        let checked = selected.iter().any(|selected| selected == scope);
        view! {
            <label class="checkbox">
                <input type="checkbox" name="scopes[]" value=*scope checked=checked />
                <span>{*label} " " <code class="text-muted text-xs">{*scope}</code></span>
            </label>
        }
    };
    let group = |(name, scopes): ScopeGroup| {
        view! {
            <fieldset class="bare">
                <legend class="font-semibold">{name}</legend>
                {scopes.iter().map(scope).collect_view()}
            </fieldset>
        }
    };
    SCOPES.map(group).collect_view().into_any()
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyForm {
    pub name: String,
    pub scopes: Vec<String>,
    /// The time of expiry, in UTC; empty for never.
    pub expires: String,
}

const BAD_NAME: &str = "Name: enter 1 to 200 characters.";
const NO_SCOPE: &str = "Scopes: select at least one.";

impl KeyForm {
    /// Returns the requested key.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    pub fn draft(&self) -> Result<ApiKeyDraft, Problem> {
        let scopes: Value = self.scopes.iter().map(String::as_str).collect();
        let expires = end_instant(&self.expires);
        let mut body = Object::from([("name", self.name.trim().into()), ("scopes", scopes)]);
        if let Ok(Some(at)) = expires {
            body.insert("expires_at", at.to_string());
        }
        let read = read::body::<ApiKeyDraft>(&body.into());
        let mut errors: Vec<String> = Vec::new();
        if let Err(rejected) = &read {
            errors.extend(rejected.iter().map(message_of));
        }
        if expires.is_err() {
            errors.push(BAD_EXPIRES.to_owned());
        }
        read.ok().filter(|_| errors.is_empty()).ok_or_else(|| Problem::of_form(errors.join(" ")))
    }
}

fn message_of(error: &FieldError) -> String {
    match error.path.as_str() {
        "/name" => BAD_NAME.to_owned(),
        "/scopes" => NO_SCOPE.to_owned(),
        path => format!("{path}: {}.", error.message),
    }
}

/// Creates a key with the ID from the form, and redirects to the list, which shows the key once.
#[server(prefix = "/console", endpoint = "create-key", output = JsonCodec)]
async fn create_key(
    tenant: TenantId,
    id: ApiKeyId,
    name: String,
    #[server(default)] scopes: Vec<String>,
    #[server(default)] expires: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::keys(tenant);
    let form = KeyForm { name, scopes, expires };
    let created = create(&cx, id, &form).await;
    if let Ok(secret) = &created {
        request::set_created(secret, &page);
    }
    request::respond(created, &page, &page, request::form_json(&form)).await
}

async fn create(cx: &Cx, id: ApiKeyId, form: &KeyForm) -> Result<OneTimeSecret, Problem> {
    let created = api_key::create_as(cx, id, form.draft()?).await.map_err(|error| {
        let was_sent_before = error.code() == ErrorCode::Conflict;
        let problem = Problem::from(error);
        if !was_sent_before {
            return problem;
        }
        let message = "the form was submitted twice, and the key was created once; if you did not see it, revoke it and create another";
        Problem { message: message.into(), ..problem }
    })?;
    Ok(OneTimeSecret { name: created.key.name, secret: created.plaintext_key })
}

#[cfg(test)]
mod tests {
    use contract::scope::Scope;

    use super::*;

    fn form() -> KeyForm {
        KeyForm {
            name: " billing ".into(),
            scopes: vec!["decisions:write".into(), "policies:read".into()],
            expires: "2027-01-01T00:00".into(),
        }
    }

    #[test]
    fn a_form_becomes_a_draft_with_the_selected_scopes() {
        let draft = form().draft().unwrap();
        assert_eq!(draft.name, "billing");
        assert_eq!(draft.scopes, [Scope::DecisionsWrite, Scope::PoliciesRead]);
        assert_eq!(draft.expires_at.unwrap().to_string(), "2027-01-01T00:00:00.000Z");
        let never = KeyForm { expires: String::new(), ..form() };
        assert_eq!(never.draft().unwrap().expires_at, None);
    }

    #[test]
    fn all_errors_are_reported_together() {
        let bad = KeyForm { name: " ".into(), scopes: Vec::new(), expires: "soon".into() };
        let message = bad.draft().unwrap_err().message;
        for sentence in [BAD_NAME, NO_SCOPE, BAD_EXPIRES] {
            assert!(message.contains(sentence), "{message}");
        }
    }

    #[test]
    fn a_scope_that_cannot_be_granted_is_rejected() {
        let bad = KeyForm { scopes: vec!["tenants:provision".into()], ..form() };
        assert!(bad.draft().unwrap_err().message.contains("tenants:provision"));
    }

    #[test]
    fn the_form_offers_every_grantable_scope_once() {
        let mut offered: Vec<&str> =
            SCOPES.iter().flat_map(|(_, scopes)| scopes.iter().map(|(scope, _)| *scope)).collect();
        let grantable = Scope::ALL.iter().filter(|scope| scope.is_grantable());
        let mut grantable: Vec<&str> = grantable.map(|scope| scope.as_str()).collect();
        offered.sort_unstable();
        grantable.sort_unstable();
        assert_eq!(offered, grantable);
    }
}
