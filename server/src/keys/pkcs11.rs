//! Keys in a PKCS#11 token. Each Ed25519 key has a label and never leaves the token.

mod token;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};
use async_trait::async_trait;
use contract::time::Timestamp;
use cryptoki::{
    mechanism::{
        Mechanism,
        eddsa::{EddsaParams, EddsaSignatureScheme},
    },
    object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle},
    session::Session,
    types::Date,
};
use governance::{
    base::{clock::Clock, error::Cause},
    proof::signing::{KeyMaterial, KeyProvider, Purpose, ServiceKey, Signer, StoredKey},
};
use receipt::key::PublicKey;

use self::token::Token;
use super::KeyFiles;
use crate::{config::keys::TokenConfig, key_file::random_bytes};

/// The object identifier of Ed25519 (RFC 8410) as DER. It is the curve parameter of new keys.
const ED25519: [u8; 5] = [0x06, 0x03, 0x2b, 0x65, 0x70];

/// The curve name of PKCS#11 3.0 as a printable string, which some modules expect.
const EDWARDS25519: &[u8] = b"\x13\x0cedwards25519";

/// Key provider whose Ed25519 keys are in a token. The Rekor key is a file: Rekor identifies an entry by its
/// signature, so a repeated submission needs the same signature, and ECDSA signatures of tokens differ each
/// time.
#[derive(Clone, Debug)]
pub struct TokenKeys {
    token: Arc<Token>,
    files: KeyFiles,
}

impl TokenKeys {
    /// Uses the keys in the token of `config`, and the Rekor key of `files`. Sessions are opened when they
    /// are needed.
    ///
    /// # Errors
    /// Returns an error if the module cannot be loaded or the PIN cannot be read.
    pub fn new(config: &TokenConfig, files: KeyFiles) -> Result<Self> {
        Ok(Self { token: Arc::new(Token::new(config)?), files })
    }
}

/// Returns the label of the current key of `purpose`.
fn label(purpose: Purpose) -> String {
    format!("govern-{purpose}")
}

/// Returns the label of replaced keys of `purpose`.
fn replaced_label(purpose: Purpose) -> String {
    format!("govern-{purpose}-replaced")
}

/// Returns the label of a key of `purpose` that is being created.
fn next_label(purpose: Purpose) -> String {
    format!("govern-{purpose}-next")
}

#[async_trait]
impl KeyProvider for TokenKeys {
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause> {
        if purpose == Purpose::Rekor {
            return self.files.keys(purpose).await;
        }
        let token = Arc::clone(&self.token);
        self.token.run(move |session| read(&token, session, purpose)).await
    }

    async fn create(&self, purpose: Purpose) -> Result<(), Cause> {
        if purpose == Purpose::Rekor {
            return self.files.create(purpose).await;
        }
        let create_missing = move |session: &Session| {
            if public_keys(session, &label(purpose))?.is_empty() {
                generate(session, &label(purpose))?;
            }
            Ok(())
        };
        self.token.run_once(create_missing).await
    }

    async fn renew(&self, purpose: Purpose) -> Result<(), Cause> {
        if purpose == Purpose::Rekor {
            return self.files.renew(purpose).await;
        }
        self.token.run_once(move |session| replace(session, purpose)).await
    }
}

/// Reads the keys of `purpose`, the current one first.
fn read(token: &Arc<Token>, session: &Session, purpose: Purpose) -> Result<Vec<StoredKey>> {
    let mut keys = Vec::new();
    for (label, is_current) in [(label(purpose), true), (replaced_label(purpose), false)] {
        let objects = public_keys(session, &label)?;
        if is_current && objects.len() > 1 {
            bail!(
                "the token has {} public keys `{label}`; only one may have that label",
                objects.len()
            );
        }
        for object in objects {
            let public = PublicObject::read(session, object)
                .with_context(|| format!("the public key `{label}` of the token"))?;
            let material = if private_key(session, &public.id)?.is_some() {
                let key =
                    TokenKey { token: Arc::clone(token), id: public.id, handle: Mutex::default() };
                let signer = TokenSigner(Arc::new(key));
                KeyMaterial::Ed25519(ServiceKey::new(public.key, Arc::new(signer)))
            } else if is_current {
                bail!("the token has no private key with the id of the public key `{label}`");
            } else {
                KeyMaterial::Public(public.key)
            };
            keys.push(StoredKey {
                purpose,
                is_current,
                material,
                provider: "pkcs11",
                location: label.clone(),
                created_at: public.created_at,
            });
        }
    }
    Ok(keys)
}

/// Creates a key that replaces the current one. The labels of both keys change.
fn replace(session: &Session, purpose: Purpose) -> Result<()> {
    let previous = public_keys(session, &label(purpose))?;
    // Keys of an earlier attempt that was interrupted.
    for object in public_keys(session, &next_label(purpose))? {
        let id = PublicObject::read(session, object)?.id;
        relabel(session, &id, &replaced_label(purpose))?;
    }
    let id = generate(session, &next_label(purpose))?;
    for object in previous {
        let id = PublicObject::read(session, object)?.id;
        relabel(session, &id, &replaced_label(purpose))?;
    }
    relabel(session, &id, &label(purpose))
}

