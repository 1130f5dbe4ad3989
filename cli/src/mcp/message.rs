//! Checks of the messages of a client before the SDK reads them. The SDK ignores a message that it cannot read, and
//! reads a known request with wrong parameters as an unknown one.

use contract::json::{Limits, Object, ParseErrorCode, Value};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode};
use serde_json::json;

/// The maximum size of a message in bytes: that of a body of `/v1`.
pub(super) const MESSAGE_MAX: usize = 1_048_576;

/// The requests that this server answers.
const METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

/// The reason why a message is answered with an error (JSON-RPC 2.0, section 5.1).
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Refused {
    pub(super) code: ErrorCode,
    message: String,
    /// The ID of the request; `null` if it cannot be read.
    id: serde_json::Value,
}

impl Refused {
    fn new(code: ErrorCode, id: &serde_json::Value, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), id: id.clone() }
    }

    /// Returns the response.
    pub(super) fn response(&self) -> serde_json::Value {
        let Self { code, message, id } = self;
        json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}})
    }
}

/// Returns the error for a message that is too large to be read.
pub(super) fn too_large() -> Refused {
    let message = format!("a message has at most {MESSAGE_MAX} bytes");
    Refused::new(ErrorCode::INVALID_REQUEST, &serde_json::Value::Null, message)
}

/// Reads a message. Returns `None` for a notification that cannot be read, which has no answer.
///
/// # Errors
/// Returns the error to answer.
pub(super) fn read(text: &[u8]) -> Result<Option<ClientJsonRpcMessage>, Refused> {
    let limits = Limits::BUNDLE_FILE.with_bytes(MESSAGE_MAX);
    let null = serde_json::Value::Null;
    let value = Value::parse(text, &limits).map_err(|error| {
        let code = match error.code {
            ParseErrorCode::JsonSyntax => ErrorCode::PARSE_ERROR,
            _ => ErrorCode::INVALID_REQUEST,
        };
        // A message with an invalid value may have a readable ID.
        let id = serde_json::from_slice::<serde_json::Value>(text).ok();
        let id = id
            .and_then(|value| value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned());
        Refused::new(code, &id.unwrap_or_default(), error.to_string())
    })?;
    let Value::Object(members) = &value else {
        let message = "a message is a JSON object; batches are not supported";
        return Err(Refused::new(ErrorCode::INVALID_REQUEST, &null, message));
    };
    let id = id(members)?;
    let invalid = |message: &str| {
        Refused::new(ErrorCode::INVALID_REQUEST, id.as_ref().unwrap_or(&null), message)
    };
    if members.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(invalid("`jsonrpc` must be \"2.0\""));
    }
    let method = match members.get("method") {
        Some(Value::String(method)) => Some(method.as_str()),
        Some(_) => return Err(invalid("`method` must be a string")),
        None if members.get("result").is_some() || members.get("error").is_some() => None,
        None => return Err(invalid("`method` is required")),
    };
    let message = serde_json::from_slice::<ClientJsonRpcMessage>(text);
    match (method, &id) {
        (Some(method), Some(id)) => request(method, members, message, id).map(Some),
        // Notifications and responses have no answer.
        _ => Ok(message.ok()),
    }
}

/// Returns the ID of a message: a string or a whole number.
fn id(members: &Object) -> Result<Option<serde_json::Value>, Refused> {
    match members.get("id") {
        None => Ok(None),
        Some(Value::String(id)) => Ok(Some(json!(id))),
        Some(Value::Number(id)) if id.get().fract() == 0.0 => {
            let id = Value::from(*id).to_canonical();
            Ok(Some(serde_json::from_str(&id).unwrap_or_default()))
        }
        Some(_) => {
            let message = "`id` must be a string or a whole number";
            Err(Refused::new(ErrorCode::INVALID_REQUEST, &serde_json::Value::Null, message))
        }
    }
}

