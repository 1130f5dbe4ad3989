//! Lists of rules, written as sentences.

use page_kit::{prelude::*, text::rule::rule_type_info};

use super::view::{RuleLine, RulePage, pager};

/// A function that returns the content next to a rule, by the rule's code.
pub type RuleAside = Arc<dyn Fn(&str) -> AnyView + Send + Sync>;

/// Rules in authored order. `full` adds description, type and source; `aside` adds content next to each rule.
#[component]
pub fn RuleList(
    rules: Vec<RuleLine>,
    #[prop(optional)] full: bool,
    #[prop(optional_no_strip)] aside: Option<RuleAside>,
) -> impl IntoView {
    let item = move |rule: RuleLine| match &aside {
        None => any_view! { <RuleItem rule full /> },
        Some(aside) => {
            let next = aside(&rule.code);
            any_view! { <RuleItem rule full next=Some(next) /> }
        }
    };
    view! { <ol class="rules">{rules.into_iter().map(item).collect_view()}</ol> }
}

/// The rules of a version with all details, in parts if there are many.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub fn RulePages(
    /// The address of the page, which may have a query.
    path: String,
    page: RulePage,
) -> AnyView {
    let pager = page.is_paged().then(|| pager(&path, &page));
    any_view! {
        <RuleList rules=page.rules full=true />
        {pager}
    }
}

#[component]
fn RuleItem(
    rule: RuleLine,
    full: bool,
    #[prop(optional_no_strip)] next: Option<AnyView>,
) -> impl IntoView {
    let inactive = (!rule.is_active).then(|| view! { <span class="plain">"Inactive"</span> });
    let kind = rule_type_info(rule.rule_type).map_or("", |info| info.label);
    let id = format!("rule-{}", rule.code);
    let class = match (rule.is_active, next.is_some()) {
        (true, false) => "",
        (false, false) => "off",
        (true, true) => "aside",
        (false, true) => "aside off",
    };
    let content = view! {
        <div class="rule-head">
            <div>
                <bdi class="rule-code">{rule.code}</bdi>
                <bdi class="font-semibold">{rule.name}</bdi>
                {full.then(|| view! { <span class="plain">{kind}</span> })}
                {inactive}
            </div>
            {severity_chip(rule.severity)}
        </div>
        <p>{sentence(rule.sentence)}</p>
        {full
            .then(|| {
                view! {
                    {rule
                        .description
                        .map(|text| {
                            view! {
                                <p class="text-muted">
                                    <bdi>{text}</bdi>
                                </p>
                            }
                        })}
                    {rule.source.map(source_line)}
                }
            })}
    };
    match next {
        None => any_view! {
            <li id=id class=class>
                {content}
            </li>
        },
        Some(next) => any_view! {
            <li id=id class=class>
                <div>{content}</div>
                {next}
            </li>
        },
    }
}

/// The source reference of a rule. Only web addresses become links.
pub fn source_line(source: contract::rule::SourceRef) -> AnyView {
    let parts = [source.document, source.section];
    let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let url = source.url.filter(|url| url.starts_with("https://") || url.starts_with("http://"));
    let content = match url {
        Some(url) => {
            let text = if text.is_empty() { url.clone() } else { text };
            any_view! {
                <a href=url rel="noopener noreferrer nofollow" target="_blank">
                    <bdi>{text}</bdi>
                </a>
            }
        }
        None => any_view! { <bdi>{text}</bdi> },
    };
    any_view! { <p class="text-xs text-muted">"Source: " {content}</p> }
}
