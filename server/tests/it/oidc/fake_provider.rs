//! An `OpenID` provider in this process. By default it does what the specification requires; tests change single parts.

use std::{
    collections::{HashMap, HashSet},
    ops::Deref,
    sync::{Arc, Mutex, MutexGuard},
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ed25519_dalek::{Signer, SigningKey};
use governance::{
    ServiceOptions,
    access::oidc::{ProviderClient, ProviderRequest, ProviderResponse},
};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use tokio::sync::Notify;

use super::{create_provider, path, rejection, session};
use crate::prelude::*;

pub(crate) const ISSUER: &str = "https://login.example.com";

/// A service with a provider that it can call, as the fixture of a test.
pub(crate) struct Oidc {
    pub(crate) service: TestService,
    pub(crate) fake: Arc<FakeProvider>,
    /// The record of the provider.
    pub(crate) provider: Value,
    /// The path at which a sign-in with the provider starts.
    pub(crate) path: String,
}

impl Deref for Oidc {
    type Target = TestService;

    fn deref(&self) -> &TestService {
        &self.service
    }
}

impl Oidc {
    /// Starts a service with a provider whose new people are viewers.
    pub(crate) async fn start() -> Self {
        Self::with(json!({"default_role": "viewer"})).await
    }

    /// Starts a service with a provider that has these additional members.
    pub(crate) async fn with(members: Value) -> Self {
        let fake = Arc::new(FakeProvider::default());
        let client: Arc<dyn ProviderClient> = Arc::clone(&fake) as _;
        let options = ServiceOptions {
            provider_client: Some(client),
            public_url: "https://govern.example.com".to_owned(),
            ..ServiceOptions::default()
        };
        let service = test_service_with(options).await;
        let provider = create_provider(&service, members).await;
        let path = path(&provider);
        Self { service, fake, provider, path }
    }

    /// Replaces a claim of the next tokens. `null` removes it.
    pub(crate) fn set(&self, claim: &str, value: Value) {
        self.fake.state().claims.insert(claim.to_owned(), value);
    }

    /// Starts a sign-in in a new browser.
    pub(crate) async fn begin(&self) -> Started {
        Started::with(&self.public.without_session(), &self.path, "").await
    }

    /// Starts a sign-in for which the provider authenticates the person again.
    pub(crate) async fn begin_fresh(&self) -> Started {
        Started::with(&self.public.without_session(), &self.path, "?fresh=1").await
    }

    /// Sends a response to the callback of a provider, in a browser with these cookies.
    pub(crate) async fn call_back(&self, path: &str, query: &str, cookies: &str) -> TestResponse {
        let call = self.public.without_session().get(format!("{path}/callback?{query}"));
        call.header("cookie", cookies).await
    }

    /// Authenticates a person and returns the response of the callback.
    pub(crate) async fn answer(&self, started: &Started) -> TestResponse {
        let query = format!("code={}&state={}", self.fake.authorize(started), started.state);
        self.call_back(&self.path, &query, &started.cookie).await
    }

    /// Signs a person in and returns the response of the callback.
    pub(crate) async fn try_sign_in(&self) -> TestResponse {
        self.answer(&self.begin().await).await
    }

    /// Signs a person in and returns the client with the session.
    pub(crate) async fn sign_in(&self) -> Client {
        session(self, &self.try_sign_in().await)
    }

    /// Returns why a sign-in is rejected.
    pub(crate) async fn rejection(&self) -> String {
        rejection(&self.try_sign_in().await).to_owned()
    }
}

#[derive(Debug, Default)]
pub(crate) struct FakeProvider(Mutex<State>);

/// What tests change of the provider, and what it has received.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// Claims that replace those of a correct token; `null` removes a claim.
    claims: HashMap<String, Value>,
    pub(crate) header: Option<Value>,
    pub(crate) signature: SignatureKind,
    pub(crate) user_info: Option<Value>,
    /// The nonce and the challenge of each unused code.
    codes: HashMap<String, (String, String)>,
    codes_count: usize,
    pub(crate) key_number: u8,
    /// Members that replace those of the configuration.
    configuration: HashMap<String, Value>,
    /// The paths that do not respond.
    pub(crate) broken: HashSet<&'static str>,
    /// Keys that are published before the own one.
    pub(crate) odd_keys: Vec<Value>,
    /// Whether the own key is published and named without an ID.
    pub(crate) hides_key_ids: bool,
    pub(crate) cache_control: Option<String>,
    /// The text of members that all objects of the provider have, also those in others.
    pub(crate) odd_members: String,
    /// Ends the wait of token requests.
    token_gate: Option<Arc<Notify>>,
    /// The paths of all requests.
    calls: Vec<String>,
    /// The credentials of the last token request.
    pub(crate) last_credentials: String,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum SignatureKind {
    #[default]
    Valid,
    /// An HMAC with the client secret, which an attacker who is a client may know.
    Secret,
    OtherKey,
    /// The key before the last rotation.
    RemovedKey,
    Empty,
}

/// A sign-in that a browser has started.
pub(crate) struct Started {
    pub(crate) cookie: String,
    pub(crate) state: String,
    nonce: String,
    challenge: String,
}

impl Started {
    /// Starts a sign-in in a browser.
    pub(crate) async fn with(browser: &Client, path: &str, query: &str) -> Self {
        let response = browser.get(format!("{path}{query}")).await;
        let location = response.header("location").expect("a redirect").to_owned();
        let (address, query) = location.split_once('?').expect("a query");
        assert_eq!((response.status, address), (303, "https://login.example.com/authorize"));
        let query = parse(query.as_bytes());
        assert_eq!((&*query["response_type"], &*query["client_id"]), ("code", "govern"));
        assert_eq!(
            (&*query["scope"], &*query["code_challenge_method"]),
            ("openid email profile", "S256")
        );
        assert_eq!(query.contains_key("max_age"), location.contains("prompt=login"));
        assert_eq!(query["redirect_uri"], format!("https://govern.example.com{path}/callback"));
        let cookie = response.header("set-cookie").expect("a cookie");
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        Self {
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
            state: query["state"].clone(),
            nonce: query["nonce"].clone(),
            challenge: query["code_challenge"].clone(),
        }
    }
}

fn parse(query: &[u8]) -> HashMap<String, String> {
    form_urlencoded::parse(query).into_owned().collect()
}

fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number + 1; 32])
}

