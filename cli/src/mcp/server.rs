//! The handler of the protocol: the list of tools, and their calls.

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, InitializeResult,
        JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
        Tool, ToolAnnotations,
    },
    service::RequestContext,
};
use schemars::JsonSchema;

use super::{
    answer::call,
    decide::{self, DecisionAnswer, EvaluateArgs, ExplainAnswer, ExplainArgs, RecordArgs},
    look_up::{self, FindAnswer, FindArgs, ReceiptAnswer, ReceiptArgs},
};
use crate::client::Client;

const INSTRUCTIONS: &str = "\
Govern decides whether an action is permitted by the approved policies of an organization. Before you act on behalf of \
others, call `evaluate` with the facts of the action, or `record` if the action follows immediately. Act only if \
`may_proceed` is true. If the verdict is REVIEW, ask a person. `find_policy` returns the decision types and the field \
names that the rules check. `explain` returns the result of every rule.";

const EVALUATE: &str = "\
Checks whether an action is permitted, without recording anything. Call it to plan an action. Returns the verdict, \
`may_proceed` and the reason of each violation.";

const RECORD: &str = "\
Records the decision about an action that is about to happen, with a signed receipt. Call it immediately before the \
action, and act only if `may_proceed` is true. A record is permanent. A repeated call with the same idempotency key \
returns the first decision.";

const EXPLAIN: &str = "\
Explains a verdict rule by rule: which rules passed, which are violated and which did not apply, with reasons. Takes \
the ID of a recorded decision, or the facts of an action.";

const FIND_POLICY: &str = "\
Finds the active policies for a decision type or a text. If only one policy matches, the answer contains its rules with \
the field names that they check.";

const READ_RECEIPT: &str = "\
Reads the signed receipt of a recorded decision: the verdict, the policy, the signature and the position in the \
transparency log. A receipt contains no values of the context unless they are part of a violation.";

/// The server of one connection to Govern.
#[derive(Clone, Debug)]
pub(super) struct GovernServer {
    client: Client,
}

impl GovernServer {
    pub(super) fn new(client: Client) -> Self {
        Self { client }
    }
}

impl ServerHandler for GovernServer {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("govern", env!("CARGO_PKG_VERSION")).with_title("Govern");
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        tokio::select! {
            result = self.call(request) => result.map(CallToolResponse::from),
            // The call of the service ends with the future. The client gets no response.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }
}

impl GovernServer {
    async fn call(&self, request: CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let (client, arguments) = (&self.client, request.arguments.unwrap_or_default());
        Ok(match &*request.name {
            "evaluate" => call(arguments, |args| decide::evaluate(client, args)).await,
            "record" => call(arguments, |args| decide::record(client, args)).await,
            "explain" => call(arguments, |args| decide::explain(client, args)).await,
            "find_policy" => call(arguments, |args| look_up::find_policy(client, args)).await,
            "read_receipt" => call(arguments, |args| look_up::read_receipt(client, args)).await,
            name => {
                let message = format!("there is no tool `{name}`");
                return Err(ErrorData::invalid_params(message, None));
            }
        })
    }
}

/// Returns all tools. They call only the configured service.
fn tools() -> Vec<Tool> {
    let reads = || ToolAnnotations::new().read_only(true).open_world(false);
    let records = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    vec![
        tool::<EvaluateArgs>("evaluate", "Evaluate an action", EVALUATE, reads())
            .with_output_schema::<DecisionAnswer>(),
        tool::<RecordArgs>("record", "Record a decision", RECORD, records)
            .with_output_schema::<DecisionAnswer>(),
        tool::<ExplainArgs>("explain", "Explain a verdict", EXPLAIN, reads())
            .with_output_schema::<ExplainAnswer>(),
        tool::<FindArgs>("find_policy", "Find policies", FIND_POLICY, reads())
            .with_output_schema::<FindAnswer>(),
        tool::<ReceiptArgs>("read_receipt", "Read a receipt", READ_RECEIPT, reads())
            .with_output_schema::<ReceiptAnswer>(),
    ]
}

fn tool<A: JsonSchema + 'static>(
    name: &'static str,
    title: &str,
    description: &'static str,
    annotations: ToolAnnotations,
) -> Tool {
    Tool::new(name, description, JsonObject::new())
        .with_title(title)
        .with_input_schema::<A>()
        .with_annotations(annotations)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_record_changes_something_and_every_argument_is_described() {
        for tool in tools() {
            let annotations = tool.annotations.as_ref().unwrap();
            assert_eq!(annotations.read_only_hint, Some(tool.name != "record"), "{}", tool.name);
            let properties = tool.input_schema["properties"].as_object().unwrap();
            assert!(!properties.is_empty(), "{}", tool.name);
            for (name, schema) in properties {
                assert!(schema["description"].is_string(), "{}: {name}", tool.name);
            }
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
            let output = tool.output_schema.as_ref().unwrap();
            assert_eq!(output["type"], "object", "{}", tool.name);
        }
    }
}
