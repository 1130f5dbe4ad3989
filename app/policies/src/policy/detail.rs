//! The page of one policy: an overview, the rules of the active version, and all versions.

mod overview;

use contract::analytics::{Analytics, BucketSize};
use governance::{
    authoring::policy::version::{self, PolicyHistory},
    base::error::{ResourceKind, not_found},
    insight::rollup,
};
use islands::editor::words as editor_words;
use page_kit::{
    names::name_policy,
    prelude::*,
    ui::{
        action_menu::{ActionLink, action_menu},
        note::undo_notice,
    },
};
use rules::rule::{
    markup::RulePages,
    view::{RuleLine, RulePage, RulePosition},
};

use super::{ACTIVE, NO_ACTIVE, TITLE};
use crate::{
    policy_form,
    version::{
        DraftDeleted,
        lifecycle::{Step, steps},
    },
    version_page::detail::new_draft,
};

/// `/t/{tenant}/policies/{policy}`
pub async fn policy() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("policy")?;
    let detail = Detail::read(&cx, id).await?;
    let deleted = take_result::<DraftDeleted>(&url::policy(tenant, id)).await;
    let tab = page::query("tab");
    let content = match &*tab {
        "rules" => rules(&detail),
        "versions" => versions(&detail),
        _ => overview::overview(&detail),
    };
    Ok(any_view! {
        {head(&cx, &detail)}
        {deleted.map(|_| undo_notice("Draft deleted.", ()))}
        {tabs(&detail, &tab)}
        {content}
    })
}

/// A policy with its versions, and its decisions in the last 30 days.
pub(super) struct Detail {
    pub(super) tenant: TenantId,
    pub(super) policy: Policy,
    /// The ID and the name of its group.
    pub(super) group: Option<(PolicyGroupId, String)>,
    /// The active version with its rules.
    pub(super) complete: Option<PolicyVersion>,
    /// All versions, newest first.
    pub(super) versions: Vec<VersionRow>,
    /// Its decisions and the results of rules in the last 30 days, over all versions.
    pub(super) recent: Analytics,
}

/// A version in the timeline of its policy.
pub(super) struct VersionRow {
    pub(super) version: PolicyVersion,
    pub(super) stage: VersionStage,
    /// All its events, newest first.
    pub(super) steps: Vec<Step>,
}

impl Detail {
    pub(super) async fn read(cx: &Cx, id: PolicyId) -> Result<Self, Problem> {
        let names = &directory(cx).await?.names;
        let PolicyHistory { mut policy, complete, versions, progress } =
            version::history(cx, id).await?;
        let row = |version: PolicyVersion| {
            let progress = progress.get(&version.version);
            let progress = progress.ok_or_else(|| not_found(ResourceKind::Version))?;
            let steps = steps(&version, Some(progress), names);
            Ok(VersionRow { version, stage: progress.stage, steps })
        };
        let versions = versions.into_iter().map(row).collect::<governance::Result<_>>()?;
        name_policy(&mut policy, names);
        let recent = rollup::analytics(cx, id, None, None, BucketSize::Day).await?;
        let mut group = None;
        if let Some(id) = policy.policy_group_id {
            let groups = policy_form::groups(cx).await?;
            let named = groups.into_iter().find(|(other, _)| *other == id);
            group = Some(named.unwrap_or_else(|| (id, id.to_string())));
        }
        Ok(Self { tenant: policy.tenant_id, policy, group, complete, versions, recent })
    }

    /// Returns the rules of the active version.
    pub(super) fn rules(&self) -> &[Rule] {
        let version = self.complete.as_ref();
        version.and_then(|version| version.rules.as_deref()).unwrap_or_default()
    }

    pub(super) fn active(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|row| row.version.is_active)
    }

    /// Returns the open version: a draft, or one that waits for ratification.
    fn open(&self) -> Option<&VersionRow> {
        self.versions.iter().find(|row| Some(row.version.version) == self.policy.draft_version)
    }

    /// Returns the version on its way to activation: the open version, or a newer ratified one than the
    /// active version.
    pub(super) fn upcoming(&self) -> Option<&VersionRow> {
        let active = self.active().map_or(0, |active| active.version.version);
        let is_ratified =
            |row: &&VersionRow| row.stage == VersionStage::Ratified && row.version.version > active;
        self.open().or_else(|| self.versions.iter().find(is_ratified))
    }
}

impl VersionRow {
    /// Returns the time of its last event.
    pub(super) fn last_at(&self) -> Timestamp {
        self.steps.first().map_or(self.version.created_at, |step| step.at)
    }
}

fn head(cx: &Cx, detail: &Detail) -> AnyView {
    let Detail { tenant, policy, .. } = detail;
    let tenant = *tenant;
    let has_right = |right| cx.role().is_some_and(|role| role.has(right));
    let (name, code) = (policy.name.clone(), policy.code.clone());
    let crumb = match detail.group.clone() {
        Some((id, name)) => {
            let inner = (url::group(tenant, id), name);
            any_view! { <Crumb href=url::policies(tenant) label=TITLE inner code /> }
        }
        None => any_view! { <Crumb href=url::policies(tenant) label=TITLE code /> },
    };
    let active = detail.active().map(|row| {
        view! {
            {stage_badge(VersionStage::Active)}
            <span class="tabular-nums">"v" {row.version.version}</span>
        }
    });
    let attempt = has_right(Right::Operate).then(|| {
        view! {
            <a class="button" href=url::try_page(tenant)>
                {icon(Icon::Try)}
                "Try a decision"
            </a>
        }
    });
    let may_write = has_right(Right::Author);
    let edit =
        may_write.then(|| ActionLink::new(url::edit_policy(tenant, policy.id), "Edit details"));
    let deactivate = (has_right(Right::Ratify) && active.is_some())
        .then(|| ActionLink::new(url::deactivate(tenant, policy.id), "Deactivate"));
    let links: Vec<_> = [edit, deactivate].into_iter().flatten().collect();
    let description = policy.description.clone().map(|text| {
        view! {
            <p class="intro">
                <bdi>{text}</bdi>
            </p>
        }
    });
    any_view! {
        {crumb}
        <div class="page-head">
            <Heading title=isolated(&policy.name)>
                <bdi>{name}</bdi>
            </Heading>
            {active}
            {mode_badge(policy.shadow_mode)}
            <div class="row push">
                {attempt} {main_action(detail, may_write)} {action_menu(links)}
            </div>
        </div>
        {description}
    }
}

