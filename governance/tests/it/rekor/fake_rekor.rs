//! An in-memory Rekor server with a real tree and configurable faults. Its responses follow the
//! `OpenAPI` documents of both versions, and it verifies the submitted entries.

use std::sync::{Arc, Mutex};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use governance::proof::rekor::{Dialect, LogKey, RekorKey, RekorResponse, RekorTransport, Request};
use p256::{
    ecdsa::{
        Signature, SigningKey, VerifyingKey,
        signature::{Signer, hazmat::PrehashVerifier},
    },
    pkcs8::{DecodePublicKey, EncodePublicKey},
};
use receipt::{
    digest::Digest,
    key::SigningKey as Ed25519,
    merkle::{self, Tree, leaf_hash},
    transparency_log::{Checkpoint, NoteKey, Tile, VkeyKind, encode_entries},
};
use serde_json::{Value, json};

const ORIGIN: &str = "rekor.example";

/// A fault in the responses of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    OtherEntry,
    OtherKey,
    WrongHash,
    MissingHash,
    WrongIndex,
    Garbage,
    ForeignLocation,
    NoIndexHeader,
    Status(u16),
    NoResponse,
}

#[derive(Debug)]
pub(super) struct FakeRekor {
    dialect: Dialect,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    tree: Tree,
    bodies: Vec<Vec<u8>>,
    fault: Option<Fault>,
    paths: Vec<String>,
}

impl State {
    fn add(&mut self, body: Vec<u8>) {
        self.tree.push(leaf_hash(&body));
        self.bodies.push(body);
    }

    fn size(&self) -> u64 {
        self.tree.size()
    }
}

impl FakeRekor {
    /// Creates a server with `before` unrelated entries.
    pub(super) fn new(dialect: Dialect, before: u64) -> Self {
        let rekor = Self { dialect, state: Mutex::default() };
        rekor.add_entries(before);
        rekor
    }

    pub(super) fn add_entries(&self, entries: u64) {
        let mut state = self.state.lock().unwrap();
        for _ in 0..entries {
            let body = format!("unrelated entry {}", state.size()).into_bytes();
            state.add(body);
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.state.lock().unwrap().size()
    }

    pub(super) fn set_fault(&self, fault: Fault) {
        let mut state = self.state.lock().unwrap();
        state.fault = Some(fault);
        state.paths.clear();
    }

    pub(super) fn clear_fault(&self) {
        self.state.lock().unwrap().fault = None;
    }

    pub(super) fn paths(&self) -> Vec<String> {
        self.state.lock().unwrap().paths.clone()
    }

    /// The key that verifies the checkpoints of the server.
    pub(super) fn key(&self) -> LogKey {
        match self.dialect {
            Dialect::V1 => {
                let public = VerifyingKey::from(&p256(1)).to_public_key_der().unwrap();
                LogKey::from_der(public.as_bytes()).unwrap()
            }
            Dialect::V2 => {
                let key = Ed25519::from_seed([1; 32]);
                let head = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];
                LogKey::from_der(&[&head, key.public().as_bytes().as_slice()].concat()).unwrap()
            }
        }
    }

    /// Counts the entries that are signed by `key`.
    pub(super) fn count_signed_by(&self, key: &RekorKey) -> usize {
        let public = STANDARD.encode(key.public_pem());
        let der = STANDARD.encode(key.public_der());
        let state = self.state.lock().unwrap();
        let contains_key = |body: &&Vec<u8>| {
            let body = String::from_utf8_lossy(body);
            body.contains(&public) || body.contains(&der)
        };
        state.bodies.iter().filter(contains_key).count()
    }

    fn post(&self, state: &mut State, request: &Value) -> RekorResponse {
        let Some(body) = self.body(request) else { return status(400) };
        if let Some(index) = state.bodies.iter().position(|stored| *stored == body) {
            return self.conflict(state, index, &body);
        }
        state.add(body);
        let index = state.bodies.len() - 1;
        RekorResponse { status: 201, body: self.entry(state, index), ..RekorResponse::default() }
    }