/// Creates a key pair whose private key cannot be read out of the token, and returns its ID.
fn generate(session: &Session, label: &str) -> Result<Vec<u8>> {
    let id = random_bytes().to_vec();
    let private = [
        Attribute::Token(true),
        Attribute::Private(true),
        Attribute::Sensitive(true),
        Attribute::Extractable(false),
        Attribute::Sign(true),
        Attribute::Label(label.into()),
        Attribute::Id(id.clone()),
    ];
    let mut last_error = None;
    // Modules differ in the name of the curve, and some do not support dates.
    for date in [today(), None] {
        for curve in [&ED25519[..], EDWARDS25519] {
            let mut public = vec![
                Attribute::Token(true),
                Attribute::Private(false),
                Attribute::Verify(true),
                Attribute::EcParams(curve.to_vec()),
                Attribute::Label(label.into()),
                Attribute::Id(id.clone()),
            ];
            public.extend(date.map(Attribute::StartDate));
            match session.generate_key_pair(&Mechanism::EccEdwardsKeyPairGen, &public, &private) {
                Ok(_) => return Ok(id),
                Err(error) => last_error = Some(error),
            }
        }
    }
    let cause = last_error.map(|error| format!(": {error}")).unwrap_or_default();
    bail!("the token cannot create an Ed25519 key (CKM_EC_EDWARDS_KEY_PAIR_GEN){cause}")
}

fn relabel(session: &Session, id: &[u8], label: &str) -> Result<()> {
    for class in [ObjectClass::PRIVATE_KEY, ObjectClass::PUBLIC_KEY] {
        let template = [Attribute::Class(class), Attribute::Id(id.to_vec())];
        for object in session.find_objects(&template)? {
            session
                .update_attributes(object, &[Attribute::Label(label.into())])
                .context("the token does not allow changing the label of a key")?;
        }
    }
    Ok(())
}

fn public_keys(session: &Session, label: &str) -> Result<Vec<ObjectHandle>> {
    let template = [
        Attribute::Class(ObjectClass::PUBLIC_KEY),
        Attribute::KeyType(KeyType::EC_EDWARDS),
        Attribute::Label(label.into()),
    ];
    Ok(session.find_objects(&template)?)
}

fn private_key(session: &Session, id: &[u8]) -> Result<Option<ObjectHandle>> {
    let template = [
        Attribute::Class(ObjectClass::PRIVATE_KEY),
        Attribute::KeyType(KeyType::EC_EDWARDS),
        Attribute::Id(id.to_vec()),
    ];
    Ok(session.find_objects(&template)?.first().copied())
}

/// A public key in the token.
struct PublicObject {
    id: Vec<u8>,
    key: PublicKey,
    created_at: Option<Timestamp>,
}

impl PublicObject {
    fn read(session: &Session, object: ObjectHandle) -> Result<Self> {
        let attribute_types = [AttributeType::Id, AttributeType::EcPoint, AttributeType::StartDate];
        let (mut id, mut point, mut created_at) = (Vec::<u8>::new(), Vec::<u8>::new(), None);
        for attribute in session.get_attributes(object, &attribute_types)? {
            match attribute {
                Attribute::Id(bytes) => id = bytes,
                Attribute::EcPoint(bytes) => point = bytes,
                Attribute::StartDate(date) => created_at = timestamp(date),
                _ => {}
            }
        }
        // The value is the point itself, or the point in a DER octet string or bit string.
        let point = point.as_slice();
        let bytes = match point {
            [0x04, 0x20, bytes @ ..] | [0x03, 0x21, 0x00, bytes @ ..] if bytes.len() == 32 => bytes,
            _ => point,
        };
        let bytes = <[u8; 32]>::try_from(bytes).context("it is not an Ed25519 key")?;
        let key = PublicKey::from_bytes(&bytes).context("it is not an Ed25519 key")?;
        Ok(Self { id, key, created_at })
    }
}

fn today() -> Option<Date> {
    let today = Clock::System.now().to_string();
    let date = [today.get(..4)?, today.get(5..7)?, today.get(8..10)?];
    Date::new_from_str_slice(date[0], date[1], date[2]).ok()
}

fn timestamp(date: Date) -> Option<Timestamp> {
    let digits = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let date = [digits(&date.year)?, digits(&date.month)?, digits(&date.day)?].join("-");
    Timestamp::from_date(&date)
}

/// A private key in the token.
#[derive(Debug)]
struct TokenKey {
    token: Arc<Token>,
    id: Vec<u8>,
    /// The handle of the key, which is valid until the logout.
    handle: Mutex<Option<ObjectHandle>>,
}

impl TokenKey {
    fn sign(&self, session: &Session, message: &[u8]) -> Result<[u8; 64]> {
        let mechanism = Mechanism::Eddsa(EddsaParams::new(EddsaSignatureScheme::Pure));
        let cached = *self.handle();
        let mut signature_bytes =
            cached.and_then(|key| session.sign(&mechanism, key, message).ok());
        if signature_bytes.is_none() {
            let key = private_key(session, &self.id)?;
            let key = key.context("the key is no longer in the token")?;
            let signature = session.sign(&mechanism, key, message);
            signature_bytes = Some(signature.context("the token cannot sign")?);
            *self.handle() = Some(key);
        }
        let signature = signature_bytes.and_then(|signature| <[u8; 64]>::try_from(signature).ok());
        signature.context("the token returned no Ed25519 signature")
    }

    fn handle(&self) -> MutexGuard<'_, Option<ObjectHandle>> {
        self.handle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signer for a private key in the token, shared with the threads that use it.
#[derive(Debug)]
struct TokenSigner(Arc<TokenKey>);

#[async_trait]
impl Signer for TokenSigner {
    async fn sign(&self, message: &[u8]) -> Result<[u8; 64], Cause> {
        let (key, message) = (Arc::clone(&self.0), message.to_vec());
        self.0.token.run(move |session| key.sign(session, &message)).await
    }
}
