//! The comparison of two versions: each rule that differs, with its changed properties and its comments.

mod change;
pub(crate) mod changes;
mod rule;

use page_kit::{prelude::*, text::verdict::stage};

pub use self::{
    change::{Change, ChangeKind, changes as differences, member, same},
    rule::{description, marked},
};
use self::{
    change::{RuleComparison, comparisons},
    rule::rule_view,
};
use crate::{
    comment,
    version::{
        Version,
        actions::{AvailableAction, VersionAction},
        submission::submission_list,
    },
};

contract::named_enum! {
    /// How changed rules are shown. Its name is the value in addresses.
    enum Layout {
        SideBySide = "",
        Unified = "unified",
    }
}

impl Layout {
    const fn label(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Unified => "Unified",
        }
    }
}

/// `/t/{tenant}/policies/{policy}/versions/{version}/compare`
///
/// Compares the version with `against`, or with the active version if that is empty. If `to` names another version, it
/// redirects to the comparison of that version.
pub async fn compare() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let (policy, number) = (page::param("policy")?, page::param("version")?);
    let (against, layout) = (page::query("against"), page::query("layout"));
    // An unknown value means the default.
    let layout = Layout::from_name(&layout).unwrap_or(Layout::SideBySide);
    let address = |number| {
        let query = [("against", against.as_str()), ("layout", layout.as_str())];
        url::with_query(&url::compare(tenant, policy, number), &query)
    };
    if let Ok(other) = page::query("to").parse::<u32>()
        && other != number
    {
        request::redirect(&address(other));
    }
    // No version has the number 0.
    let base = (!against.is_empty()).then(|| against.parse().unwrap_or(0));
    let mut version = Version::read(&cx, policy, number).await?;
    version.shows_bytes = false;
    let diff = version.details.diff(&cx, base).await?;
    let (against, rules) = (diff.against, version.own().rules.as_deref().unwrap_or_default());
    let compared = comparisons(&diff, rules);
    let differs = |code: &str| compared.iter().any(|rule| rule.change.code == code);
    let same = rules.iter().filter(|rule| !differs(&rule.code));
    let same: Vec<_> = same.map(|rule| (rule.code.clone(), rule.name.clone())).collect();
    let discussion = comment::discussion(&cx, &version, address(number)).await?;
    let title = match against {
        Some(against) => format!("Compare v{against} and v{number}"),
        None => format!("Compare v{number}"),
    };
    let codes: Vec<&str> = compared.iter().map(|rule| rule.change.code.as_str()).collect();
    let section = comment::section(&discussion, &codes);
    let empty = match against {
        None => Some("No other version to compare with. All rules are new."),
        Some(_) if compared.is_empty() => Some("These versions have the same rules."),
        Some(_) => None,
    };
    let empty = empty.map(|text| view! { <p class="text-muted">{text}</p> });
    let meta = meta(&version, against, &compared);
    let before = against.map(|number| format!("v{number}")).unwrap_or_default();
    let labels = [before, format!("v{number}")];
    let compared = compared.into_iter().map(|rule| {
        let comments = comment::of_rule(&discussion, &rule.change.code);
        rule_view(rule, layout, &labels, comments)
    });
    let compared = compared.collect_view();
    let (revision, bytes) = (version.revision(), version.bytes(None));
    Ok(any_view! {
        {version.crumbs()}
        <div class="page-head">
            <Heading title />
            {stage_badge(version.stage)}
            <span class="tag">"r" {revision}</span>
            <div class="row push">{actions(&version)}</div>
        </div>
        {meta}
        {version.lifecycle()}
        {selection(&version, against, layout)}
        <div class="with-rail">
            <div class="stack comparison">
                {version.change_reason()} <section class="stack" aria-label="Changes">
                    {empty}
                    {compared}
                </section> {same_rules(same)} {section}
            </div>
            <aside class="rail">
                {submission_list(&version.submissions, revision, version.stage)}
                {version.digest_card(Some(bytes))}
            </aside>
        </div>
    })
}

