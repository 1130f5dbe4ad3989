//! The form of an action on a version, with the exact content that the user signs.

use contract::policy::{Ratification, ReasonBody, SealRequest};
use governance::authoring::policy::{
    self,
    rule_input::SupersedeInput,
    version::{ActiveVersion, Subject},
};
use page_kit::{prelude::*, ui::stamp::digest_seal};

use super::SIGNED_WITH;
use crate::version::{
    DIGEST, DraftDeleted, Version, actions::VersionAction, canonical_rules, submission,
};

/// Renders the form of an action. Hidden fields contain the state of the version that the user saw. The problem of an
/// earlier submission is shown above the fields.
pub(super) fn version_form(
    action: VersionAction,
    version: &Version,
    rejected: Option<&RejectedForm>,
    content: AnyView,
) -> AnyView {
    let problem = rejected.map(|rejected| rejected.problem.clone());
    let note = problem.filter(|problem| !problem.asks_for_confirmation()).map(problem_note);
    let own = version.own();
    // An activation replaces the version that was active when the user opened the page.
    let replaces = (action == VersionAction::Activate).then(|| {
        let active = version.active().map(|active| active.version.to_string());
        view! { <input type="hidden" name="form[replaces]" value=active.unwrap_or_default() /> }
    });
    any_view! {
        <form class="act-form" method="post" action=ActOnVersion::url() data-once="">
            {note}
            <input type="hidden" name="form[act]" value=format!("{action:?}") />
            <input type="hidden" name="form[tenant]" value=version.tenant.to_string() />
            <input type="hidden" name="form[policy]" value=version.policy.to_string() />
            <input type="hidden" name="form[version]" value=version.version />
            <input type="hidden" name="form[revision]" value=own.draft_revision />
            <input type="hidden" name="form[digest]" value=own.rules_digest.clone() />
            <input type="hidden" name="form[status]" value=own.status.as_str() />
            {replaces}
            {content}
        </form>
    }
}

