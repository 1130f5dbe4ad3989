//! The comparison of two versions: each rule that differs, with its changed properties and its comments.

mod rule;

use leptos::prelude::*;

use self::rule::RuleView;
use super::{
    act::read_comparison,
    view::{ComparePage as Comparison, Layout},
    words as strings,
};
use crate::{
    comment::markup as comment_markup,
    policy::words as policy_words,
    review::{page::review_form::SubmissionList, view::ChangeKind, words as review_words},
    text::url,
    ui::{badge::StageBadge, field::options, heading::Heading, load::load, params, time::Minute},
    version::{
        actions::{AvailableAction, VersionAction},
        lifecycle::Lifecycle,
        markup::{ChangeReason, Crumbs},
        proof::RulesDigest,
        view::VersionPage,
    },
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/compare`
#[component]
pub(crate) fn ComparePage() -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let (against, to, layout) =
        (params::query("against"), params::query("to"), params::query("layout"));
    load(
        move || (tenant(), policy(), version(), (against(), to(), layout())),
        async |(tenant, policy, version, (against, to, layout))| {
            let layout = Layout::read(&layout);
            read_comparison(tenant?, policy?, version?, against, to, layout).await
        },
        |page| view! { <CompareContent page /> }.into_any(),
    )
}

#[component]
fn CompareContent(page: Comparison) -> impl IntoView {
    let Comparison { version, against, rules, discussion, layout, .. } = page.clone();
    let title = strings::title(against, version.version);
    let codes: Vec<&str> = rules.iter().map(|rule| rule.code.as_str()).collect();
    let section = comment_markup::section(&discussion, &codes);
    let empty = match against {
        None => Some(strings::ONLY_VERSION),
        Some(_) if rules.is_empty() => Some(strings::SAME_RULES),
        Some(_) => None,
    };
    let empty = empty.map(|text| view! { <p class="text-muted">{text}</p> });
    let numbers = (against, version.version);
    let rules = rules.into_iter().map(|rule| {
        let comments = comment_markup::of_rule(&discussion, &rule.code);
        view! { <RuleView rule layout numbers comments /> }
    });
    view! {
        <Crumbs version=version.clone() />
        <div class="page-head">
            <Heading title />
            <StageBadge stage=version.stage />
            <span class="tag">"r" {version.revision}</span>
            <div class="row push">{actions(&version)}</div>
        </div>
        <Meta page=page.clone() />
        <Lifecycle version=version.clone() />
        <Selection page=page.clone() />
        <div class="with-rail">
            <div class="stack comparison">
                <ChangeReason reason=version.change_reason.clone() />
                <section class="stack" aria-label=review_words::CHANGES>
                    {empty}
                    {rules.collect_view()}
                </section>
                <SameRules rules=page.same />
                {section}
            </div>
            <aside class="rail">
                <SubmissionList
                    sealed=page.submissions
                    revision=version.revision
                    stage=version.stage
                />
                <RulesDigest version has_bytes=true />
            </aside>
        </div>
    }
}

/// The links to ratify or to activate the version, with the reason if that is not possible now.
fn actions(version: &VersionPage) -> AnyView {
    let own = url::version(version.tenant, version.policy, version.version);
    let number = version.version;
    let action = |offer: &AvailableAction| match &offer.refusal {
        None => {
            let href = format!("{own}/{}", offer.act.word());
            view! {
                <a class="button primary" href=href data-key="r">
                    {offer.act.button(number)}
                </a>
            }
            .into_any()
        }
        Some(reason) => {
            let id = format!("why-not-{}", offer.act.word());
            view! {
                <div class="unavailable">
                    <span id=id.clone() class="text-xs text-muted">
                        {reason.clone()}
                    </span>
                    <button type="button" class="button" aria-disabled="true" aria-describedby=id>
                        {offer.act.button(number)}
                    </button>
                </div>
            }
            .into_any()
        }
    };
    let is_shown = |offer: &&AvailableAction| {
        matches!(offer.act, VersionAction::Ratify | VersionAction::Activate)
    };
    let actions = version.offers.iter().filter(is_shown).map(action).collect_view();
    view! {
        <a class="button" href=own.clone()>
            {strings::OPEN_VERSION}
        </a>
        {actions}
    }
    .into_any()
}

/// What is compared, the numbers of differences, and the review of the revision.
#[component]
fn Meta(page: Comparison) -> impl IntoView {
    let count = |kind: ChangeKind| {
        let number = page.rules.iter().filter(|rule| rule.kind == kind).count();
        (number, kind.appearance().1)
    };
    let summary = strings::summary(
        [ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed, ChangeKind::Moved].map(count),
    );
    let active =
        page.version.deciding.as_ref().filter(|active| Some(active.version) == page.against);
    let since = active.map(|active| {
        view! {
            {strings::THE_ACTIVE}
            {active
                .since
                .map(|since| {
                    view! {
                        " "
                        {policy_words::SINCE}
                        " "
                        <Minute at=since />
                    }
                })}
        }
    });
    let against = page.against.map(|number| {
        view! { <span>{strings::COMPARED_WITH} " " <b class="tabular-nums">"v" {number}</b> {since}</span> }
    });
    let review = page.version.review.map(|record| {
        let label = match record.verdict {
            contract::policy::ReviewVerdict::Accept => strings::REVIEWED_BY,
            contract::policy::ReviewVerdict::Return => strings::RETURNED_BY,
        };
        view! { <span>{label} " " <bdi class="font-semibold">{record.by}</bdi></span> }
    });
    view! {
        <p class="compare-meta text-muted">
            <bdi>{page.version.policy_name}</bdi>
            {against}
            {review}
            <span>{summary}</span>
        </p>
    }
}

/// The form that chooses the versions, and the links that choose the layout.
#[component]
fn Selection(page: Comparison) -> impl IntoView {
    let own = url::compare(page.version.tenant, page.version.policy, page.version.version);
    let against = page.against.map(|number| number.to_string()).unwrap_or_default();
    let layout = page.layout;
    let link = |one: Layout| {
        let query = [("against", against.as_str()), ("layout", one.word())];
        let href = url::with_query(&own, &query);
        view! {
            <a class="button" href=href aria-current=(one == layout).then_some("true")>
                {one.label()}
            </a>
        }
    };
    let links = Layout::ALL.map(link);
    let choice = |(number, stage): &(u32, String)| {
        (number.to_string(), format!("v{number}, {}", stage.to_lowercase()))
    };
    let choices: Vec<(String, String)> = page.versions.iter().map(choice).collect();
    let current = page.version.version.to_string();
    let hidden = (layout != Layout::default())
        .then(|| view! { <input type="hidden" name="layout" value=layout.word() /> });
    let form = (choices.len() > 1).then(|| {
        view! {
            <form method="get" action=own.clone() class="filters">
                <label class="field">
                    <span>{strings::FROM}</span>
                    <select name="against">{options(choices.clone(), &against)}</select>
                </label>
                <label class="field">
                    <span>{strings::TO}</span>
                    <select name="to">{options(choices, &current)}</select>
                </label>
                {hidden}
                <button>{policy_words::COMPARE}</button>
            </form>
        }
    });
    view! {
        <div class="compare-bar">
            {form} <nav class="segments" aria-label=strings::LAYOUT>
                {links}
            </nav>
        </div>
    }
}

/// The codes and names of the rules that both versions have.
#[component]
fn SameRules(rules: Vec<(String, Option<String>)>) -> impl IntoView {
    let count = strings::same(rules.len());
    let item = |(code, name): (String, Option<String>)| {
        view! {
            <li>
                <bdi class="rule-code">{code}</bdi>
                " "
                <bdi>{name}</bdi>
            </li>
        }
    };
    (!rules.is_empty()).then(|| {
        view! {
            <details class="card disclosure">
                <summary>{count}</summary>
                <ul class="plain-list">{rules.into_iter().map(item).collect_view()}</ul>
            </details>
        }
    })
}
