//! The routes of the API with their permissions, and their descriptions for the `OpenAPI` document.

use std::time::Duration;

use axum::middleware;
use governance::access::{
    permission::{self, Permission},
    session::SessionStore,
};
use http::{Method, StatusCode, header};
use tower_http::cors::{self, CorsLayer};
use tower_sessions::{Expiry, SessionManagerLayer, cookie::SameSite};
use utoipa::openapi::{
    Info, License, OpenApi, OpenApiBuilder,
    security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
};
use utoipa_axum::{
    router::{OpenApiRouter, UtoipaMethodRouter},
    routes,
};

use crate::{
    edge::{
        access, compression,
        error::CORRELATION,
        extract,
        origin::{SESSION_COOKIE, own_page_or_program},
        session_if_cookie::SessionIfCookie,
    },
    state::Service,
    v1::{
        alerts, analytics, api_keys, audit, bundles, capabilities, chains, cli_login, comments,
        decisions, export,
        forms::{self, FORM_PASSWORD},
        groups, health, identity_providers, log, members, outcomes, policies, receipts, reviews,
        second_factors, session, settings, snapshots, stream, tenants, trust_registry, versions,
        webhooks,
    },
};

/// The callers that a route accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Any caller.
    Public,
    /// Callers that have the permission.
    Guarded(Permission),
}

#[derive(Clone, Debug)]
pub struct Route {
    pub method: String,
    /// The path, with its parameters in braces.
    pub path: String,
    pub access: Access,
}

/// The routes of the API, with their descriptions.
pub(crate) struct Api {
    service: Option<Service>,
    /// The handlers and the generated document.
    pub(crate) router: OpenApiRouter<Service>,
    pub(crate) list: Vec<Route>,
}