/// Checks a request.
fn request(
    method: &str,
    members: &Object,
    message: serde_json::Result<ClientJsonRpcMessage>,
    id: &serde_json::Value,
) -> Result<ClientJsonRpcMessage, Refused> {
    if !METHODS.contains(&method) {
        let message = format!("there is no method `{method}`");
        return Err(Refused::new(ErrorCode::METHOD_NOT_FOUND, id, message));
    }
    let invalid = |cause: &str| {
        let message = format!("the parameters of `{method}` are not valid: {cause}");
        Refused::new(ErrorCode::INVALID_PARAMS, id, message)
    };
    if members.get("params").is_some_and(|params| params.as_object().is_none()) {
        return Err(invalid("they must be an object"));
    }
    let cursor = members
        .get("params")
        .and_then(Value::as_object)
        .and_then(|params| params.get("cursor"))
        .filter(|cursor| method == "tools/list" && **cursor != Value::Null);
    if cursor.is_some() {
        return Err(invalid("the list has one page, and no `cursor`"));
    }
    match message {
        Ok(ClientJsonRpcMessage::Request(request))
            if !matches!(request.request, ClientRequest::CustomRequest(_)) =>
        {
            Ok(ClientJsonRpcMessage::Request(request))
        }
        _ => Err(invalid(match method {
            "tools/call" => "`name` must be a string, and `arguments` an object",
            "initialize" => "`protocolVersion`, `capabilities` and `clientInfo` are required",
            _ => "a member has the wrong type",
        })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages with the code of the error and the ID in the response.
    const REFUSED: &str = r#"-32700 null {
-32700 null
-32700 null {"jsonrpc": "2.0", "id": 1, "method": "ping"} x
-32600 null 1
-32600 null []
-32600 null [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]
-32600 null {}
-32600 1 {"jsonrpc": "2.0", "id": 1}
-32600 "a" {"jsonrpc": "1.0", "id": "a", "method": "ping"}
-32600 1 {"id": 1, "method": "ping"}
-32600 1 {"jsonrpc": "2.0", "id": 1, "method": 1}
-32600 null {"jsonrpc": "2.0", "id": null, "method": "ping"}
-32600 null {"jsonrpc": "2.0", "id": 1.5, "method": "ping"}
-32600 null {"jsonrpc": "2.0", "id": {}, "method": "ping"}
-32600 2 {"jsonrpc": "2.0", "id": 1, "method": "ping", "id": 2}
-32601 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/none"}
-32601 1 {"jsonrpc": "2.0", "id": 1, "method": "prompts/list"}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "record", "arguments": []}}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"cursor": "x"}}
-32602 1 {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}"#;

    #[test]
    fn messages_that_are_no_requests_are_answered_with_the_code_of_the_error() {
        for line in REFUSED.lines() {
            let mut parts = line.splitn(3, ' ');
            let [code, id, text] = [(); 3].map(|()| parts.next().unwrap_or_default());
            let refused = read(text.as_bytes()).expect_err(text);
            let response = refused.response();
            assert_eq!(response["error"]["code"].to_string(), code, "{text}");
            assert_eq!(response["id"].to_string(), id, "{text}");
        }
    }

    #[test]
    fn requests_are_passed_on_and_notifications_have_no_answer() {
        let requests = [
            r#"{"jsonrpc": "2.0", "id": 0, "method": "ping"}"#,
            "{\"jsonrpc\": \"2.0\", \"id\": \"\", \"method\": \"tools/list\"}\r",
            r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {}}"#,
            r#"{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "none"}}"#,
            r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}"#,
        ];
        for text in requests {
            assert!(matches!(read(text.as_bytes()), Ok(Some(_))), "{text}");
        }
        for text in [
            r#"{"jsonrpc": "2.0", "method": "notifications/none"}"#,
            r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#,
        ] {
            assert!(read(text.as_bytes()).is_ok(), "{text}");
        }
    }
}
