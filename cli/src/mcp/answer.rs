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
    let arguments = match read(arguments) {
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

/// Reads the arguments of a tool. The error names the argument.
fn read<A: DeserializeOwned>(arguments: JsonObject) -> Result<A, String> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let cause = error.into_inner();
        // The errors about the object itself name the member.
        if path == "." { cause.to_string() } else { format!("`{path}`: {cause}") }
    })
}

fn failure(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Args {
        #[expect(dead_code, reason = "only read")]
        fields: JsonObject,
    }

    #[test]
    fn the_error_names_the_wrong_argument() {
        for (arguments, name) in [
            (json!({"fields": []}), "`fields`"),
            (json!({}), "`fields`"),
            (json!({"fields": {}, "more": 1}), "`more`"),
        ] {
            let Value::Object(arguments) = arguments else { unreachable!() };
            let error = read::<Args>(arguments).unwrap_err();
            assert!(error.contains(name), "{error}");
        }
    }
}