impl Api {
    /// Adds the routes of `/v1`, with authorization by `service`. Without a service only the list is usable.
    pub(crate) fn new(service: Option<Service>) -> Self {
        use permission::{
            ACKNOWLEDGE_ALERTS, ACTIVATE, ADMINISTER_KEYS, CARRY_OVER_CAPABILITIES, CHANGE_ROLES,
            CHANGE_SETTINGS, COMMENT, CREATE_ACCOUNTS, DEACTIVATE, EDIT_DRAFT, EVALUATE,
            EXPORT_DECISIONS, INVITE_MEMBERS, ISSUE_CAPABILITIES, LIST_MEMBERS,
            MANAGE_IDENTITY_PROVIDERS, MANAGE_WEBHOOKS, PROVISION, RATIFY, READ_ALERTS, READ_AUDIT,
            READ_DECISIONS, READ_DELIVERIES, READ_FORMS, READ_IDENTITY_PROVIDERS,
            READ_PENDING_WORK, READ_POLICIES, READ_POLICY_DECISIONS, READ_SETTINGS,
            READ_SUBMISSIONS, READ_VERSION, RECORD, RECORD_OUTCOME, REJECT, REMOVE_MEMBERS,
            RESET_SECOND_FACTORS, REVIEW, REVOKE_CAPABILITIES, SEAL_CHAINS, SEAL_VERSION,
            SET_ASIDE, SUBMIT, SUPERSEDE, USE_CAPABILITY, VERIFY_AUDIT, WRITE_FORMS,
            WRITE_POLICIES,
        };
        Self { service, router: OpenApiRouter::with_openapi(base_document()), list: Vec::new() }
            .public(routes!(health::health))
            .public(routes!(health::ready))
            .public(routes!(session::log_in, session::read, session::log_out))
            .public(routes!(session::list))
            .public(routes!(session::end))
            .public(routes!(session::confirm))
            .public(routes!(second_factors::finish_sign_in))
            .public(routes!(second_factors::sign_in))
            .public(routes!(second_factors::request_options))
            .public(routes!(second_factors::list))
            .public(routes!(second_factors::creation_options))
            .public(routes!(second_factors::create_passkey))
            .public(routes!(second_factors::rename_passkey, second_factors::delete_passkey))
            .public(routes!(second_factors::set_up_totp, second_factors::delete_totp))
            .public(routes!(second_factors::confirm_totp))
            .public(routes!(second_factors::replace_recovery_codes))
            .public(routes!(session::change_password))
            .public(routes!(session::set_up))
            .public(routes!(session::request_reset))
            .public(routes!(session::invitations))
            .public(routes!(session::accept_invitation))
            .public(routes!(session::decline_invitation))
            .public_cross_origin(routes!(receipts::read))
            .public_cross_origin(routes!(trust_registry::signing_keys))
            .public_cross_origin(routes!(log::checkpoint))
            .public_cross_origin(routes!(log::tile))
            .public_cross_origin(routes!(log::rekor))
            .public_cross_origin(routes!(trust_registry::read))
            .public_cross_origin(routes!(chains::read_seal))
            .public_cross_origin(routes!(chains::verify))
            .public_cross_origin(routes!(bundles::decision))
            .public_cross_origin(routes!(bundles::chain))
            .public(routes!(cli_login::exchange))
            .public(routes!(cli_login::revoke))
            .guarded(ADMINISTER_KEYS, routes!(api_keys::create, api_keys::list))
            .guarded(ADMINISTER_KEYS, routes!(api_keys::read, api_keys::revoke))
            .guarded(READ_SETTINGS, routes!(settings::read))
            .guarded(CHANGE_SETTINGS, routes!(settings::change))
            .guarded(LIST_MEMBERS, routes!(members::list))
            .guarded(LIST_MEMBERS, routes!(members::read))
            .guarded(INVITE_MEMBERS, routes!(members::invite))
            .guarded(CHANGE_ROLES, routes!(members::change_role))
            .guarded(REMOVE_MEMBERS, routes!(members::remove))
            .guarded(RESET_SECOND_FACTORS, routes!(members::reset_second_factors))
            .guarded(CREATE_ACCOUNTS, routes!(members::create_user))
            .guarded(CREATE_ACCOUNTS, routes!(members::read_user))
            .guarded(READ_IDENTITY_PROVIDERS, routes!(identity_providers::list))
            .guarded(MANAGE_IDENTITY_PROVIDERS, routes!(identity_providers::create))
            .guarded(READ_IDENTITY_PROVIDERS, routes!(identity_providers::read))
            .guarded(MANAGE_IDENTITY_PROVIDERS, routes!(identity_providers::edit))
            .guarded(MANAGE_IDENTITY_PROVIDERS, routes!(identity_providers::delete))
            .guarded(READ_IDENTITY_PROVIDERS, routes!(identity_providers::test))
            .guarded(PROVISION, routes!(tenants::create, tenants::list))
            .guarded(READ_POLICIES, routes!(policies::list))
            .guarded(WRITE_POLICIES, routes!(policies::create))
            .guarded(READ_POLICIES, routes!(policies::read))
            .guarded(WRITE_POLICIES, routes!(policies::edit))
            .guarded(WRITE_POLICIES, routes!(policies::delete))
            .guarded(DEACTIVATE, routes!(policies::deactivate))
            .guarded(READ_POLICIES, routes!(versions::list))
            .guarded(WRITE_POLICIES, routes!(versions::create))
            .guarded(READ_VERSION, routes!(versions::read))
            .guarded(EDIT_DRAFT, routes!(versions::edit))
            .guarded(WRITE_POLICIES, routes!(versions::delete))
            .guarded(READ_POLICIES, routes!(versions::diff))
            .guarded(SUBMIT, routes!(versions::submit))
            .guarded(WRITE_POLICIES, routes!(versions::recall))
            .guarded(REJECT, routes!(versions::reject))
            .guarded(SEAL_VERSION, routes!(reviews::seal))
            .guarded(READ_SUBMISSIONS, routes!(reviews::submissions))
            .guarded(REVIEW, routes!(reviews::record))
            .guarded(COMMENT, routes!(comments::create, comments::list))
            .guarded(COMMENT, routes!(comments::resolve))
            .guarded(COMMENT, routes!(comments::reopen))
            .guarded(SUPERSEDE, routes!(reviews::supersede))
            .guarded(SET_ASIDE, routes!(reviews::set_aside))
            .guarded(READ_POLICIES, routes!(reviews::approval))
            .guarded(RATIFY, routes!(versions::ratify))
            .guarded(ACTIVATE, routes!(versions::activate))
            .guarded(WRITE_POLICIES, routes!(groups::create))
            .guarded(READ_POLICIES, routes!(groups::list))
            .guarded(READ_POLICIES, routes!(groups::read))
            .guarded(WRITE_POLICIES, routes!(groups::edit))
            .guarded(WRITE_POLICIES, routes!(groups::delete))
            .guarded(READ_POLICIES, routes!(groups::policies))
            .guarded(ISSUE_CAPABILITIES, routes!(capabilities::issue))
            .guarded(READ_POLICIES, routes!(capabilities::list))
            .guarded(USE_CAPABILITY, routes!(capabilities::current))
            .guarded(READ_PENDING_WORK, routes!(capabilities::pending_work))
            .guarded(READ_POLICIES, routes!(capabilities::read))
            .guarded(REVOKE_CAPABILITIES, routes!(capabilities::revoke))
            .guarded(CARRY_OVER_CAPABILITIES, routes!(capabilities::carry))
            .guarded(EVALUATE, routes!(decisions::evaluate))
            .guarded(EVALUATE, routes!(decisions::dry_run))
            .guarded(EVALUATE, routes!(decisions::dry_run_camel))
            .guarded(RECORD, routes!(decisions::record))
            .guarded(EVALUATE, routes!(decisions::evaluate_batch))
            .guarded(READ_DECISIONS, routes!(decisions::list))
            .guarded(EXPORT_DECISIONS, routes!(export::export))
            .guarded(READ_DECISIONS, routes!(stream::stream))
            .guarded(READ_DECISIONS, routes!(decisions::read))
            .guarded(RECORD_OUTCOME, routes!(outcomes::record))
            .guarded(READ_DECISIONS, routes!(decisions::replay))
            .guarded(READ_DECISIONS, routes!(chains::list))
            .guarded(SEAL_CHAINS, routes!(chains::seal))
            .guarded(READ_POLICY_DECISIONS, routes!(decisions::of_policy))
            .guarded(READ_POLICY_DECISIONS, routes!(analytics::read))
            .guarded(READ_POLICIES, routes!(snapshots::read))
            .guarded(READ_ALERTS, routes!(alerts::list))
            .guarded(READ_ALERTS, routes!(alerts::read))
            .guarded(ACKNOWLEDGE_ALERTS, routes!(alerts::acknowledge))
            .guarded(ACKNOWLEDGE_ALERTS, routes!(alerts::acknowledge_all))
            .guarded(ACKNOWLEDGE_ALERTS, routes!(alerts::assign))
            .guarded(ACKNOWLEDGE_ALERTS, routes!(alerts::snooze))
            .guarded(WRITE_FORMS, routes!(forms::create))
            .guarded(READ_FORMS, routes!(forms::list))
            .guarded(READ_FORMS, routes!(forms::read))
            .guarded(WRITE_FORMS, routes!(forms::edit))
            .guarded(WRITE_FORMS, routes!(forms::delete))
            .guarded(WRITE_FORMS, routes!(forms::issue_token))
            .guarded(WRITE_FORMS, routes!(forms::revoke_token))
            .public_cross_origin(routes!(forms::schema))
            .public_cross_origin(routes!(forms::contract))
            .public_cross_origin(routes!(forms::submit))
            .public_cross_origin(routes!(forms::receipt))
            .guarded(MANAGE_WEBHOOKS, routes!(webhooks::create, webhooks::list))
            .guarded(MANAGE_WEBHOOKS, routes!(webhooks::read, webhooks::delete))
            .guarded(MANAGE_WEBHOOKS, routes!(webhooks::test))
            .guarded(READ_DELIVERIES, routes!(webhooks::list_deliveries))
            .guarded(READ_DELIVERIES, routes!(webhooks::stats))
            .guarded(READ_DELIVERIES, routes!(webhooks::read_delivery))
            .guarded(MANAGE_WEBHOOKS, routes!(webhooks::retry))
            .guarded(MANAGE_WEBHOOKS, routes!(webhooks::redrive))
            .guarded(READ_AUDIT, routes!(audit::list))
            .guarded(VERIFY_AUDIT, routes!(audit::verify))
    }

