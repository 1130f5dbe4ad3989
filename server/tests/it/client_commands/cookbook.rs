//! The cookbook: a service accepts its policies, and returns the responses that `docs/COOKBOOK.md` shows.

use std::fs;

use super::{POLICIES, Terminal};
use crate::prelude::*;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Returns the JSON code blocks of a text.
fn json_blocks(text: &str) -> Vec<Value> {
    let blocks = text.split("```json\n").skip(1);
    let parse = |block: &str| {
        let (block, _) = block.split_once("```").expect("the end of the block");
        serde_json::from_str(block).unwrap_or_else(|error| panic!("{error}: {block}"))
    };
    blocks.map(parse).collect()
}

/// Returns the part of a result that the document shows.
fn shown(result: &Value) -> Value {
    let violations = result["violations"].as_array().expect("a list of violations").iter();
    let part = |violation: &Value| {
        let members = ["rule_code", "severity", "reason_code", "reason"];
        members.iter().map(|name| (*name, violation[name].clone())).collect::<Value>()
    };
    json!({"decision": result["decision"], "violations": violations.map(part).collect::<Value>()})
}

#[testkit::test]
async fn a_service_returns_the_responses_of_the_cookbook(service: TestService) {
    let terminal = Terminal::new(&service, "cookbook", &POLICIES).await;
    let directory = format!("{ROOT}/examples/cookbook");
    terminal.govern(&["policy", "push", &directory]).await.expect(0);
    let policies = service.key.get("/v1/policies?q=COOK-&limit=200").await.expect(200);
    assert_eq!(items(&policies).len(), 20);
    for policy in items(&policies) {
        let version = format!("/v1/policies/{}/versions/1", text(&policy["id"]));
        service.key.post(format!("{version}/submit"), &json!({})).await.expect(200);
        let ratifier = service.ratifier().await;
        let ratification = json!({"expected_revision": 1});
        ratifier.post(format!("{version}/ratify"), &ratification).await.expect(200);
        ratifier.post(format!("{version}/activate"), &json!({})).await.expect(200);
    }

    let document = fs::read_to_string(format!("{ROOT}/docs/COOKBOOK.md")).expect("the document");
    let sections: Vec<&str> = document.split("\n### ").skip(1).collect();
    assert_eq!(sections.len(), 20);
    for section in sections {
        let title = section.lines().next().expect("a title");
        let blocks = json_blocks(section);
        let [request, response] = blocks.as_slice() else { panic!("{title}: {blocks:#?}") };
        let evaluated = service.key.post("/v1/decisions/evaluate", request).await.expect(200);
        assert_eq!(shown(&evaluated["result"]), *response, "{title}");
    }
}
