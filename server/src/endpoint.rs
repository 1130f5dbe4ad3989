//! Endpoints: what is known about a route, next to its handler.
//!
//! A handler in `crate::v1` carries an attribute of `endpoint_macro`, such as `#[post("/v1/policies",
//! WRITE_POLICIES, …)]`. It registers an [`Endpoint`]: the method and the path, the callers, the audit event, and a
//! function that describes the operation. The types of the extractors and of the answer describe themselves through
//! [`Describe`]. The router, the permission check, the `OpenAPI` document and the tests over all endpoints read
//! [`endpoints`]; no other list exists.

use std::{collections::BTreeMap, pin::Pin};

use axum::{
    Extension,
    extract::{Request, State},
    handler::Handler,
    response::{NoContent, Response},
    routing::MethodRouter,
};
use contract::read::{
    FromJson,
    schema::{RequestSchema, describe},
};
use governance::access::permission::Permission;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tower_sessions::Session;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, path::Parameter},
};

use crate::{edge::error::ApiResult, state::Service};

/// The callers that an endpoint accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Any caller.
    Public,
    /// Any caller, also from pages of other sites. Their browsers send a preflight request and no credentials.
    AnyOrigin,
    /// A caller who signs in, or who recovers an account.
    SignIn,
    /// A signed-in user.
    Session,
    /// Any caller; a session is used if there is one.
    OptionalSession,
    /// Callers that have the permission.
    Guarded(Permission),
}

/// The effect of an endpoint on the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audit {
    /// It only reads.
    Read,
    /// It appends an event with this action.
    Event(&'static str),
    /// It appends no event, for this reason.
    NoEvent(&'static str),
}

/// A route with its handler and its description.
#[derive(Clone, Copy, Debug)]
pub struct Endpoint {
    /// The method in capitals.
    pub method: &'static str,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    /// The path for the router, where a parameter for several segments begins with `*`.
    pub(crate) pattern: &'static str,
    pub access: Access,
    pub audit: Audit,
    pub(crate) tag: &'static str,
    /// The operation ID, unless it follows from the method and the path.
    pub(crate) id: Option<&'static str>,
    /// The first paragraph of the doc comment.
    pub(crate) summary: &'static str,
    /// The rest of the doc comment.
    pub(crate) description: &'static str,
    pub(crate) handler: fn() -> MethodRouter<Service>,
    pub(crate) describe: fn(&mut Operation),
}

inventory::collect!(Endpoint);

/// A handler behind a function pointer. All endpoints have this one type, so that the code of the router is compiled once
/// and not once per endpoint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErasedHandler(pub(crate) fn(Request, Service) -> PendingResponse);

type PendingResponse = Pin<Box<dyn Future<Output = Response> + Send>>;

impl Handler<(), Service> for ErasedHandler {
    type Future = PendingResponse;

    fn call(self, request: Request, service: Service) -> PendingResponse {
        (self.0)(request, service)
    }
}

/// Returns all endpoints, sorted by path.
pub fn endpoints() -> Vec<Endpoint> {
    let mut endpoints: Vec<Endpoint> = inventory::iter::<Endpoint>().copied().collect();
    endpoints.sort_by_key(|endpoint| (endpoint.path, endpoint.method));
    endpoints
}

impl Endpoint {
    /// Returns the permission that callers need, or `None` if the endpoint accepts others.
    pub fn permission(&self) -> Option<Permission> {
        match self.access {
            Access::Guarded(permission) => Some(permission),
            _ => None,
        }
    }

    /// Returns whether the endpoint belongs to a session, so that pages of other sites may not call it.
    pub(crate) fn is_session(&self) -> bool {
        matches!(self.access, Access::SignIn | Access::Session | Access::OptionalSession)
    }

    pub(crate) fn is_read(&self) -> bool {
        self.method == "GET"
    }
}

/// A type of an extractor or an answer that describes itself in the `OpenAPI` document.
pub trait Describe {
    fn describe(operation: &mut Operation);
}

/// Implements [`Describe`] for types that the document does not mention.
macro_rules! describe_nothing {
    ($($type:ty),+ $(,)?) => {
        $(
            impl $crate::endpoint::Describe for $type {
                fn describe(_: &mut $crate::endpoint::Operation) {}
            }
        )+
    };
}
pub(crate) use describe_nothing;

// The attribute has the status of a plain `StatusCode`.
describe_nothing!(HeaderMap, Session, State<Service>, StatusCode);

impl<T> Describe for Option<Extension<T>> {
    fn describe(_: &mut Operation) {}
}

impl<T: Describe> Describe for ApiResult<T> {
    fn describe(operation: &mut Operation) {
        T::describe(operation);
    }
}

impl Describe for NoContent {
    fn describe(operation: &mut Operation) {
        operation.describe_status(204, "");
    }
}

/// The schema of an answer that is not JSON, or JSON of any form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Bytes,
    Text,
    Object,
    Any,
}