impl FakeProvider {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics while it holds the lock")
    }

    /// Returns to correct tokens.
    pub(crate) fn reset(&self) {
        let mut state = self.state();
        state.claims.clear();
        state.header = None;
        state.signature = SignatureKind::Valid;
    }

    /// Replaces a member of the configuration.
    pub(crate) fn configure(&self, name: &str, value: Value) {
        self.state().configuration.insert(name.to_owned(), value);
    }

    /// Answers the next token request after `meanwhile`, which starts with it.
    pub(crate) async fn during_token_request<T>(
        &self,
        sign_in: impl Future<Output = T>,
        meanwhile: impl Future<Output = ()>,
    ) -> T {
        let gate = Arc::new(Notify::new());
        self.state().token_gate = Some(Arc::clone(&gate));
        let requests = self.calls("/token");
        let meanwhile = async {
            while self.calls("/token") == requests {
                tokio::task::yield_now().await;
            }
            meanwhile.await;
            self.state().token_gate = None;
            gate.notify_one();
        };
        tokio::join!(sign_in, meanwhile).0
    }

    /// Returns the number of requests for a path.
    pub(crate) fn calls(&self, path: &str) -> usize {
        self.state().calls.iter().filter(|called| *called == path).count()
    }

    /// Authenticates a person and returns the code.
    pub(crate) fn authorize(&self, started: &Started) -> String {
        let mut state = self.state();
        state.codes_count += 1;
        let code = format!("code-{}", state.codes_count);
        let values = (started.nonce.clone(), started.challenge.clone());
        state.codes.insert(code.clone(), values);
        code
    }

    /// Returns a token with correct claims and these.
    pub(crate) fn token(&self, claims: &Value) -> String {
        let state = self.state();
        let now = super::now();
        let mut all = json!({
            "iss": ISSUER, "aud": "govern", "sub": "ada", "email": "ada@acme.example", "email_verified": true,
            "name": "Ada Byron", "iat": now, "exp": now + 300,
        });
        let members = claims.as_object().expect("an object").clone();
        let replaced = state.claims.clone().into_iter();
        let all_claims = all.as_object_mut().expect("an object");
        for (name, value) in members.into_iter().chain(replaced) {
            match value {
                Value::Null => drop(all_claims.remove(&name)),
                value => drop(all_claims.insert(name, value)),
            }
        }
        state.sign(&all)
    }

    /// Returns a logout token with these claims.
    pub(crate) fn logout_token(&self, claims: &Value) -> String {
        let state = self.state();
        let now = super::now();
        let event = "http://schemas.openid.net/event/backchannel-logout";
        let mut all = json!({"iss": ISSUER, "aud": "govern", "iat": now, "exp": now + 120, "events": {event: {}}});
        let members = claims.as_object().expect("an object").clone();
        all.as_object_mut().expect("an object").extend(members);
        state.sign(&all)
    }

    fn respond(&self, request: &ProviderRequest) -> Option<Value> {
        Some(match request.url.path() {
            "/.well-known/openid-configuration" => self.configuration(),
            "/keys" => {
                let state = self.state();
                let x = URL_SAFE_NO_PAD.encode(key(state.key_number).verifying_key().as_bytes());
                let mut own = json!({"kty": "OKP", "crv": "Ed25519", "x": x});
                if !state.hides_key_ids {
                    own["kid"] = (state.key_number + 1).to_string().into();
                }
                let mut keys = state.odd_keys.clone();
                keys.extend([own, json!({"kty": "oct", "kid": "secret", "k": "AAAA"})]);
                json!({"keys": keys})
            }
            "/token" => self.exchange(request)?,
            "/user" => {
                assert_eq!(request.authorization.as_deref(), Some("Bearer access"));
                self.state().user_info.clone().unwrap_or_else(|| json!({"sub": "ada"}))
            }
            _ => return None,
        })
    }

    fn configuration(&self) -> Value {
        let mut configuration = json!({
                "issuer": ISSUER,
                "authorization_endpoint": format!("{ISSUER}/authorize"),
                "token_endpoint": format!("{ISSUER}/token"),
                "jwks_uri": format!("{ISSUER}/keys"),
                "userinfo_endpoint": format!("{ISSUER}/user"),
                "end_session_endpoint": format!("{ISSUER}/end"),
                "backchannel_logout_supported": true,
        });
        for (name, value) in &self.state().configuration {
            configuration[name] = value.clone();
        }
        configuration
    }

    fn exchange(&self, request: &ProviderRequest) -> Option<Value> {
        let form = parse(request.form.as_deref()?.as_bytes());
        assert_eq!(form["grant_type"], "authorization_code");
        let in_body = || format!("client_id={}", form["client_id"]);
        let credentials = request.authorization.clone().unwrap_or_else(in_body);
        let mut state = self.state();
        state.last_credentials = credentials;
        let (nonce, challenge) = state.codes.remove(&form["code"])?;
        drop(state);
        let digest = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
        (digest == challenge).then(|| {
            json!({"access_token": "access", "token_type": "Bearer", "id_token": self.token(&json!({"nonce": nonce}))})
        })
    }
}

