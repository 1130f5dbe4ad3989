//! The form of a review, and the functions that save and record it.

use contract::policy::ReviewDraft;
use governance::authoring::policy::{
    self,
    version::{
        Subject,
        saved_review::{self, SavedReview},
    },
};
use page_kit::{
    prelude::*,
    request::{redirect, set_rejected},
};

use super::{ChangeScope, changes};
use crate::{
    comparison::{Change, differences},
    version::Version,
};

/// The form of a review: the read version, the marks and the comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReviewForm {
    /// The value of the pressed button: a verdict, or empty to save marks and comments for later.
    pub(super) verdict: String,
    /// The revision that the user has read.
    pub(super) revision: u32,
    /// The digest of the rules that the user has read.
    pub(super) digest: String,
    /// The note on the whole version.
    pub(super) note: String,
    /// The comments, by the code of their rule.
    pub(super) comments: BTreeMap<String, String>,
    /// The marks of the viewed rules.
    pub(super) viewed: Vec<String>,
    /// Present if the user marks every difference as viewed.
    pub(super) all: Option<String>,
    /// Present if the user confirmed the review on its page.
    pub(super) confirmed: Option<String>,
}

impl ReviewForm {
    /// Returns the comments that are not empty, in the order of their rules.
    pub(super) fn written_comments(&self) -> impl Iterator<Item = (&str, &str)> {
        let written_comments =
            self.comments.iter().map(|(code, text)| (code.as_str(), text.trim()));
        written_comments.filter(|(_, text)| !text.is_empty())
    }

    /// Returns the body of the requested review record.
    pub(super) fn draft(&self) -> Value {
        let comment = |(code, text): (&str, &str)| {
            Value::Object(Object::from([
                ("rule_code", Value::from(code)),
                ("text", Value::from(text.replace("\r\n", "\n"))),
            ]))
        };
        let mut body = Object::from([
            ("verdict", Value::from(self.verdict.as_str())),
            ("comments", Value::from(self.written_comments().map(comment).collect::<Vec<_>>())),
        ]);
        let note = self.note.trim().replace("\r\n", "\n");
        if !note.is_empty() {
            body.insert("note", note);
        }
        Value::Object(body)
    }

    /// Parses the body strictly.
    ///
    /// # Errors
    /// Returns the field errors.
    pub(super) fn read(&self) -> Result<ReviewDraft, Vec<FieldError>> {
        contract::read::body(&self.draft())
    }

    /// Returns whether it contains a note or a comment.
    pub(super) fn has_reason(&self) -> bool {
        !self.note.trim().is_empty() || self.written_comments().next().is_some()
    }

    /// Returns the number of differences that are not marked as viewed, and the number of comments. Both are
    /// warnings before accepting.
    pub(super) fn open(&self, changes: &[Change]) -> (usize, usize) {
        (changes.len() - self.viewed_count(changes), self.written_comments().count())
    }

    /// Returns the number of differences that are marked as viewed.
    pub(super) fn viewed_count(&self, changes: &[Change]) -> usize {
        changes.iter().filter(|change| self.viewed.contains(&change.mark)).count()
    }

    /// Returns whether the user has read another revision than the page shows. Without a form that was sent
    /// before, the page itself is the read revision.
    pub(super) fn has_read_other(&self, version: &Version) -> bool {
        let is_same =
            self.revision == version.revision() && self.digest == version.own().rules_digest;
        !self.digest.is_empty() && !is_same
    }