    /// The stored form of the submitted entry, or `None` if its signature is invalid.
    fn body(&self, request: &Value) -> Option<Vec<u8>> {
        let (digest, signature, key, body);
        match self.dialect {
            Dialect::V1 => {
                let spec = &request["spec"];
                digest = hex::decode(spec["data"]["hash"]["value"].as_str()?).ok()?;
                signature = spec["signature"]["content"].as_str()?;
                let pem = STANDARD.decode(spec["signature"]["publicKey"]["content"].as_str()?);
                key =
                    VerifyingKey::from_public_key_pem(&String::from_utf8(pem.ok()?).ok()?).ok()?;
                body = request.clone();
            }
            Dialect::V2 => {
                let spec = &request["hashedRekordRequestV002"];
                digest = STANDARD.decode(spec["digest"].as_str()?).ok()?;
                signature = spec["signature"]["content"].as_str()?;
                let der = spec["signature"]["verifier"]["publicKey"]["rawBytes"].as_str()?;
                key = VerifyingKey::from_public_key_der(&STANDARD.decode(der).ok()?).ok()?;
                let data = json!({ "algorithm": "SHA2_256", "digest": spec["digest"] });
                let stored_spec = json!({ "data": data, "signature": spec["signature"] });
                body = json!({
                    "apiVersion": "0.0.2",
                    "kind": "hashedrekord",
                    "spec": { "hashedRekordV002": stored_spec },
                });
            }
        }
        let signature = Signature::from_der(&STANDARD.decode(signature).ok()?).ok()?;
        key.verify_prehash(&digest, &signature).ok()?;
        Some(body.to_string().into_bytes())
    }

    fn conflict(&self, state: &State, index: usize, body: &[u8]) -> RekorResponse {
        let problem = |name: &str| {
            let message = format!("an equivalent entry already exists in the log with {name}");
            json!({ "code": 409, "message": message }).to_string().into_bytes()
        };
        match self.dialect {
            Dialect::V1 => {
                let uuid = leaf_hash(body);
                let location = match state.fault {
                    Some(Fault::ForeignLocation) => "https://evil.example/steal".to_owned(),
                    _ => format!("/api/v1/log/entries/{uuid}"),
                };
                let body = problem(&format!("UUID {uuid}"));
                RekorResponse { status: 409, location: Some(location), body, log_index: None }
            }
            Dialect::V2 => RekorResponse {
                status: 409,
                location: None,
                log_index: (state.fault != Some(Fault::NoIndexHeader)).then(|| index.to_string()),
                body: problem(&format!("index {index}")),
            },
        }
    }

    fn get(&self, state: &State, path: &str) -> Option<RekorResponse> {
        let ok = |body| Some(RekorResponse { status: 200, body, ..RekorResponse::default() });
        match self.dialect {
            Dialect::V1 => {
                let name = path.strip_prefix("/api/v1/log/entries/")?;
                let has_name = |body: &Vec<u8>| leaf_hash(body).to_string() == name;
                ok(self.entry(state, state.bodies.iter().position(has_name)?))
            }
            Dialect::V2 if path == "/api/v2/checkpoint" => ok(self.checkpoint(state).into_bytes()),
            Dialect::V2 => {
                let tile: Tile = path.strip_prefix("/api/v2/")?.parse().ok()?;
                if tile.level.is_some() {
                    return ok(tile.hashes(&state.tree)?);
                }
                let to_index = |number| usize::try_from(number).ok();
                let range = to_index(tile.range().start)?..to_index(tile.range().end)?;
                let bodies = state.bodies.get(range)?;
                ok(encode_entries(bodies.iter().map(Vec::as_slice)).ok()?)
            }
        }
    }

