//! Data of the draft editor, and saving of its forms.

mod draft;
mod pending_form;
mod sample;
mod save;

use contract::{error::ErrorCode, policy::VersionStatus};
use governance::authoring::policy::{self, rule_input::NewVersion, version::VersionDetails};

use self::{
    draft::{Draft, text_of},
    pending_form::PendingForm,
};
pub(crate) use self::{
    sample::make as make_sample,
    save::{dry_run, post_json, post_reason, post_rule, save},
};
use super::view::{
    EditorPage, EditorTarget, JsonText, NEW, Open, OpenRule, SaveRejection, rule::RuleForm,
};
use crate::{prelude::*, rule::RuleLine, text::json::indented};

#[derive(Debug)]
pub struct EditorQuery {
    /// The rule to open.
    pub rule: String,
    /// The rule that a new rule copies.
    pub from: String,
    /// The display of the rules: one by one, or all as JSON.
    pub look: String,
}

/// The value of `look` for all rules as JSON.
const JSON: &str = "json";
/// The suffix of `look` that discards the pending form.
const DISCARD: &str = "fresh";

impl EditorQuery {
    /// Returns whether the page shows the rule of `target`.
    fn is_about(&self, target: &EditorTarget) -> bool {
        let is_new = self.rule == NEW && self.from.is_empty();
        self.rule.is_empty() || self.rule == target.was || (target.was.is_empty() && is_new)
    }
}

/// Returns the page of the draft `details`. Of submitted versions, only those with `requested` changes can be edited:
/// the code of the first rule with an open comment, if any. Requires permission to write policies.
pub async fn page(
    cx: &Cx,
    details: &VersionDetails,
    target: EditorTarget,
    query: EditorQuery,
    requested: Option<Option<&str>>,
) -> Result<EditorPage, Problem> {
    cx.tenant(permission::WRITE_POLICIES).map(drop)?;
    let policy = target.policy;
    let draft = Draft::new(details.version.clone())?;
    let decision_type = details.policy.decision_types.first().map_or("", String::as_str);
    if query.look.ends_with(DISCARD) {
        pending_form::clear(&target).await?;
    }
    let pending = pending_form::get(&target).await;
    let (decisions, newest) = sample::decisions(cx, policy).await?;
    let sample = match pending_form::sample(&target).await.or(newest) {
        Some(sample) => sample,
        None => sample::of_rules(decision_type, &draft.rules),
    };
    let mut page = EditorPage {
        target: EditorTarget { revision: draft.version.draft_revision, ..target },
        lines: draft.lines(),
        open: Open::Unshown,
        sample,
        decisions,
    };
    let is_editable = match draft.version.status {
        VersionStatus::Draft => true,
        // The first change recalls it.
        VersionStatus::Submitted => requested.is_some(),
        _ => false,
    };
    if !is_editable {
        page.open = Open::Closed(pending.map(pending_text));
        return Ok(page);
    }
    let is_json = query.look.starts_with(JSON);
    match pending {
        Some(PendingForm::Json { target, mut json }) if is_json => {
            if target.revision != page.target.revision {
                json.moved = Some(save::draft_conflict(cx, &target, &draft.version, None).await?);
            }
            page.open = Open::Json(Box::new(json));
        }
        _ if is_json => {
            let text = indented(&Value::from(draft.rules.clone()));
            page.open = Open::Json(Box::new(JsonText { text, ..JsonText::default() }));
        }
        Some(PendingForm::Rule { target, form, mut unsaved }) if query.is_about(&target) => {
            if target.revision != page.target.revision {
                let mine = form.rule(&mut Vec::new());
                let conflict =
                    save::draft_conflict(cx, &target, &draft.version, Some((&draft, &mine)))
                        .await?;
                unsaved = Some(SaveRejection::Moved(Box::new(conflict)));
            }
            page.target.was = target.was;
            page.open =
                Open::Rule(Box::new(OpenRule { form: *form, unsaved, sample_result: None }));
        }
        _ => {
            let first = requested.flatten().unwrap_or_else(|| draft.first_code());
            open(&draft, &query, first, &mut page)?;
        }
    }
    if let Open::Rule(open_rule) = &mut page.open {
        open_rule.sample_result =
            Some(dry_run(cx, &page.target, &open_rule.form, &page.sample).await?);
    }
    Ok(page)
}

