//! The review of a submitted draft, rule by rule.

mod change;
mod clauses;
mod confirm;
mod form;
pub(crate) mod requested_changes;
mod reviewers;

use governance::authoring::policy::{
    self,
    version::{VersionDetails, saved_review},
};
use page_kit::prelude::*;
use rules::{
    clause::words as clause_words,
    rule::{markup::RuleList, view::RuleLine},
};

pub use self::confirm::{accept, return_};
use self::{
    clauses::{clauses_by_rule, codification},
    form::ReviewForm,
    reviewers::{ReviewUser, Reviewer, reviewer_list, reviewers},
};
use crate::{
    comment::{self, Discussion},
    comparison::{
        Change,
        changes::{SinceReview, since_review},
        differences, same,
    },
    version::{DIGEST, TIMELINE, Version, submission::submission_list},
};

contract::named_enum! {
    /// A tab of the page. Its name is the value of the query parameter.
    enum ReviewTab {
        /// The rules that differ, with the form of the review.
        Changes = "",
        /// All comments on the version.
        Comments = "comments",
        /// The clauses of the rules.
        Clauses = "clauses",
        /// The events of the version, and its submissions with their reviews.
        Timeline = "timeline",
    }
}

impl ReviewTab {
    const fn label(self) -> &'static str {
        match self {
            Self::Changes => "Changes",
            Self::Comments => comment::TITLE,
            Self::Clauses => clause_words::TITLE,
            Self::Timeline => TIMELINE,
        }
    }

    /// Returns the page of a review with this tab.
    fn page(self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        url::with_query(&url::review(tenant, policy, version), &[("tab", self.as_str())])
    }
}

contract::named_enum! {
    /// The changes that the page shows. Its name is the value of the query parameter.
    enum ChangeScope {
        /// Those since the user's last review, or all changes without one.
        SinceReview = "",
        /// Those from the active version.
        All = "all",
    }
}

impl ChangeScope {
    /// Returns the page of a review with these changes.
    fn page(self, tenant: TenantId, policy: PolicyId, version: u32) -> String {
        url::with_query(&url::review(tenant, policy, version), &[("changes", self.as_str())])
    }
}

/// The state of a review, with the marks and comments that the user has entered.
struct Review {
    version: Version,
    /// The version that it is compared with: the active version.
    against: Option<u32>,
    scope: ChangeScope,
    /// The shown differences in the version's order; removed rules last.
    changes: Vec<Change>,
    /// The rules without such a difference.
    same: Vec<RuleLine>,
    /// The number of differences from the active version that are marked as viewed, and the number of all.
    viewed: (usize, usize),
    reviewers: Vec<Reviewer>,
    /// Why the user cannot record a review now; absent if recording is possible.
    blocked_reason: Option<&'static str>,
    /// Whether the user's role can review.
    is_reviewer: bool,
    draft: ReviewForm,
    /// Why recording was rejected.
    rejected: Option<RejectedForm>,
}

impl Review {
    /// Reads a review with all changes from the active version.
    async fn read(cx: &Cx, id: PolicyId, number: u32) -> Result<Self, Problem> {
        let version = Version::read(cx, id, number).await?;
        let (against, changes) = changes(cx, &version.details).await?;
        let is_reviewer = cx.role().is_some_and(|role| role.has(Right::Review));
        let mut draft = ReviewForm::default();
        if is_reviewer && let Some(saved) = saved_review::read(cx, id, number).await? {
            draft = saved.into();
        }
        let is_checked = version.details.settings.maker_checker_enabled;
        let person = cx.human().ok().map(|human| human.user_id.to_string());
        let blocked_reason = blocked_reason(person.as_deref().filter(|_| is_checked), &version);
        let user = person.map(|id| ReviewUser {
            id,
            name: version.person.name.clone(),
            may_record: is_reviewer && blocked_reason.is_none(),
        });
        Ok(Self {
            reviewers: reviewers(&version.submissions, user.as_ref(), is_checked),
            against,
            scope: ChangeScope::All,
            same: same(&changes, version.own().rules.as_deref().unwrap_or_default()),
            viewed: (draft.viewed_count(&changes), changes.len()),
            changes,
            blocked_reason,
            is_reviewer,
            draft,
            rejected: None,
            version,
        })
    }