    /// Checks that the form was created for the current content of the version.
    ///
    /// # Errors
    /// Returns `STALE_DRAFT_REVISION` with the current revision.
    pub(super) fn check(&self, current: &PolicyVersion) -> Result<(), Problem> {
        if self.revision == current.draft_revision && self.digest == current.rules_digest {
            return Ok(());
        }
        Err(Problem {
            code: "STALE_DRAFT_REVISION".into(),
            status: 409,
            revision: Some(current.draft_revision),
            ..Problem::default()
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReviewTarget {
    pub(super) tenant: TenantId,
    pub(super) policy: PolicyId,
    pub(super) version: u32,
    pub(super) submission: SubmissionId,
    /// The changes that the page shows, as in its address.
    #[serde(default)]
    pub(super) changes: String,
}

impl ReviewTarget {
    /// Returns the page of the review.
    pub(super) fn page(&self) -> String {
        self.scope().page(self.tenant, self.policy, self.version)
    }

    /// Returns which changes the page shows.
    pub(super) fn scope(&self) -> ChangeScope {
        ChangeScope::from_name(&self.changes).unwrap_or(ChangeScope::SinceReview)
    }

    /// Returns the page that confirms and records the review.
    pub(super) fn record_page(&self, verdict: ReviewVerdict) -> String {
        url::record(self.tenant, self.policy, self.version, verdict)
    }
}

/// Records the review after the user has confirmed it on the page of its verdict. Without a verdict, saves
/// marks and comments for later.
#[server(prefix = "/console", endpoint = "record-review", output = JsonCodec)]
pub(super) async fn record_review(
    place: ReviewTarget,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    let cx = request::human(place.tenant).await?;
    record(&cx, place, form).await
}

/// Saves marks and comments while the user types.
#[server(prefix = "/console", endpoint = "save-review-draft", output = JsonCodec)]
pub(super) async fn save_review_draft(
    place: ReviewTarget,
    #[server(default)] form: ReviewForm,
) -> Result<(), Problem> {
    let cx = request::human(place.tenant).await?;
    save(&cx, &place, &form).await
}

async fn record(cx: &Cx, target: ReviewTarget, mut form: ReviewForm) -> Result<(), Problem> {
    let page = target.page();
    if form.all.take().is_some() {
        form.viewed.extend(shown_marks(cx, &target).await?);
        form.viewed.sort_unstable();
        form.viewed.dedup();
        form.verdict.clear();
    }
    if let Err(problem) = save(cx, &target, &form).await {
        return set_rejected(problem, page, form.verdict).await;
    }
    if form.verdict.is_empty() {
        redirect(&page);
        return Ok(());
    }
    match record_confirmed(cx, &target, &form).await {
        Ok(next) => {
            redirect(&next);
            Ok(())
        }
        Err(problem) => {
            // After reauthentication the user returns to the page whose button required it.
            let confirm_page =
                form.verdict.parse().ok().filter(|_| problem.asks_for_confirmation());
            let page = confirm_page.map_or(page, |verdict| target.record_page(verdict));
            set_rejected(problem, page, form.verdict).await
        }
    }
}

/// Saves the marks and comments until the review is recorded.
async fn save(cx: &Cx, target: &ReviewTarget, form: &ReviewForm) -> Result<(), Problem> {
    let ReviewTarget { policy, version, submission, .. } = *target;
    let draft = SavedReview::from(form.clone());
    Ok(saved_review::save(cx, policy, version, submission, &draft).await?)
}

impl From<SavedReview> for ReviewForm {
    fn from(saved: SavedReview) -> Self {
        let SavedReview { revision, rules_digest, note, comments, viewed } = saved;
        Self { revision, digest: rules_digest, note, comments, viewed, ..Self::default() }
    }
}

impl From<ReviewForm> for SavedReview {
    fn from(form: ReviewForm) -> Self {
        let ReviewForm { revision, digest, note, comments, viewed, .. } = form;
        Self { revision, rules_digest: digest, note, comments, viewed }
    }
}

/// Records a review that is confirmed. Returns the page that shows the result or, for a review that is valid but not
/// confirmed, the page of its verdict.
async fn record_confirmed(
    cx: &Cx,
    target: &ReviewTarget,
    form: &ReviewForm,
) -> Result<String, Problem> {
    let draft = form
        .read()
        .map_err(|errors| governance::Error::from(governance::base::error::invalid(&errors)))?;
    let verdict = draft.verdict;
    if verdict == ReviewVerdict::Return && !form.has_reason() {
        return Err(Problem::of_form("add a general note or a comment on a rule"));
    }
    if form.confirmed.is_none() {
        let version = policy::version::read(cx, target.policy, target.version).await?;
        form.check(&version)?;
        return Ok(target.record_page(verdict));
    }
    let read = Subject {
        number: target.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        ..Subject::default()
    };
    policy::version::record(cx, target.policy, read, target.submission, draft).await?;
    let version = url::version(target.tenant, target.policy, target.version);
    Ok(url::with_query(&version, &[("done", url::verdict_word(verdict))]))
}

/// Returns the marks of the changes that the page of the form shows.
async fn shown_marks(cx: &Cx, target: &ReviewTarget) -> Result<Vec<String>, Problem> {
    let details = request::version(cx, target.policy, target.version).await?;
    let since = match target.scope() {
        ChangeScope::All => None,
        ChangeScope::SinceReview => details.since_own_review(cx).await?,
    };
    let rules = details.version.rules.as_deref().unwrap_or_default();
    let shown = match since {
        Some(since) => differences(&since.diff, rules, policy::rule_digest),
        None => changes(cx, &details).await?.1,
    };
    Ok(shown.into_iter().map(|change| change.mark).collect())
}
