//! What the log and the page of a decision are made of.

use contract::{
    decision::{DecisionFilter, DecisionRecord},
    id::DecisionId,
    json::Value,
    page::Page,
};
use governance::{Cx, decision, policy};

use super::{answer, page_at};
use crate::{
    problem::Problem,
    view::{
        decision::{DecisionPage, DecisionRow, DecisionRows, explain::RuleBook},
        query::DecisionQuery,
    },
};

/// One page of the log. Filters that cannot be read show no rows, and say so.
pub(in crate::api) async fn list(cx: &Cx, query: DecisionQuery) -> Result<DecisionRows, Problem> {
    let empty = |fault: &str| DecisionRows {
        page: Page { items: Vec::new(), next_cursor: None },
        fault: Some(fault.to_owned()),
    };
    let filter: DecisionFilter = match query.filter() {
        Ok(filter) => filter,
        Err(fault) => return Ok(empty(fault)),
    };
    let page = answer(decision::list(cx, filter, &page_at(query.cursor)).await)?;
    Ok(DecisionRows { page: page.map(DecisionRow::from), fault: None })
}

/// One decision explained, with the rules that decided as far as they can be read.
pub(in crate::api) async fn read(cx: &Cx, id: DecisionId) -> Result<DecisionPage, Problem> {
    let record = answer(decision::read(cx, id).await)?;
    let book = rules(cx, &record).await;
    let raw = serde_json::to_value(&record).and_then(serde_json::from_value::<Value>);
    let raw = answer(raw.map_err(|error| governance::Error::Bug(error.into())))?;
    Ok(DecisionPage::new(record, &book, &raw))
}

/// The rules of the evaluated policies. Those of another tenant stay unknown: the decision says how
/// they fared, and the sentence is left out.
async fn rules(cx: &Cx, record: &DecisionRecord) -> RuleBook {
    let mut book = RuleBook::new();
    for evaluated in &record.evaluated_policies {
        let id = evaluated.policy_id;
        if let Ok(version) = policy::version::read(cx, id, evaluated.version).await {
            let rules = version.rules.into_iter().flatten();
            book.extend(rules.map(|rule| ((id, rule.code.clone()), rule)));
        }
    }
    book
}