    /// Replaces the changes with those since the user's last review if the page shows only these. Marks and comments of
    /// rules without a difference are left out.
    fn show_since(&mut self, since: &mut Option<SinceReview>) {
        let since_changes = since.as_ref().map(|since| &*since.changes).unwrap_or_default();
        let differs = |is_same: &dyn Fn(&Change) -> bool| {
            self.changes.iter().chain(since_changes).any(is_same)
        };
        self.draft.viewed.retain(|mark| differs(&|change| change.mark == *mark));
        self.draft.comments.retain(|code, _| differs(&|change| change.code == *code));
        if let Some(since) = since.as_mut().filter(|_| self.scope == ChangeScope::SinceReview) {
            self.changes = std::mem::take(&mut since.changes);
            self.same = std::mem::take(&mut since.same);
        }
    }

    /// Returns whether the user can record a review now.
    fn may_record(&self) -> bool {
        self.is_reviewer && self.blocked_reason.is_none()
    }
}

/// Returns how the rules differ from those of the active version.
async fn changes(cx: &Cx, details: &VersionDetails) -> Result<(Option<u32>, Vec<Change>), Problem> {
    let diff = details.diff(cx, None).await?;
    let rules = details.version.rules.as_deref().unwrap_or_default();
    Ok((diff.against, differences(&diff, rules, policy::rule_digest)))
}

/// Returns why the user cannot record a review now. `person` is the ID of the user if maker-checker is on:
/// that user must not have sealed the submission.
fn blocked_reason(person: Option<&str>, version: &Version) -> Option<&'static str> {
    let PolicyVersion { status, draft_revision, .. } = *version.own();
    let is_open = matches!(status, VersionStatus::Draft | VersionStatus::Submitted);
    match version.submissions.first() {
        _ if !is_open => Some("This version is closed or ratified; there is nothing to review."),
        None if status == VersionStatus::Submitted => {
            Some("It was submitted without a review. The ratifier checks it on the version page.")
        }
        None => Some("Not submitted for review yet."),
        Some(newest) if newest.record.is_some() => {
            Some("This revision was already reviewed. Resubmit to request another review.")
        }
        Some(newest) if person.is_some() && newest.by_id.as_deref() == person => {
            Some("You submitted this version. Another person must review it.")
        }
        // A review covers only rules that the page shows.
        Some(newest) if newest.revision != draft_revision => {
            Some("The draft changed after submission. The author can resubmit it.")
        }
        Some(_) => None,
    }
}

/// `/t/{tenant}/policies/{policy}/versions/{version}/review`
pub async fn review() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let (policy, number) = (page::param("policy")?, page::param("version")?);
    let scope = ChangeScope::from_name(&page::query("changes")).unwrap_or(ChangeScope::SinceReview);
    let tab = ReviewTab::from_name(&page::query("tab")).unwrap_or(ReviewTab::Changes);
    let mut review = Review { scope, ..Review::read(&cx, policy, number).await? };
    let own = match tab {
        ReviewTab::Changes => scope.page(tenant, policy, number),
        tab => tab.page(tenant, policy, number),
    };
    let discussion = comment::discussion(&cx, &review.version, own.clone()).await?;
    let mut since = since_review(&cx, &review.version, &discussion).await?;
    review.show_since(&mut since);
    review.rejected = take_rejected(&own).await;
    let has_last_review = since.is_some();
    let since = since.filter(|_| scope == ChangeScope::SinceReview);
    let since = since.map(|since| (since.revision, since.summary)).unzip();
    let version = &review.version;
    let revision = version.revision();
    let newer = version.submissions.first().map(|newest| newest.revision);
    let revision_note = newer.filter(|newest| *newest != revision).map(|newest| {
        let text = format!("Submitted r{newest}, now r{revision}. You are reading r{revision}.");
        note(Tone::Warn, None, text)
    });
    let meta = meta(&review, since.0.as_deref());
    let content = match tab {
        ReviewTab::Changes => changes_tab(&review, &discussion, since.1, has_last_review),
        ReviewTab::Comments => {
            let section = comment::section(&discussion, &[]);
            beside_reviewers(&review, any_view! { <div>{section}</div> })
        }
        ReviewTab::Clauses => codification(version),
        ReviewTab::Timeline => {
            let list = submission_list(&version.submissions, revision, version.stage);
            let timeline = version.timeline();
            let content = view! {
                {timeline}
                {list}
            };
            beside_reviewers(&review, content.into_any())
        }
    };
    let title = format!("Review {} v{number}", contract::text::isolated(version.policy_name()));
    Ok(any_view! {
        {version.crumbs()}
        <div class="page-head">
            <Heading title />
            {stage_badge(version.stage)}
            <span class="tag">"r" {revision}</span>
        </div>
        {meta}
        {tabs(&review, &discussion, tab)}
        {revision_note}
        {content}
    })
}

