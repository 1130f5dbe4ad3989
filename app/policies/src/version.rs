//! Versions of policies: what the pages of a version show of it. `version_page` is its own page, with its actions.

pub mod actions;
pub(crate) mod lifecycle;
pub(crate) mod submission;

use governance::{authoring::policy::version::VersionDetails, base::json::to_json};
use page_kit::{
    prelude::*,
    request::{Person, current_page, signed_in, user_tenants},
    ui::stamp::digest_seal,
};
use rules::{
    clause::view::Clauses,
    rule::view::{RuleLine, RulePage, RulePosition},
};

use self::{
    actions::{ActionContext, AvailableAction, VersionAction, available_actions},
    lifecycle::{Step, steps},
    submission::{RecordLine, SubmissionLine},
};

pub(crate) const DIGEST: &str = "Rules digest";
pub(crate) const TIMELINE: &str = "Timeline";
pub(crate) const INACTIVE: &str = "Inactive";

/// The result of the deletion of a draft, for the page of its policy.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct DraftDeleted;

/// A version, with what its pages show of it to the user.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "`version` is its number, as in addresses and forms")]
pub(crate) struct Version {
    pub(crate) tenant: TenantId,
    pub(crate) policy: PolicyId,
    pub(crate) version: u32,
    pub(crate) details: Arc<VersionDetails>,
    pub(crate) stage: VersionStage,
    /// The canonical rules, whose digest identifies them.
    canonical: String,
    /// Whether its pages contain the canonical rules also if there are many.
    pub(crate) shows_bytes: bool,
    /// Its rules in authored order.
    pub(crate) rules: RulePage,
    pub(crate) clauses: Option<Clauses>,
    /// Its events, newest first.
    pub(crate) steps: Vec<Step>,
    /// The actions available to the user.
    pub(crate) actions: Vec<AvailableAction>,
    /// The submissions with their review records, newest first.
    pub(crate) submissions: Vec<SubmissionLine>,
    /// The requested changes that the next submission must reference.
    pub(crate) answers: Option<RecordLine>,
    /// Whether the user can write drafts.
    pub(crate) may_write: bool,
    /// The signed-in user, who would sign.
    pub(crate) person: Person,
    /// The time since the user last entered the password, as text.
    pub(crate) signed_in_for: String,
    /// The ID of the key that signs approvals; absent if approvals are not signed.
    pub(crate) key: Option<String>,
}

impl Version {
    /// Reads a version with the actions available to the user.
    pub(crate) async fn read(cx: &Cx, id: PolicyId, number: u32) -> Result<Self, Problem> {
        let details = request::version(cx, id, number).await?;
        let names = &directory(cx).await?.names;
        let tenants = user_tenants(&signed_in(&current_page())?).await?;
        let line = |submission: &ReviewSubmission| SubmissionLine::new(submission.clone(), names);
        let submissions: Vec<_> = details.submissions().map(line).collect();
        let (own, progress) = (&details.version, details.progress.get(&number));
        let rules = own.rules.as_deref().unwrap_or_default();
        let clauses = own.codification_record.clone();
        let confirmed_at = cx.human().ok().map(|human| human.confirmed_at.millis());
        let signed_in_for = confirmed_at.map(|at| time::span(cx.now.millis().saturating_sub(at)));
        Ok(Self {
            tenant: details.policy.tenant_id,
            policy: details.policy.id,
            version: own.version,
            stage: progress.map_or(VersionStage::Draft, |own| own.stage),
            // The bytes behind the digest. Source: receipts, section 3.
            canonical: canonical_rules(own)?.to_canonical(),
            shows_bytes: true,
            rules: RulePage::all(rules.iter().map(RuleLine::from).collect()),
            clauses: clauses.map(|record| Clauses::of(*record, rules)),
            steps: steps(own, progress, names),
            actions: current_actions(cx, &details, review_of(&submissions, own)),
            answers: details.requested_changes().and_then(|submission| line(submission).record),
            submissions,
            may_write: cx.role().is_some_and(|role| role.has(Right::Author)),
            person: Person::from(tenants.session()),
            signed_in_for: signed_in_for.unwrap_or_default(),
            key: cx.governance().approval_key_id().map(str::to_owned),
            details,
        })
    }