/// Renders the links to ratify or to activate the version, with the reason if that is not possible now.
fn actions(version: &Version) -> AnyView {
    let number = version.version;
    let action = |own: &AvailableAction| match own.refusal {
        None => {
            let href = format!("{}/{}", version.page(), own.act.word());
            any_view! {
                <a class="button primary" href=href data-key="r">
                    {own.act.button(number)}
                </a>
            }
        }
        Some(reason) => {
            let id = format!("why-not-{}", own.act.word());
            any_view! {
                <div class="unavailable">
                    <span id=id.clone() class="text-xs text-muted">
                        {reason}
                    </span>
                    <button type="button" class="button" aria-disabled="true" aria-describedby=id>
                        {own.act.button(number)}
                    </button>
                </div>
            }
        }
    };
    let is_shown =
        |own: &&AvailableAction| matches!(own.act, VersionAction::Ratify | VersionAction::Activate);
    let actions = version.actions.iter().filter(is_shown).map(action).collect_view();
    any_view! {
        <a class="button" href=version.page()>
            "Open version"
        </a>
        {actions}
    }
}

/// Renders what is compared, the numbers of differences, and the review of the revision.
fn meta(version: &Version, against: Option<u32>, rules: &[RuleComparison]) -> AnyView {
    let number = |kind: ChangeKind| {
        let number = rules.iter().filter(|rule| rule.change.kind == kind).count();
        (number > 0).then(|| format!("{number} {}", kind.appearance().1))
    };
    let kinds = [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved];
    let summary = kinds.into_iter().filter_map(number).collect::<Vec<_>>().join(", ");
    let active = version.active().filter(|active| Some(active.version) == against);
    let active = active.map(|active| {
        let since = active.activated_at.map(|since| {
            view! {
                " since "
                {minute(since)}
            }
        });
        view! {
            ", the active version"
            {since}
        }
    });
    let against = against.map(|number| {
        view! { <span>"compared with " <b class="tabular-nums">"v" {number}</b> {active}</span> }
    });
    let review = version.review().map(|record| {
        let label = match record.verdict {
            ReviewVerdict::Accept => "accepted by",
            ReviewVerdict::Return => "changes requested by",
        };
        view! { <span>{label} " " <bdi class="font-semibold">{record.by.clone()}</bdi></span> }
    });
    any_view! {
        <p class="compare-meta text-muted">
            <bdi>{version.policy_name().to_owned()}</bdi>
            {against}
            {review}
            <span>{summary}</span>
        </p>
    }
}

/// Renders the form that chooses the versions, and the links that choose the layout.
fn selection(version: &Version, against: Option<u32>, layout: Layout) -> AnyView {
    let own = url::compare(version.tenant, version.policy, version.version);
    let against = against.map(|number| number.to_string()).unwrap_or_default();
    let links = Layout::ALL.map(|one| {
        let query = [("against", against.as_str()), ("layout", one.as_str())];
        let href = url::with_query(&own, &query);
        view! {
            <a class="button" href=href aria-current=(one == layout).then_some("true")>
                {one.label()}
            </a>
        }
    });
    let versions = version.details.progress.iter().rev();
    let choices = versions.map(|(number, progress)| {
        (number.to_string(), format!("v{number}, {}", stage(progress.stage).to_lowercase()))
    });
    let choices: Vec<_> = choices.collect();
    let current = version.version.to_string();
    let hidden = (layout != Layout::SideBySide)
        .then(|| view! { <input type="hidden" name="layout" value=layout.as_str() /> });
    let form = (choices.len() > 1).then(|| {
        view! {
            <form method="get" action=own.clone() class="filters">
                <label class="field">
                    <span>"From"</span>
                    <select name="against">{options(choices.clone(), &against)}</select>
                </label>
                <label class="field">
                    <span>"To"</span>
                    <select name="to">{options(choices, &current)}</select>
                </label>
                {hidden}
                <button>"Compare"</button>
            </form>
        }
    });
    any_view! {
        <div class="compare-bar">
            {form} <nav class="segments" aria-label="Layout">
                {links}
            </nav>
        </div>
    }
}

/// Renders the codes and names of the rules that both versions have.
fn same_rules(rules: Vec<(String, Option<String>)>) -> Option<AnyView> {
    if rules.is_empty() {
        return None;
    }
    let label = format!("The same in both: {}", count(rules.len(), "rule", "rules"));
    let item = |(code, name): (String, Option<String>)| {
        view! {
            <li>
                <bdi class="rule-code">{code}</bdi>
                " "
                <bdi>{name}</bdi>
            </li>
        }
    };
    Some(any_view! {
        <details class="card disclosure">
            <summary>{label}</summary>
            <ul class="plain-list">{rules.into_iter().map(item).collect_view()}</ul>
        </details>
    })
}