    fn public(self, route: UtoipaMethodRouter<Service>) -> Self {
        self.add(Access::Public, route)
    }

    /// Adds a public route that pages of other sites may call. Their browsers send a preflight request and no
    /// credentials.
    fn public_cross_origin(self, (schemas, paths, methods): UtoipaMethodRouter<Service>) -> Self {
        // A layer runs only for methods that its route accepts. This layer answers the preflight request
        // itself.
        let methods = methods.options(async || StatusCode::NO_CONTENT).route_layer(public_cors());
        self.public((schemas, paths, methods))
    }

    fn guarded(self, permission: Permission, route: UtoipaMethodRouter<Service>) -> Self {
        self.add(Access::Guarded(permission), route)
    }

    fn add(mut self, access: Access, route: UtoipaMethodRouter<Service>) -> Self {
        for (path, item) in &route.1.paths {
            let methods = serde_json::to_value(item).unwrap_or_default();
            for method in methods.as_object().into_iter().flat_map(|item| item.keys()) {
                let (method, path) = (method.to_uppercase(), openapi_path(path));
                self.list.push(Route { method, path, access });
            }
        }
        let is_read = route.1.paths.values().any(|item| item.get.is_some());
        let is_deletion = route.1.paths.values().any(|item| item.delete.is_some());
        let is_session = route.1.paths.keys().any(|path| path.starts_with("/v1/session"));
        let mut router = OpenApiRouter::new().routes(route);
        if is_read || is_deletion {
            router = router.route_layer(middleware::from_fn(extract::without_body));
        }
        if is_read {
            router = router.route_layer(middleware::from_fn(compression::compress));
        }
        self.router = self.router.merge(match (access, &self.service) {
            (Access::Guarded(permission), Some(service)) => {
                let guard = (service.clone(), permission);
                let guard = middleware::from_fn_with_state(guard, access::authorize);
                router.route_layer((SessionIfCookie::new(sessions(service)), guard))
            }
            (Access::Public, Some(service)) if is_session => {
                let layers = (middleware::from_fn(own_page_or_program), sessions(service));
                router.route_layer(layers)
            }
            (Access::Public, Some(service)) => router.route_layer(sessions(service)),
            (_, None) => router,
        });
        self
    }
}

