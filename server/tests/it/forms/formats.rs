//! Values that the published JSON Schema of a form accepts are accepted by a submission, and the reverse.

use super::{path, publish_form, submit};
use crate::prelude::*;

#[testkit::test]
async fn a_submission_accepts_what_the_published_schema_accepts(service: TestService) {
    let version = service.active("PAY-01").await;
    let long = format!("{}@example.com", "a".repeat(250));
    for (kind, valid, invalid) in [
        (
            "email",
            &["ada@example.com", "a.b+c@sub.example.co", "o'neill_x@a-b.example"][..],
            &[
                "ada",
                "ada@",
                "@x.y",
                "a@b",
                "a b@c.d",
                "a..b@c.de",
                "a@c..de",
                "a@b@c.de",
                ".a@c.de",
                "\"a\"@c.de",
                "zoë@c.de",
                &*long,
            ][..],
        ),
        (
            "url",
            &[
                "https://example.com",
                "HTTP://example.com:8080/a%20b?q=1&r=%C3%A4#f",
                "https://u@example.com/",
                "http://[2001:db8::1]:8080/x",
            ],
            &[
                "example.com",
                "ftp://example.com",
                "https://",
                "https:///x",
                "https://a b.c",
                "https://a.b/%zz",
                "https://a.b/ä",
                "javascript:alert(1)",
                "https://a.b/<x>",
            ],
        ),
        (
            "date",
            &["2026-09-01", "2024-02-29"],
            &["01.09.2026", "2026-9-1", "2026-09-01T10:00:00Z", ""],
        ),
        (
            "datetime",
            &["2026-09-01T10:00:00Z", "2026-09-01t10:00:00.25z", "2026-09-01T10:00:00+02:00"],
            &[
                "2026-09-01T10:00",
                "2026-09-01T10:00:00",
                "2026-09-01 10:00:00Z",
                "2026-09-01T24:00:00Z",
                "2026-09-01T23:59:60Z",
                "2026-09-01",
            ],
        ),
        ("text", &["x", " x ", "\u{FEFF}"], &["", " ", "\u{85}\u{3000}"]),
    ] {
        let fields = json!([{"name": "v", "label": "V", "type": kind, "required": true}]);
        let form = publish_form(&service, &version, json!({"fields": fields})).await;
        let schema = service.public.get(path(&form, "/schema")).await.expect(200);
        let schema = schema["json_schema"].clone();
        // The formats are checked too, as most libraries do.
        let validator = jsonschema::options().should_validate_formats(true).build(&schema);
        let validator = validator.expect("a schema");
        for (values, status) in [(valid, 201), (invalid, 422)] {
            for value in values {
                let body = json!({"values": {"v": value}});
                let response = submit(&service, &form, &body).await;
                assert_eq!(response.status, status, "{kind} {value:?}: {}", response.text);
                let is_valid = validator.is_valid(&body["values"]);
                assert_eq!(is_valid, status == 201, "{kind} {value:?}: {schema}");
                // An address can submit ten times per minute.
                service.clock.advance(MINUTE_MS / 5);
            }
        }
    }
}

#[testkit::test]
async fn option_values_are_offered_and_accepted_exactly(service: TestService) {
    let version = service.active("PAY-01").await;
    let field = |values: &[Value]| {
        let options: Vec<Value> =
            values.iter().map(|value| json!({"value": value, "label": "An option"})).collect();
        json!([{"name": "v", "label": "V", "type": "select", "options": options}])
    };
    let draft = |fields: Value| {
        let mut draft = super::draft(&version);
        draft["fields"] = fields;
        draft
    };
    for (values, errors) in [
        (&[json!("")][..], "/fields/0/options/0/value too_short\n"),
        (&[json!(" \t")], "/fields/0/options/0/value too_short\n"),
        (&[json!("1"), json!(1)], "/fields/0/options/1/value duplicate\n"),
        (&[json!("a\r\nb"), json!("a\nb")], "/fields/0/options/1/value duplicate\n"),
        (&[json!({})], "/fields/0/options/0/value type\n"),
    ] {
        let refusal = service.key.post("/v1/forms", &draft(field(values))).await;
        assert_eq!(refusal.field_errors(), errors, "{values:?}");
    }
    let values =
        [json!(" spaced "), json!("a,\"b\" <c>"), json!("\u{202E}x"), json!("a\nb"), json!(1.5)];
    let form = publish_form(&service, &version, json!({"fields": field(&values)})).await;
    for value in values {
        let body = json!({"values": {"v": value}});
        submit(&service, &form, &body).await.expect(201);
    }
}
