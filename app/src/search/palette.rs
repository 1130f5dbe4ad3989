//! The options of the command palette. Each option is a link.

use leptos::prelude::*;

use super::{
    view::{DecisionResult, ResultGroup, ResultKind, SearchPage, SearchResult},
    words as strings,
};
use crate::{
    text::url,
    ui::icon::{Icon, icon},
};

/// Renders the results of a search, decisions with the searched ID first. An empty page renders nothing.
pub(crate) fn options(page: &SearchPage) -> AnyView {
    let tenant = page.tenant;
    let decision = |decision: &DecisionResult| {
        let label = decision.id.to_string();
        let detail = format!("{}, {}", decision.decision_type, decision.verdict);
        let href = url::decision(tenant, decision.id);
        option(Icon::Decisions, &page.text, SearchResult { href, label, detail: Some(detail) })
    };
    let decisions: Vec<AnyView> = page.decisions.iter().map(decision).collect();
    let decisions = (!decisions.is_empty()).then(|| section(strings::DECISIONS, decisions));
    let groups = page.groups.iter().map(|group: &ResultGroup| {
        let icon = drawing(group.kind);
        let options = group.results.iter().map(|result| option(icon, &page.text, result.clone()));
        section(group.kind.title(), options.collect())
    });
    let groups = groups.collect_view();
    view! {
        {decisions}
        {groups}
    }
    .into_any()
}

const fn drawing(kind: ResultKind) -> Icon {
    match kind {
        ResultKind::Digests => Icon::Log,
        ResultKind::Actions => Icon::Plus,
        ResultKind::Policies | ResultKind::Rules => Icon::Policies,
        ResultKind::Members => Icon::Members,
        ResultKind::Forms => Icon::Form,
        ResultKind::Settings => Icon::Settings,
        ResultKind::Ids | ResultKind::Pages => Icon::Next,
    }
}

fn section(title: &'static str, options: Vec<AnyView>) -> AnyView {
    view! {
        <div role="group" aria-label=title>
            <p role="presentation" class="palette-head">
                {title}
            </p>
            {options}
        </div>
    }
    .into_any()
}

fn option(drawing: Icon, text: &str, result: SearchResult) -> AnyView {
    let (before, found, after) = split(&result.label, text);
    let found = (!found.is_empty()).then(|| view! { <mark>{found.to_owned()}</mark> });
    view! {
        <a role="option" href=result.href tabindex="-1" aria-selected="false">
            {icon(drawing)}
            <span class="grow">
                <bdi>{before.to_owned()} {found} {after.to_owned()}</bdi>
                {result
                    .detail
                    .map(|detail| {
                        view! {
                            " "
                            <small>
                                <bdi>{detail}</bdi>
                            </small>
                        }
                    })}
            </span>
        </a>
    }
    .into_any()
}

/// Splits a label into the text before the first match, the match, and the text after it. Upper and lower case
/// of ASCII letters are equal, so that the parts have the length of the label.
fn split<'l>(label: &'l str, text: &str) -> (&'l str, &'l str, &'l str) {
    let found = label.to_ascii_lowercase().find(&text.to_ascii_lowercase());
    let parts = found.and_then(|start| {
        let (before, rest) = label.split_at_checked(start)?;
        let (found, after) = rest.split_at_checked(text.len())?;
        Some((before, found, after))
    });
    parts.unwrap_or((label, "", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_found_in_any_case_and_keeps_the_text_of_the_label() {
        assert_eq!(split("Vendor payments", "PAY"), ("Vendor ", "pay", "ments"));
        assert_eq!(split("Größe", "größe"), ("", "Größe", ""));
        assert_eq!(split("GRÖSSE", "ö"), ("GRÖSSE", "", ""));
        assert_eq!(split("Vendor", ""), ("", "", "Vendor"));
    }
}
