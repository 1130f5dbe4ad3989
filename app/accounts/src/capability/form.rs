//! The form that issues a capability: a plain post.

use contract::capability::CapabilityDraft;
use governance::authoring::capability;
use page_kit::{prelude::*, request::governance, text::verdict::stage};

use super::ACTIONS;

const NO_VERSION: &str = "Version: choose one.";
const BAD_NAME: &str = "Name: enter 1 to 200 characters.";
const NO_ACTION: &str = "Allowed actions: select at least one.";
const BAD_NOT_BEFORE: &str = "Starts: enter a date and time, for example 2027-11-20T23:04.";
const ENDS_BEFORE: &str = "Expires: must be after the start.";
const BAD_USES: &str = "Maximum writes: enter a whole number from 1.";

/// Renders the form for one of the open versions. The query parameter `version` preselects one. `is_open` shows the
/// form expanded.
pub(super) async fn issue_form(
    cx: &Cx,
    tenant: TenantId,
    is_open: bool,
) -> Result<AnyView, Problem> {
    let version = page::query("version");
    let open = is_open || !version.is_empty();
    let versions = capability::open_versions(cx).await?.into_iter().map(|own| {
        let stage = stage(own.stage).to_lowercase();
        let label = format!("{} v{} ({stage}): {}", own.code, own.version, own.name);
        (version_word(own.policy, own.version), label)
    });
    let versions: Vec<_> = versions.collect();
    let unavailable = versions.is_empty().then_some(
        "There is no open draft. Create a draft of a policy first, then issue a capability for it.",
    );
    let (problem, form) = take_input(&url::grants(tenant)).await.unzip();
    let form = form.unwrap_or(GrantForm { version, ..GrantForm::default() });
    let id = governance().entropy().id::<CapabilityId>();
    let action = IssueGrant::url();
    Ok(any_view! {
        <CreateForm label="Issue capability" action tenant open problem unavailable>
            <input type="hidden" name="id" value=id.to_string() />
            {fields(form, versions)}
            <p class="text-muted">
                "While the capability is active, the version cannot be superseded. Set the version aside and carry the capability over to the next draft."
            </p>
        </CreateForm>
    })
}

/// Renders the fields. One of the open versions must be selected.
fn fields(form: GrantForm, versions: Vec<(String, String)>) -> AnyView {
    let selected = form.actions;
    let checkboxes = ACTIONS.map(|(action, label)| {
        let checked = selected.iter().any(|selected| selected == action);
        view! {
            <label class="checkbox">
                <input type="checkbox" name="form[actions][]" value=action checked=checked />
                <span>{label} " " <code class="text-muted text-xs">{action}</code></span>
            </label>
        }
    });
    any_view! {
        <label class="field">
            <span>"Version to work on"</span>
            <select name="form[version]" required=true>
                <option value="">"Choose a version"</option>
                {options(versions, &form.version)}
            </select>
        </label>
        <TextField label="Name of the program" name="form[name]" value=form.name required=true />
        <fieldset class="bare">
            <legend class="font-semibold">"Allowed actions"</legend>
            <div class="scopes">{checkboxes.into_iter().collect_view()}</div>
        </fieldset>
        <div class="filters">
            <TextField
                label="Starts (UTC, optional)"
                name="form[not_before]"
                kind="datetime-local"
                value=form.not_before
            />
            <TextField
                label="Expires (UTC, optional)"
                name="form[expires]"
                kind="datetime-local"
                value=form.expires
            />
            <TextField
                label="Maximum writes (optional)"
                name="form[max_uses]"
                value=form.max_uses
            />
        </div>
    }
}

