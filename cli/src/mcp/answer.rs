//! Answers of tools: a text for models and people, and the same as JSON.

use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use crate::client::Error;

/// The answer of a tool.
#[derive(Debug)]
pub(super) struct Answer<T> {
    pub(super) text: String,
    pub(super) content: T,
}

/// Calls a tool with its arguments. Invalid arguments and refusals of the service are errors of the tool, which the
/// model reads and can correct.
pub(super) async fn call<A: DeserializeOwned, T: Serialize, F>(
    arguments: JsonObject,
    tool: impl FnOnce(A) -> F,
) -> CallToolResult
where
    F: Future<Output = Result<Answer<T>, Error>>,
{
    let arguments = match serde_json::from_value(Value::Object(arguments)) {
        Ok(arguments) => arguments,
        Err(error) => return failure(format!("invalid arguments: {error}")),
    };
    match tool(arguments).await {
        Ok(Answer { text, content }) => match serde_json::to_value(content) {
            Ok(content) => {
                let mut result = CallToolResult::structured(content);
                result.content = vec![ContentBlock::text(text)];
                result
            }
            Err(error) => failure(error.to_string()),
        },
        Err(error) => failure(error.to_string()),
    }
}

fn failure(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