/// Renders the tabs, with the numbers of changes, comments and clauses.
fn tabs(review: &Review, discussion: &Discussion, current: ReviewTab) -> AnyView {
    let version = &review.version;
    let tab = |tab: ReviewTab| {
        let count = match tab {
            ReviewTab::Changes => Some(review.viewed.1),
            ReviewTab::Comments => Some(discussion.count()),
            ReviewTab::Clauses => version.clauses.as_ref().map(|clauses| clauses.lines.len()),
            ReviewTab::Timeline => None,
        };
        Tab {
            href: tab.page(version.tenant, version.policy, version.version),
            label: tab.label(),
            count: count.map(|count| count as u64),
            is_current: tab == current,
        }
    };
    tab_links("Parts of the review", ReviewTab::ALL.map(tab).into())
}

/// Renders the content of a tab, next to the reviewers.
fn beside_reviewers(review: &Review, content: AnyView) -> AnyView {
    any_view! {
        <div class="with-rail">
            <div class="stack">{content}</div>
            <aside class="rail">{reviewer_list(review)}</aside>
        </div>
    }
}

/// Renders the rules that differ, with their index, and the bar with the verdict. `since` is the summary of the changes
/// since the user's last review, if the page shows only these.
fn changes_tab(
    review: &Review,
    discussion: &Discussion,
    since: Option<AnyView>,
    has_last_review: bool,
) -> AnyView {
    let version = &review.version;
    let is_new = since.is_none() && review.against.is_none();
    let is_new = is_new.then(|| {
        view! { <p class="text-muted">"No active version. All rules are new."</p> }
    });
    let links = has_last_review.then(|| scope_links(version, review.scope));
    let bar = review.may_record().then(|| change::bar(review, discussion.open_count()));
    let index = (!review.changes.is_empty()).then(|| change::index(review));
    let changes = change::list(review, discussion, since.is_some());
    let same = (!review.same.is_empty()).then(|| {
        let label = format!("The same in both: {}", count(review.same.len(), "rule", "rules"));
        let aside = clauses_by_rule(version.clauses.clone());
        view! {
            <details class="card disclosure">
                <summary>{label}</summary>
                <RuleList rules=review.same.clone() aside />
            </details>
        }
    });
    let codes: Vec<&str> = review.changes.iter().map(|change| change.code.as_str()).collect();
    let section = comment::section(discussion, &codes);
    // Clauses need the space next to the rules; the reviewers are then below.
    let layout = match (&index, &version.clauses) {
        (None, None) => "with-rail",
        (None, Some(_)) => "stack",
        (Some(_), None) => "review-grid",
        (Some(_), Some(_)) => "review-grid codified",
    };
    any_view! {
        {is_new}
        {links}
        <div class=layout>
            {index}
            <div class="stack">
                {version.change_reason()} {since.map(|since| view! { <div>{since}</div> })}
                {changes} {same} <div>{section}</div>
            </div> <aside class="rail">{reviewer_list(review)}</aside>
        </div>
        {bar}
    }
}

/// Renders what the rules are compared with, the submission, and the digest of the rules. `reviewed` is the revision of
/// the user's last review, if the page shows only the changes since then.
fn meta(review: &Review, reviewed: Option<&str>) -> AnyView {
    let against = match reviewed {
        Some(revision) => Some(format!("against {revision}, your last review")),
        None => review.against.map(|active| format!("against v{active}, the active version")),
    };
    let against = against.map(|text| view! { <span>{text}</span> });
    let submission = review.version.submissions.first().map(|newest| {
        let sequence = newest.sequence;
        let number = (sequence > 1).then(|| format!(", submission {sequence}"));
        view! {
            <span>
                "submitted by " <bdi class="font-semibold">{newest.by.clone()}</bdi> " "
                {minute(newest.at)} {number}
            </span>
        }
    });
    let digest = review.version.own().rules_digest.clone();
    any_view! {
        <p class="compare-meta text-muted">
            {against} {submission} <span>{DIGEST} " " {short_digest(digest, DIGEST)}</span>
        </p>
    }
}

/// Renders the links between the changes since the user's last review and all changes.
fn scope_links(version: &Version, scope: ChangeScope) -> AnyView {
    let link = |one: ChangeScope| {
        let href = one.page(version.tenant, version.policy, version.version);
        let label = match one {
            ChangeScope::SinceReview => "Since your last review",
            ChangeScope::All => "All changes",
        };
        view! {
            <a href=href aria-current=(one == scope).then_some("true")>
                {label}
            </a>
        }
    };
    any_view! {
        <div class="row">
            <nav class="segmented" aria-label="Changes to show">
                {ChangeScope::ALL.map(link)}
            </nav>
        </div>
    }
}