/// Renders the exact content that an action applies to. `key` is the key that signs the approval.
pub(crate) fn signed_content(version: &Version, key: Option<String>) -> AnyView {
    let key = key.map(|key| short_id_fact(SIGNED_WITH, key));
    let review = version.review().map(|record| {
        let (by, digest) = (record.by.clone(), record.digest.clone());
        view! {
            <dt>"Review"</dt>
            <dd>
                {record.verdict.as_str()} " " {messages::BY} " " <bdi>{by}</bdi> ", "
                {minute(record.at)} " " {short_digest(digest, submission::DIGEST)}
            </dd>
        }
    });
    let digest = version.own().rules_digest.clone();
    let (code, person) = (version.details.policy.code.clone(), version.person.clone());
    let rules = version.rules.count();
    any_view! {
        <div class="signing">
            {digest_seal(&digest)} <dl class="viewed">
                <dt>"Policy"</dt>
                <dd>
                    <bdi>{code}</bdi>
                    " "
                    {id_code(version.policy.to_string(), "Policy")}
                </dd>
                <dt>"Version"</dt>
                <dd class="tabular-nums">
                    "v" {version.version} ", draft revision r" {version.revision()} ", " {rules}
                </dd>
                {short_id_fact(DIGEST, digest)}
                {fact("Replaces", version.replaced())}
                {review}
                <dt>"Signed in as"</dt>
                <dd>
                    <bdi>{person.name}</bdi>
                    ", "
                    <bdi>{person.email}</bdi>
                </dd>
                {key}
            </dl>
        </div>
        {version.bytes(None)}
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ActionForm {
    act: VersionAction,
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    /// The revision that the user has read.
    revision: u32,
    /// The digest of the rules that the user has read.
    digest: String,
    /// The status that the user has seen.
    status: VersionStatus,
    /// For an activation: the number of the active version that the user has seen, empty if there was none.
    #[serde(default)]
    replaces: Option<String>,
    /// The note or the reason.
    #[serde(default)]
    text: String,
    /// The review record with requested changes that a submission addresses.
    #[serde(default)]
    answers: String,
    /// Present if the user ticked the box that confirms reading.
    #[serde(default)]
    read: Option<String>,
    /// Present if the user ticked the box that confirms the submission of the rules of the active version.
    #[serde(default)]
    same_rules: Option<String>,
}

impl ActionForm {
    /// Returns the page that contains the form.
    fn page(&self) -> String {
        let version = url::version(self.tenant, self.policy, self.version);
        match self.act {
            VersionAction::Recall => version,
            act => format!("{version}/{}", act.word()),
        }
    }

    /// Returns the page that shows the result.
    fn done(&self) -> String {
        if self.act == VersionAction::Delete {
            return url::policy(self.tenant, self.policy);
        }
        let version = url::version(self.tenant, self.policy, self.version);
        url::with_query(&version, &[("done", self.act.word())])
    }
}

/// Performs the action of the form on exactly the version that the user has read, and redirects to its result
/// page.
#[server(prefix = "/console", endpoint = "act-on-version", output = JsonCodec)]
async fn act_on_version(form: ActionForm) -> Result<(), Problem> {
    let cx = request::human(form.tenant).await?;
    request::act(&form.page(), form.text.clone(), act(&cx, &form)).await
}

/// Returns the version as the user has read it, from the form.
fn subject(form: &ActionForm) -> Subject {
    Subject {
        number: form.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        status: Some(form.status),
        active: form.replaces.as_ref().map(|version| ActiveVersion(version.parse().ok())),
    }
}

/// Performs the action of the form, unless the version differs from the one that the user has read. Returns
/// the page that shows the result.
async fn act(cx: &Cx, form: &ActionForm) -> Result<String, Problem> {
    let (id, version) = (form.policy, subject(form));
    let text = form.text.trim().replace("\r\n", "\n");
    let result = match form.act {
        VersionAction::Send => {
            require_same_rules_confirmation(cx, form).await?;
            let answers_record_id = form.answers.parse().ok();
            Box::pin(policy::version::send(cx, id, version, SealRequest { answers_record_id }))
                .await
        }
        VersionAction::Recall => policy::version::recall(cx, id, version).await,
        VersionAction::Reject => {
            policy::version::reject(cx, id, version, ReasonBody { reason: reason(text)? }).await
        }
        VersionAction::Ratify => {
            require_read_confirmation(form)?;
            let note = (!text.is_empty()).then_some(text);
            let ratification = Ratification { expected_revision: form.revision, note };
            policy::version::ratify(cx, id, version, ratification).await
        }
        VersionAction::Activate => {
            require_read_confirmation(form)?;
            policy::version::activate(cx, id, version).await
        }
        VersionAction::SetAside => {
            policy::version::set_aside(cx, id, version, ReasonBody { reason: reason(text)? }).await
        }
        VersionAction::Delete => {
            policy::version::delete(cx, id, version).await?;
            let page = url::policy(form.tenant, id);
            request::set_result(&page, &DraftDeleted).await?;
            return Ok(page);
        }
        VersionAction::Supersede => {
            let draft = supersede(cx, id, version, reason(text)?).await?;
            return Ok(url::edit_version(form.tenant, id, draft));
        }
    };
    result?;
    Ok(form.done())
}

/// Opens a new draft with the same rules, which replaces the draft that the user has read. Returns the
/// version number of the new draft.
async fn supersede(cx: &Cx, id: PolicyId, read: Subject, reason: String) -> Result<u32, Problem> {
    let version = policy::version::read(cx, id, read.number).await?;
    let body = Object::from([
        ("expected_revision", Value::from(read.revision.unwrap_or(version.draft_revision))),
        ("rules", canonical_rules(&version)?),
        ("change_reason", Value::from(reason)),
    ]);
    let correction = contract::read::body::<SupersedeInput>(&Value::Object(body));
    let correction = correction
        .map_err(|errors| governance::Error::from(governance::base::error::invalid(&errors)))?;
    Ok(policy::version::supersede(cx, id, read, correction).await?.draft.version)
}

/// The maximum length of a reason in characters. Source: contract, section 4.
const REASON_MAX: usize = 500;

/// Checks the length of a reason.
pub(crate) fn reason(text: String) -> Result<String, Problem> {
    match text.chars().count() {
        1..=REASON_MAX => Ok(text),
        _ => Err(Problem::of_form("enter a reason of 1 to 500 characters")),
    }
}

/// Returns an error if the active version has the rules that the user submits, and the user did not confirm it.
async fn require_same_rules_confirmation(cx: &Cx, form: &ActionForm) -> Result<(), Problem> {
    let versions = policy::version::all(cx, form.policy).await?;
    let has_same_rules = |other: &PolicyVersion| {
        other.is_active && other.version != form.version && other.rules_digest == form.digest
    };
    if form.same_rules.is_none() && versions.iter().any(has_same_rules) {
        let text = "confirm that the active version has the same rules";
        return Err(Problem::of_form(text));
    }
    Ok(())
}

fn require_read_confirmation(form: &ActionForm) -> Result<(), Problem> {
    form.read
        .as_ref()
        .map(|_| ())
        .ok_or_else(|| Problem::of_form("confirm that you have read the rules"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> ActionForm {
        let id = uuid::Uuid::nil();
        ActionForm {
            act: VersionAction::Ratify,
            tenant: TenantId(id),
            policy: PolicyId(id),
            version: 18,
            revision: 7,
            digest: "5d7d8001".into(),
            status: VersionStatus::Submitted,
            replaces: None,
            text: String::new(),
            answers: String::new(),
            read: None,
            same_rules: None,
        }
    }

    #[test]
    fn a_rejected_form_returns_to_its_own_page() {
        assert!(form().page().ends_with("/versions/18/ratify"));
        let recall = ActionForm { act: VersionAction::Recall, ..form() };
        assert!(recall.page().ends_with("/versions/18"));
        assert!(recall.done().ends_with("/versions/18?done=recall"));
    }
}