/// Renders the next step: a new draft, or the version that is open.
fn main_action(detail: &Detail, may_write: bool) -> AnyView {
    let (tenant, id) = (detail.tenant, detail.policy.id);
    let Some(open) = detail.open() else {
        let newest = detail.active().or(detail.versions.first());
        let based_on = newest.map_or(0, |row| row.version.version);
        return may_write.then(|| new_draft(tenant, id, based_on, true)).into_any();
    };
    let number = open.version.version;
    let (href, label) = if open.version.status == VersionStatus::Draft && may_write {
        (url::edit_version(tenant, id, number), editor_words::edit(number))
    } else if open.stage == VersionStage::WaitingForReview {
        (url::review(tenant, id, number), format!("Review v{number}"))
    } else {
        (url::version(tenant, id, number), format!("Open v{number}"))
    };
    any_view! {
        <a class="button primary" href=href>
            {label}
        </a>
    }
}

fn tabs(detail: &Detail, tab: &str) -> AnyView {
    let (tenant, id) = (detail.tenant, detail.policy.id);
    let current = if matches!(tab, "rules" | "versions") { tab } else { "" };
    let own = |name, label, count: Option<usize>| Tab {
        href: url::policy_tab(tenant, id, name),
        label,
        count: count.map(|count| count as u64),
        is_current: name == current,
    };
    let page = |href, label| Tab { href, label, count: None, is_current: false };
    let tabs = vec![
        own("", "Overview", None),
        own("rules", "Rules", Some(detail.rules().len())),
        own("versions", "Versions", Some(detail.versions.len())),
        page(url::decisions_by(tenant, id), "Decisions"),
        page(url::analytics(tenant, id), "Analytics"),
    ];
    tab_links("Parts of the policy", tabs)
}

/// Renders the heading of the active version, with a link to it.
fn active_heading(detail: &Detail, active: &VersionRow) -> AnyView {
    let (version, at) = (active.version.version, active.last_at());
    let href = url::version(detail.tenant, detail.policy.id, version);
    let rules = count(detail.rules().len(), "rule", "rules");
    any_view! {
        <div class="card-head">
            <h2 id="active-version">{ACTIVE} " " <a href=href>"v" {version}</a></h2>
            <p class="text-muted text-xs">{rules} ", since " {minute(at)}</p>
        </div>
    }
}

fn no_active_version() -> AnyView {
    any_view! {
        <section class="card">
            <h2>{ACTIVE}</h2>
            <p class="text-muted">{NO_ACTIVE}</p>
        </section>
    }
}

/// Renders all rules of the active version, in parts if there are many.
fn rules(detail: &Detail) -> AnyView {
    let Some(active) = detail.active() else { return no_active_version() };
    let heading = active_heading(detail, active);
    let path = url::policy_tab(detail.tenant, detail.policy.id, "rules");
    let position = RulePosition { number: page::query("rules"), code: page::query("rule") };
    let page = RulePage::all(detail.rules().iter().map(RuleLine::from).collect()).at(&position);
    any_view! { <section class="card">{heading} <RulePages path page /></section> }
}

/// Renders all versions with their events and reviews, newest first.
fn versions(detail: &Detail) -> AnyView {
    let (tenant, id) = (detail.tenant, detail.policy.id);
    let version = |row: &VersionRow| {
        let number = row.version.version;
        let reason = row.version.change_reason.clone().map(|text| {
            view! {
                <p class="text-muted">
                    <bdi>{text}</bdi>
                </p>
            }
        });
        view! {
            <li>
                <div class="row">
                    <a
                        class="font-semibold tabular-nums"
                        href=url::version(tenant, id, number)
                        data-row=""
                    >
                        "v"
                        {number}
                    </a>
                    {stage_badge(row.stage)}
                </div>
                {reason}
                <ul class="plain-list text-muted text-xs">
                    {row.steps.iter().map(step).collect_view()}
                </ul>
            </li>
        }
    };
    let compare = match detail.versions.as_slice() {
        [newest, _, ..] => Some(url::compare(tenant, id, newest.version.version)),
        _ => None,
    };
    let compare = compare.map(|href| view! { <a href=href>"Compare"</a> });
    let content = if detail.versions.is_empty() {
        any_view! { <p class="text-muted">"No versions yet."</p> }
    } else {
        let versions = detail.versions.iter().map(version).collect_view();
        any_view! { <ol class="timeline">{versions}</ol> }
    };
    any_view! {
        <section class="card">
            <div class="card-head">
                <h2>"Versions"</h2>
                {compare}
            </div>
            {content}
        </section>
    }
}

fn step(step: &Step) -> AnyView {
    let Step { what, revision, at, ref by } = *step;
    let revision = revision.map(|revision| {
        view! {
            " r"
            {revision}
        }
    });
    any_view! { <li>{what.label()} {revision} " " {minute_by(at, by.clone())}</li> }
}
