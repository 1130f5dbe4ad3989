//! The examples of a form's contract, run as they stand.

use std::process::{Command, Output};

use serde_json::{Value, json};

use super::{path, published};
use crate::{
    client::text,
    service::{TestService, world},
};

/// Runs a program beside the service, which answers it meanwhile.
async fn run(program: &'static str, arguments: Vec<String>) -> String {
    let run = move || Command::new(program).args(arguments).env("NO_PROXY", "*").output();
    let output: Output = tokio::task::spawn_blocking(run)
        .await
        .expect("no panic")
        .unwrap_or_else(|fault| panic!("{program} is needed: {fault}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// A form with a question of each type, and texts that every language must quote.
async fn furnished(world: &TestService) -> Value {
    let version = world.active("PAY-01").await;
    let field = |name: &str, kind: &str| json!({"name": name, "label": name, "type": kind, "required": true});
    let mut fields: Vec<Value> =
        ["number", "date", "datetime", "boolean", "email", "url", "textarea"]
            .iter()
            .map(|kind| field(kind, kind))
            .collect();
    let mut quoted = field("it's \"quoted\" \\ $HOME `x` ü", "text");
    quoted["placeholder"] = "O'Neill \"said\" \\n $HOME `x` ${y} ü".into();
    fields.push(quoted);
    let mut invoice = field("invoice", "text");
    invoice["pattern"] = "^INV-[0-9]{4,}$".into();
    invoice["min_length"] = 12.into();
    fields.push(invoice);
    for kind in ["select", "multiselect"] {
        let mut choice = field(kind, kind);
        choice["options"] = json!([{"value": true, "label": "Yes"}, {"value": 2, "label": "Two"}]);
        fields.push(choice);
    }
    published(world, &version, json!({"fields": fields})).await
}

#[tokio::test]
async fn curl_javascript_and_python_submit_as_the_contract_shows() {
    let world = world().await;
    world.governance.set_public_url(&format!("http://{}", world.address));
    let form = furnished(&world).await;
    let contract = world.public.get(path(&form, "/api-contract")).await.expect(200);
    let of = |member: &Value| text(member).to_owned();

    let printed = run("sh", vec!["-c".into(), of(&contract["curl_example"])]).await;
    let answer: Value = serde_json::from_str(&printed).expect("curl prints the answer");
    assert!(answer["decision_id"].is_string(), "{printed}");
    let javascript = of(&contract["sdk_examples"]["javascript"]);
    let printed = run("node", vec!["--input-type=module".into(), "-e".into(), javascript]).await;
    assert!(printed.contains(&format!("http://{}/f/", world.address)), "{printed}");
    let python = of(&contract["sdk_examples"]["python"]);
    let printed = run("python3", vec!["-c".into(), python]).await;
    assert!(printed.contains(&format!("http://{}/f/", world.address)), "{printed}");

    // Three languages, one submission.
    let distinct = "select distinct record::jsonb -> 'context' ->> 'fields' from decisions";
    assert_eq!(world.sql(distinct).await.len(), 1);
    let count = "select count(*)::text from decisions";
    assert_eq!(world.sql(count).await, ["3"]);

    let snippet = &contract["openapi_snippet"];
    assert_eq!(snippet["openapi"], "3.1.0");
    let post = &snippet["paths"][path(&form, "/submit")]["post"];
    let body = &post["requestBody"]["content"]["application/json"];
    let again = world.public.post(path(&form, "/submit"), &body["example"]).await;
    again.expect(201);
    let schema = world.public.get(path(&form, "/schema")).await.expect(200);
    assert_eq!(contract["json_schema"], schema["json_schema"]);
    assert_eq!(
        body["schema"]["properties"]["values"]["properties"],
        schema["json_schema"]["properties"]
    );
}