/// Formats the pending input of a version that is no longer a draft.
fn pending_text(pending: PendingForm) -> String {
    match pending {
        PendingForm::Rule { form, .. } => indented(&form.rule(&mut Vec::new())),
        PendingForm::Json { json, .. } => json.text,
    }
}

/// Opens the rule of the query or, without one, the rule `first`.
fn open(
    draft: &Draft,
    query: &EditorQuery,
    first: &str,
    page: &mut EditorPage,
) -> Result<(), Problem> {
    let code = if query.rule.is_empty() { first } else { query.rule.as_str() };
    if code == NEW {
        let source = draft.find(&query.from).and_then(|(_, rule)| RuleForm::of(rule));
        let form = match source {
            Some(form) => RuleForm { code: draft.free_code(&form.code), ..form },
            None => RuleForm::blank(RuleType::Presence),
        };
        page.open = Open::Rule(Box::new(OpenRule { form, ..OpenRule::default() }));
        return Ok(());
    }
    let (_, rule) = draft.find(code).ok_or_else(|| crate::request::to_problem(&missing()))?;
    code.clone_into(&mut page.target.was);
    if let Some(form) = RuleForm::of(rule) {
        page.open = Open::Rule(Box::new(OpenRule { form, ..OpenRule::default() }));
    }
    Ok(())
}

fn missing() -> governance::Error {
    governance::base::error::not_found(governance::base::error::ResourceKind::Version).into()
}

/// Opens a draft with the rules of `based_on` and returns its version number. If a draft is already open,
/// returns the number of that draft.
pub(crate) async fn open_version(cx: &Cx, id: PolicyId, based_on: u32) -> Result<u32, Problem> {
    let mut body = Object::from([("rules", Value::from(Vec::new()))]);
    if based_on > 0 {
        let based = policy::version::read(cx, id, based_on).await?;
        body.insert("rules", draft::values(&based)?);
        body.insert("based_on_version", based_on);
    }
    let new = contract::read::body::<NewVersion>(&Value::Object(body));
    let new =
        new.map_err(|errors| governance::Error::from(governance::base::error::invalid(&errors)))?;
    match policy::version::create(cx, id, new).await {
        Ok(version) => Ok(version.version),
        Err(error) if error.code() == ErrorCode::DraftExists => {
            let policy = policy::read(cx, id, None).await?;
            policy.draft_version.ok_or_else(|| crate::request::to_problem(&error))
        }
        Err(error) => Err(crate::request::to_problem(&error)),
    }
}

impl Draft {
    /// Returns an error if the version is closed. Of submitted versions, only those with requested changes can
    /// be edited, which is checked when the edit is stored.
    fn require_open(&self) -> Result<(), Problem> {
        let status = self.version.status;
        if matches!(status, VersionStatus::Draft | VersionStatus::Submitted) {
            return Ok(());
        }
        let refusal = governance::base::error::invalid_transition(
            "VERSION_NOT_DRAFT",
            status.as_str(),
            "edit",
        );
        Err(crate::request::to_problem(&refusal.into()))
    }

    fn lines(&self) -> Vec<RuleLine> {
        self.version.rules.iter().flatten().map(RuleLine::from).collect()
    }

    /// Returns the code of the first rule; without rules, a new one.
    fn first_code(&self) -> &str {
        self.rules.first().map_or(NEW, |rule| text_of(rule, "code"))
    }

    /// Returns an unused rule code derived from `code`.
    fn free_code(&self, code: &str) -> String {
        let free = (2..).map(|number| format!("{code}-{number}"));
        free.into_iter().find(|code| self.find(code).is_none()).unwrap_or_default()
    }
}