    /// The response that contains entry `index`, changed by the fault if one is set.
    fn entry(&self, state: &State, index: usize) -> Vec<u8> {
        let number = u64::try_from(index).unwrap();
        let mut hashes = merkle::inclusion(&state.tree, number, state.size()).unwrap();
        let mut body = state.bodies[index].clone();
        let mut number = number;
        match state.fault {
            Some(Fault::OtherEntry) => body = state.bodies[0].clone(),
            Some(Fault::WrongHash) => hashes[0] = Digest::compute(b"wrong"),
            Some(Fault::MissingHash) => drop(hashes.pop()),
            Some(Fault::WrongIndex) => number -= 1,
            Some(Fault::Garbage) => return b"{}".to_vec(),
            _ => {}
        }
        let checkpoint = self.checkpoint(state);
        let body64 = STANDARD.encode(&body);
        let response = match self.dialect {
            Dialect::V1 => {
                let hashes: Vec<_> = hashes.iter().map(ToString::to_string).collect();
                let proof = json!({
                    "checkpoint": checkpoint,
                    "hashes": hashes,
                    "logIndex": number,
                    "rootHash": merkle::root(&state.tree, state.size()).unwrap().to_string(),
                    "treeSize": state.size(),
                });
                json!({ format!("108e9186e8c5677a{}", leaf_hash(&body)): {
                    "body": body64,
                    "integratedTime": 1_790_000_000,
                    "logID": "c0d23d6ad406973f9559f3ba2d1ca01f84147d8ffc5b8445c224f98b9591801d",
                    // Rekor 1 numbers the entries across all its trees.
                    "logIndex": number + 1_000_000,
                    "verification": { "inclusionProof": proof, "signedEntryTimestamp": "" },
                }})
            }
            Dialect::V2 => {
                let hashes: Vec<_> =
                    hashes.iter().map(|hash| STANDARD.encode(hash.as_bytes())).collect();
                json!({
                    "logIndex": number.to_string(),
                    "logId": { "keyId": "8w1amZ2S5mJIQkQmPxdMuOrL/oJkvFg9MnQXmeOCXck=" },
                    "kindVersion": { "kind": "hashedrekord", "version": "0.0.2" },
                    "integratedTime": "0",
                    "inclusionPromise": null,
                    "inclusionProof": {
                        "logIndex": number.to_string(),
                        "rootHash": "",
                        "treeSize": state.size().to_string(),
                        "hashes": hashes,
                        "checkpoint": { "envelope": checkpoint },
                    },
                    "canonicalizedBody": body64,
                })
            }
        };
        response.to_string().into_bytes()
    }

    fn checkpoint(&self, state: &State) -> String {
        let root = merkle::root(&state.tree, state.size()).unwrap();
        let seed = if state.fault == Some(Fault::OtherKey) { 2 } else { 1 };
        match self.dialect {
            Dialect::V1 => {
                // The first line names the tree. The signatures name the host.
                let origin = format!("{ORIGIN} - 1193050959916656506");
                let text = Checkpoint { origin, size: state.size(), root }.to_string();
                let key = p256(seed);
                let public = VerifyingKey::from(&p256(1)).to_public_key_der().unwrap();
                let signature: Signature = key.sign(text.as_bytes());
                let id = &Digest::compute(public.as_bytes()).as_bytes()[..4].to_vec();
                let blob = STANDARD.encode([id, signature.to_der().as_bytes()].concat());
                format!("{text}\n— {ORIGIN} {blob}\n")
            }
            Dialect::V2 => {
                let origin = ORIGIN.to_owned();
                let text = Checkpoint { origin, size: state.size(), root }.to_string();
                let key = Ed25519::from_seed([seed; 32]);
                NoteKey::new(ORIGIN, VkeyKind::Note, key).unwrap().sign(&text).unwrap()
            }
        }
    }
}

/// A transport to a server that the test also inspects.
#[derive(Debug)]
pub(super) struct FakeTransport(pub(super) Arc<FakeRekor>);

#[async_trait::async_trait]
impl RekorTransport for FakeTransport {
    async fn send(&self, request: Request) -> Result<RekorResponse, String> {
        self.0.send(request).await
    }
}

#[async_trait::async_trait]
impl RekorTransport for FakeRekor {
    async fn send(&self, request: Request) -> Result<RekorResponse, String> {
        let mut state = self.state.lock().unwrap();
        state.paths.push(request.path.clone());
        match state.fault {
            Some(Fault::Status(code)) => return Ok(status(code)),
            Some(Fault::NoResponse) => return Err("no response".to_owned()),
            _ => {}
        }
        let Some(body) = request.body else {
            return Ok(self.get(&state, &request.path).unwrap_or_else(|| status(404)));
        };
        assert_eq!(request.path, format!("/api/{}/log/entries", self.dialect.as_str()));
        Ok(self.post(&mut state, &serde_json::from_str(&body).unwrap()))
    }
}

fn status(status: u16) -> RekorResponse {
    RekorResponse { status, ..RekorResponse::default() }
}

fn p256(seed: u8) -> SigningKey {
    SigningKey::from_slice(&[seed; 32]).unwrap()
}