impl State {
    /// Returns the text of a document.
    fn text(&self, document: &Value) -> String {
        let separator = if self.odd_members.is_empty() { "" } else { ", " };
        document.to_string().replace("{\"", &format!("{{{}{separator}\"", self.odd_members))
    }

    fn sign(&self, claims: &Value) -> String {
        let is_removed = matches!(self.signature, SignatureKind::RemovedKey);
        let number = self.key_number - u8::from(is_removed);
        let kid = (number + 1).to_string();
        let header = self.header.clone().unwrap_or_else(|| match self.signature {
            SignatureKind::Secret => json!({"alg": "HS256", "kid": "1"}),
            _ if self.hides_key_ids => json!({"alg": "EdDSA"}),
            _ => json!({"alg": "EdDSA", "kid": kid}),
        });
        let encode = |value: &Value| URL_SAFE_NO_PAD.encode(self.text(value));
        let signed = format!("{}.{}", encode(&header), encode(claims));
        let signature = match self.signature {
            SignatureKind::Valid | SignatureKind::RemovedKey => {
                key(number).sign(signed.as_bytes()).to_bytes().to_vec()
            }
            SignatureKind::OtherKey => key(99).sign(signed.as_bytes()).to_bytes().to_vec(),
            SignatureKind::Secret => {
                let secret = key(self.key_number).verifying_key().to_bytes();
                let mut mac = Hmac::<Sha256>::new_from_slice(&secret).expect("any length");
                mac.update(signed.as_bytes());
                mac.finalize().into_bytes().to_vec()
            }
            SignatureKind::Empty => Vec::new(),
        };
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

#[async_trait::async_trait]
impl ProviderClient for FakeProvider {
    async fn send(&self, request: ProviderRequest) -> Result<ProviderResponse, String> {
        let path = request.url.path().to_owned();
        self.state().calls.push(path.clone());
        if self.state().broken.contains(&*path) {
            return Err("the identity provider is down".to_owned());
        }
        let gate = self.state().token_gate.clone();
        if let Some(gate) = gate.filter(|_| path == "/token") {
            gate.notified().await;
        }
        let response = self.respond(&request);
        let status = if response.is_some() { 200 } else { 400 };
        let body = self.state().text(&response.unwrap_or_default()).into_bytes();
        Ok(ProviderResponse { status, cache_control: self.state().cache_control.clone(), body })
    }
}
