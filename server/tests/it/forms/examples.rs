//! The code examples of a form's contract run without changes.

use std::process::{Command, Output};

use governance::ServiceOptions;

use super::{path, publish_form};
use crate::prelude::*;

/// Runs a program that calls the service.
async fn run(program: &'static str, arguments: Vec<String>) -> String {
    let run = move || Command::new(program).args(arguments).env("NO_PROXY", "*").output();
    let output: Output = tokio::task::spawn_blocking(run)
        .await
        .expect("no panic")
        .unwrap_or_else(|error| panic!("{program} is needed: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Publishes a form with a field of each type and texts that every language must escape.
async fn form_with_all_field_types(service: &TestService) -> Value {
    let version = service.active("PAY-01").await;
    let field = |name: &str, kind: &str| json!({"name": name, "label": name, "type": kind, "required": true});
    let mut fields: Vec<Value> =
        ["number", "date", "datetime", "boolean", "email", "url", "textarea"]
            .iter()
            .map(|kind| field(kind, kind))
            .collect();
    let mut quoted = field("it's \"quoted\" \\ $HOME `x` ü", "text");
    quoted["placeholder"] = "O'Neill \"wrote\" \\n $HOME `x` ${y} ü".into();
    fields.push(quoted);
    fields.push(field("__proto__", "text"));
    let mut invoice = field("invoice", "text");
    invoice["pattern"] = "^INV-[0-9]{4,}$".into();
    invoice["min_length"] = 12.into();
    fields.push(invoice);
    for kind in ["select", "multiselect"] {
        let mut choice = field(kind, kind);
        choice["options"] = json!([{"value": true, "label": "Yes"}, {"value": 2, "label": "Two"}]);
        fields.push(choice);
    }
    publish_form(service, &version, json!({"fields": fields})).await
}

#[testkit::test]
async fn curl_javascript_and_python_examples_submit_the_form(mut service: TestService) {
    let public_url = format!("http://{}", service.address);
    service.restart(ServiceOptions { public_url, ..ServiceOptions::default() }).await;
    let form = form_with_all_field_types(&service).await;
    let contract = service.public.get(path(&form, "/api-contract")).await.expect(200);
    let owned_text = |member: &Value| text(member).to_owned();

    let printed = run("sh", vec!["-c".into(), owned_text(&contract["curl_example"])]).await;
    let response: Value = serde_json::from_str(&printed).expect("curl prints the response");
    assert!(response["decision_id"].is_string(), "{printed}");
    let javascript = owned_text(&contract["sdk_examples"]["javascript"]);
    let printed = run("node", vec!["--input-type=module".into(), "-e".into(), javascript]).await;
    assert!(printed.contains(&format!("http://{}/f/", service.address)), "{printed}");
    let python = owned_text(&contract["sdk_examples"]["python"]);
    let printed = run("python3", vec!["-c".into(), python]).await;
    assert!(printed.contains(&format!("http://{}/f/", service.address)), "{printed}");

    // The three languages submit the same values.
    service.decompress_decisions().await;
    let distinct =
        "select distinct decision_text(texts, 1)::jsonb -> 'context' ->> 'fields' from decisions";
    assert_eq!(service.sql(distinct).await.len(), 1);
    let count = "select count(*)::text from decisions";
    assert_eq!(service.sql(count).await, ["3"]);

    let snippet = &contract["openapi_snippet"];
    assert_eq!(snippet["openapi"], "3.1.0");
    let post = &snippet["paths"][path(&form, "/submit")]["post"];
    let body = &post["requestBody"]["content"]["application/json"];
    let response = service.public.post(path(&form, "/submit"), &body["example"]).await;
    response.expect(201);
    let schema = service.public.get(path(&form, "/schema")).await.expect(200);
    assert_eq!(contract["json_schema"], schema["json_schema"]);
    assert_eq!(
        body["schema"]["properties"]["values"]["properties"],
        schema["json_schema"]["properties"]
    );
}