/// Issues a capability with the ID from the form, and redirects to the list, which shows its key once.
#[server(prefix = "/console", endpoint = "issue-grant", output = JsonCodec)]
async fn issue_grant(
    tenant: TenantId,
    id: CapabilityId,
    #[server(default)] form: GrantForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::grants(tenant);
    request::act(&page, request::form_json(&form), async {
        let issued = capability::issue_as(&cx, id, form.draft()?).await?;
        let secret = OneTimeSecret { name: issued.key.name, secret: issued.plaintext_key };
        request::set_created(&secret, &page);
        Ok(page.clone())
    })
    .await
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct GrantForm {
    /// The version, as formatted by [`version_word`].
    version: String,
    /// The display name of the program.
    name: String,
    actions: Vec<String>,
    /// The start of validity, in UTC; empty for immediately.
    not_before: String,
    /// The end of validity, in UTC; empty for never.
    expires: String,
    /// The maximum number of writes; empty for no limit.
    max_uses: String,
}

/// Returns the form value of a version of a policy.
fn version_word(policy: PolicyId, version: u32) -> String {
    format!("{policy}/{version}")
}

impl GrantForm {
    /// Returns the requested capability.
    ///
    /// # Errors
    /// Returns `VALIDATION_ERROR` with one sentence per error.
    fn draft(&self) -> Result<CapabilityDraft, Problem> {
        let actions: Value = self.actions.iter().map(String::as_str).collect();
        let mut body = Object::from([("name", self.name.trim().into()), ("actions", actions)]);
        let mut errors: Vec<&'static str> = Vec::new();
        match self.version.split_once('/') {
            Some((policy, version)) => {
                body.insert("policy_id", policy);
                body.insert("version", version.parse().unwrap_or(0_u32));
            }
            None => errors.push(NO_VERSION),
        }
        for (name, time, message) in [
            ("not_before", instant(&self.not_before), BAD_NOT_BEFORE),
            ("expires_at", end_instant(&self.expires), BAD_EXPIRES),
        ] {
            match time {
                Ok(Some(at)) => {
                    body.insert(name, at.to_string());
                }
                Ok(None) => {}
                Err(()) => errors.push(message),
            }
        }
        match self.max_uses.trim() {
            "" => {}
            uses => {
                // A value that is not a number is rejected below, like a number out of range.
                body.insert("max_uses", uses.parse().unwrap_or(0_u32));
            }
        }
        read_draft(body, errors)
    }
}

/// Parses a body built from a form. `errors` are the errors found so far.
fn read_draft(body: Object, mut errors: Vec<&'static str>) -> Result<CapabilityDraft, Problem> {
    let read = read::body::<CapabilityDraft>(&body.into());
    if let Err(rejected) = &read {
        // A member that could not be built from its field is already reported for that field.
        errors.extend(rejected.iter().filter(|error| error.code != "required").map(message_of));
    }
    errors.dedup();
    read.ok().filter(|_| errors.is_empty()).ok_or_else(|| Problem::of_form(errors.join(" ")))
}

fn message_of(error: &FieldError) -> &'static str {
    match error.path.as_str() {
        "/name" => BAD_NAME,
        "/expires_at" => ENDS_BEFORE,
        "/max_uses" => BAD_USES,
        path if path.starts_with("/actions") => NO_ACTION,
        _ => NO_VERSION,
    }
}

#[cfg(test)]
mod tests {
    use contract::capability::CapabilityAction;

    use super::*;

    const POLICY: &str = "0b7c6f5e-8d0f-4d0e-9a55-6f2f5f6d1c11";

    fn form() -> GrantForm {
        GrantForm {
            version: format!("{POLICY}/4"),
            name: " drafting assistant ".into(),
            actions: vec!["review.seal".into(), "policy.read".into()],
            not_before: "2027-01-01T00:00".into(),
            expires: "2027-02-01T00:00".into(),
            max_uses: " 40 ".into(),
        }
    }

    #[test]
    fn a_form_becomes_a_draft_with_the_entered_values() {
        let draft = form().draft().unwrap();
        assert_eq!((draft.policy_id.to_string().as_str(), draft.version), (POLICY, 4));
        assert_eq!(draft.name, "drafting assistant");
        assert_eq!(draft.actions, [CapabilityAction::PolicyRead, CapabilityAction::ReviewSeal]);
        assert_eq!(draft.not_before.unwrap().to_string(), "2027-01-01T00:00:00.000Z");
        assert_eq!(draft.expires_at.unwrap().to_string(), "2027-02-01T00:00:00.000Z");
        assert_eq!(draft.max_uses, Some(40));
        let open = GrantForm {
            not_before: String::new(),
            expires: String::new(),
            max_uses: String::new(),
            ..form()
        };
        let open = open.draft().unwrap();
        assert_eq!((open.not_before, open.expires_at, open.max_uses), (None, None, None));
    }

    #[test]
    fn every_error_is_reported_exactly_once() {
        let message = GrantForm::default().draft().unwrap_err().message;
        assert_eq!(message, format!("{NO_VERSION} {NO_ACTION} {BAD_NAME}"));
        let bad = GrantForm {
            version: "x/y".into(),
            not_before: "soon".into(),
            expires: "later".into(),
            max_uses: "-1".into(),
            ..form()
        };
        let message = bad.draft().unwrap_err().message;
        for sentence in [NO_VERSION, BAD_NOT_BEFORE, BAD_EXPIRES, BAD_USES] {
            assert_eq!(message.matches(sentence).count(), 1, "{message}");
        }
        let reversed = GrantForm { expires: form().not_before, ..form() };
        assert_eq!(reversed.draft().unwrap_err().message, ENDS_BEFORE);
    }

    #[test]
    fn the_form_offers_every_action_once() {
        let offered = ACTIONS.map(|(action, _)| action);
        let mut offered: Vec<&str> = offered.to_vec();
        offered.sort_unstable();
        let expected: Vec<&str> =
            CapabilityAction::ALL.iter().map(|action| action.as_str()).collect();
        assert_eq!(offered, expected);
    }
}