/// Returns a path as the `OpenAPI` document shows it: a parameter for several segments looks like any other.
pub(crate) fn openapi_path(path: &str) -> String {
    path.replace("{*", "{")
}

pub fn routes() -> Vec<Route> {
    Api::new(None).list
}

/// Returns the layer for the cookie of signed-in users (contract, section 2).
pub(crate) fn sessions(service: &Service) -> SessionManagerLayer<SessionStore> {
    let cookies = service.cookies();
    let idle = time::Duration::try_from(governance::access::session::IDLE_TIMEOUT)
        .unwrap_or(time::Duration::HOUR);
    SessionManagerLayer::new(SessionStore::new(&service.governance))
        .with_name(cookies.name(SESSION_COOKIE))
        .with_secure(cookies.is_secure())
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(idle))
}

/// Returns the CORS layer of public routes. Pages of other sites can verify receipts, read a form and submit
/// it, all without credentials. They can also read errors.
fn public_cors() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(cors::Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE, header::IF_NONE_MATCH, CORRELATION, FORM_PASSWORD])
        .expose_headers(cors::Any)
        // The response is the same for every origin, so caches may store it once.
        .vary(cors::Vary::list([]))
        .max_age(Duration::from_hours(24))
}

/// Returns the document without its paths.
fn base_document() -> OpenApi {
    let mut info = Info::new("Govern", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Evaluates contexts against approved policies, and records decisions with verifiable receipts."
            .to_owned(),
    );
    let mut license = License::new("Apache-2.0");
    license.identifier = Some(license.name.clone());
    info.license = Some(license);
    let key = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An API key, `svc_…`"))
        .build();
    let cookie = ApiKey::Cookie(ApiKeyValue::new("govern"));
    let components = utoipa::openapi::ComponentsBuilder::new()
        .security_scheme("api_key", SecurityScheme::Http(key))
        .security_scheme("session", SecurityScheme::ApiKey(cookie))
        .build();
    let requirement = |credential: &str| {
        utoipa::openapi::SecurityRequirement::new(credential, Vec::<String>::new())
    };
    let guide = utoipa::openapi::external_docs::ExternalDocsBuilder::new()
        .url("/docs/start")
        .description(Some("Concepts, guides and reference"))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .external_docs(Some(guide))
        .components(Some(components))
        .security(Some([requirement("api_key"), requirement("session")]))
        .build()
}