    /// Returns the version itself. Its actors are IDs.
    pub(crate) fn own(&self) -> &PolicyVersion {
        &self.details.version
    }

    pub(crate) fn policy_name(&self) -> &str {
        &self.details.policy.name
    }

    pub(crate) fn revision(&self) -> u32 {
        self.own().draft_revision
    }

    /// Returns the address of its page.
    pub(crate) fn page(&self) -> String {
        url::version(self.tenant, self.policy, self.version)
    }

    /// Returns the review record of exactly this revision.
    pub(crate) fn review(&self) -> Option<&RecordLine> {
        review_of(&self.submissions, self.own())
    }

    /// Returns the active version of the policy, if it is another one.
    pub(crate) fn active(&self) -> Option<&PolicyVersion> {
        let active = self.details.versions.iter().find(|other| other.is_active);
        active.filter(|other| other.version != self.version)
    }

    /// Returns the version with only the rules at `position`.
    #[must_use]
    pub(crate) fn at(mut self, position: &RulePosition, shows_bytes: bool) -> Self {
        self.rules = self.rules.at(position);
        self.shows_bytes = shows_bytes;
        self
    }

    /// Returns whether `action` is available and possible now.
    pub(crate) fn allows(&self, action: VersionAction) -> bool {
        self.actions.iter().any(|own| own.act == action && own.refusal.is_none())
    }

    /// Returns whether the user can edit it to address requested changes. A submitted version is recalled then.
    pub(crate) fn has_requested_changes(&self) -> bool {
        let is_open = matches!(self.own().status, VersionStatus::Draft | VersionStatus::Submitted);
        is_open && self.may_write && self.answers.is_some()
    }

    /// Returns whether it is part of the history only.
    pub(crate) fn is_history(&self) -> bool {
        use VersionStage::{Inactive, Replaced, SetAside};
        matches!(self.stage, Inactive | Replaced | SetAside)
    }

    /// Renders the links to the list of policies and to its policy.
    pub(crate) fn crumbs(&self) -> AnyView {
        let inner = (url::policy(self.tenant, self.policy), self.policy_name().to_owned());
        any_view! { <Crumb href=url::policies(self.tenant) label="Policies" inner /> }
    }

    /// Renders its phases. A version that was closed or replaced has none.
    pub(crate) fn lifecycle(&self) -> Option<AnyView> {
        let replaced = self.active().map(|active| active.version);
        let phases = lifecycle::phase_list(self.stage, &self.steps, replaced)?;
        Some(any_view! {
            <section class="card flush lifecycle" aria-labelledby="lifecycle">
                <h2 id="lifecycle" class="sr-only">
                    "Lifecycle"
                </h2>
                {phases}
            </section>
        })
    }

    /// Renders its events, newest first, and the reason for it.
    pub(crate) fn timeline(&self) -> AnyView {
        let item = |step: &Step| {
            view! {
                <li>
                    <p class="font-semibold tabular-nums">
                        {step.what.label()} {step.revision.map(|revision| format!(" r{revision}"))}
                    </p>
                    <p class="text-xs text-muted">{minute_by(step.at, step.by.clone())}</p>
                </li>
            }
        };
        any_view! {
            <section class="card">
                <h2>{TIMELINE}</h2>
                {self.own().change_reason.clone().map(quote)}
                <ol class="timeline">{self.steps.iter().map(item).collect_view()}</ol>
            </section>
        }
    }