impl Content {
    fn description(self) -> Value {
        match self {
            Self::Bytes => {
                let byte = json!({"type": "integer", "format": "int32", "minimum": 0});
                json!({"schema": {"type": "array", "items": byte}})
            }
            Self::Text => json!({"schema": {"type": "string"}}),
            Self::Object => json!({"schema": {"type": "object"}}),
            Self::Any => json!({}),
        }
    }
}

/// The description of an endpoint that its attribute, its extractors and its answer give.
#[derive(Debug, Default)]
pub struct Operation {
    pub(crate) parameters: Vec<Value>,
    /// The component of the body, and its schema as the reader describes it.
    pub(crate) body: Option<(String, RequestSchema)>,
    /// An example of the body.
    pub(crate) example: Value,
    /// The responses by status.
    pub(crate) responses: BTreeMap<u16, Value>,
    /// The components that the types generate.
    pub(crate) schemas: BTreeMap<String, Value>,
}

impl Operation {
    /// Adds the parameters of a query.
    pub(crate) fn query(&mut self, parameters: Vec<Parameter>) {
        let values = parameters.into_iter().map(serde_json::to_value);
        self.parameters.extend(values.filter_map(Result::ok));
    }

    /// Adds an optional header.
    pub(crate) fn header(&mut self, name: &str, description: &str, schema: &Value) {
        self.parameters.push(json!({
            "name": name, "in": "header", "required": false,
            "description": description, "schema": schema,
        }));
    }

    /// Sets the body, which `T` reads and the doc comments of `D` describe.
    pub(crate) fn json_body<T: FromJson, D: ToSchema>(&mut self) {
        let name = self.component::<D>();
        self.body = Some((name, describe::<T>()));
    }

    /// Adds an answer of JSON.
    pub(crate) fn json_answer<T: ToSchema>(&mut self, status: u16) {
        let name = self.component::<T>();
        self.reference(status, &name);
    }

    fn reference(&mut self, status: u16, component: &str) {
        let schema = json!({"$ref": schema_path(component)});
        self.response(status)["content"] = json!({"application/json": {"schema": schema}});
    }

    /// Adds an answer with these media types.
    pub(crate) fn content(&mut self, media_types: &[(&str, Content)]) {
        let content =
            media_types.iter().map(|(name, schema)| ((*name).to_owned(), schema.description()));
        self.response(200)["content"] = content.collect();
    }

    /// Describes a status. An error has the body of all errors; another status than that of the signature has its
    /// body.
    pub(crate) fn describe_status(&mut self, status: u16, description: &str) {
        let content = if status >= 400 {
            json!({"application/json": {"schema": {"$ref": schema_path("ErrorBody")}}})
        } else {
            let answer = self.responses.values().find(|response| !response["content"].is_null());
            let answer = answer.filter(|_| matches!(status, 200 | 201));
            answer.map(|response| response["content"].clone()).unwrap_or_default()
        };
        let response = self.response(status);
        if !description.is_empty() {
            response["description"] = description.into();
        }
        if response["content"].is_null() && !content.is_null() {
            response["content"] = content;
        }
    }

    pub(crate) fn describe_statuses(&mut self, descriptions: &[(u16, &str)]) {
        for (status, description) in descriptions {
            self.describe_status(*status, description);
        }
    }

    /// Sets the example of the answer.
    pub(crate) fn answer_example(&mut self, example: &Value) {
        for response in self.responses.range_mut(200..300).map(|(_, response)| response) {
            response["content"]["application/json"]["example"] = example.clone();
        }
    }

    fn response(&mut self, status: u16) -> &mut Value {
        self.responses.entry(status).or_insert_with(|| json!({}))
    }

    /// Adds the component of a type and those that it references, and returns its name.
    pub(crate) fn component<T: ToSchema>(&mut self) -> String {
        let name = T::name().into_owned();
        let mut schemas = vec![(name.clone(), T::schema())];
        T::schemas(&mut schemas);
        self.add_schemas(schemas);
        name
    }

    fn add_schemas(&mut self, schemas: Vec<(String, RefOr<Schema>)>) {
        let values = schemas.into_iter().filter_map(|(name, schema)| {
            serde_json::to_value(schema).ok().map(|schema| (name, schema))
        });
        self.schemas.extend(values);
    }
}

/// Returns the reference to a schema.
pub(crate) fn schema_path(name: &str) -> String {
    format!("#/components/schemas/{name}")
}