    /// Renders the author's reason for it, above its changes.
    pub(crate) fn change_reason(&self) -> Option<AnyView> {
        let reason = self.own().change_reason.clone()?;
        Some(any_view! {
            <div class="why-change">
                <p>
                    <bdi>{reason}</bdi>
                </p>
                <p class="text-xs text-muted">"Reason for this version"</p>
            </div>
        })
    }

    /// Renders the digest of the rules with its seal, what the version would replace, and `bytes`.
    pub(crate) fn digest_card(&self, bytes: Option<AnyView>) -> AnyView {
        let digest = self.own().rules_digest.clone();
        let is_pending = !self.own().is_active && !self.is_history();
        let replaces = is_pending
            .then(|| view! { <dl class="viewed">{fact("Replaces", self.replaced())}</dl> });
        any_view! {
            <section class="card stack" aria-labelledby="digest">
                <h2 id="digest">{DIGEST}</h2>
                <p class="text-xs text-muted">
                    "Fingerprint of the exact rules. Signatures cover it."
                </p>
                {digest_seal(&digest)}
                {digest_code(digest, DIGEST)}
                {replaces}
                {bytes}
            </section>
        }
    }

    /// Renders the active version that an activation replaces.
    pub(crate) fn replaced(&self) -> AnyView {
        let Some(active) = self.active() else {
            return "None. This policy has no active version.".into_any();
        };
        let since = active.activated_at.map(|at| {
            view! {
                ", active since "
                {minute(at)}
            }
        });
        any_view! {
            <span class="tabular-nums">"v" {active.version}</span>
            {since}
        }
    }

    /// Renders the canonical rules, which are the exact bytes behind the digest. With many rules, a link opens the page
    /// that contains them.
    pub(crate) fn bytes(&self, id: Option<&'static str>) -> AnyView {
        let label = count(self.canonical.len(), "byte", "bytes");
        let label = format!("Show the exact bytes ({label})");
        if self.rules.is_paged() && !self.shows_bytes {
            let href = format!("{}#bytes", url::with_query(&self.page(), &[("bytes", "1")]));
            return any_view! {
                <p>
                    <a href=href>{label}</a>
                </p>
            };
        }
        any_view! {
            <details class="disclosure" id=id open=self.rules.is_paged()>
                <summary>{label}</summary>
                {code_block(self.canonical.clone(), "Canonical rules")}
            </details>
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("{} v{}", isolated(self.policy_name()), self.version)
    }
}

/// Returns the review record of exactly the revision of `version`. The newest submission is first.
fn review_of<'s>(
    submissions: &'s [SubmissionLine],
    version: &PolicyVersion,
) -> Option<&'s RecordLine> {
    let newest = submissions.first()?;
    newest.record.as_ref().filter(|_| newest.revision == version.draft_revision)
}

pub(crate) fn canonical_rules(version: &PolicyVersion) -> Result<Value, Problem> {
    Ok(to_json(version.rules.as_deref().unwrap_or_default()).map_err(governance::Error::from)?)
}

/// Returns the actions available to the user. `review` is the record of the current revision.
fn current_actions(
    cx: &Cx,
    details: &VersionDetails,
    review: Option<&RecordLine>,
) -> Vec<AvailableAction> {
    let version = &details.version;
    let refused = details.ratification_refusal.as_ref();
    let has_reason = |reason: &str| refused.and_then(governance::Refusal::reason) == Some(reason);
    available_actions(ActionContext {
        role: cx.role().unwrap_or(Role::Viewer),
        status: version.status,
        is_active: version.is_active,
        was_sealed: details.submissions().next().is_some(),
        was_active: version.activated_at.is_some(),
        is_unsent: has_reason("VERSION_NOT_SUBMITTED"),
        has_unknown_maker: has_reason("MAKER_UNKNOWN"),
        is_blocked: refused.map(|refusal| refusal.code) == Some(ErrorCode::MakerCheckerViolation),
        was_returned: review.is_some_and(|record| record.verdict == ReviewVerdict::Return),
        review_required: has_reason("REVIEW_REQUIRED"),
    })
}
