//! Sign-in of the command line through the browser: the exchange of a one-time code for an API key.

use crate::read::{integer, text};

/// The lowest port at which a program without privileges can wait for a redirect.
pub const PORT_MIN: u32 = 1_024;

/// The highest port.
pub const PORT_MAX: u32 = 65_535;

/// The body of `POST /v1/cli/token`.
#[body(derive_more::Debug, Eq)]
#[debug("CodeExchange {{ port: {port:?}, .. }}")]
pub struct CodeExchange {
    /// The one-time code of the console.
    #[json(with = text(1, 100))]
    pub code: String,
    /// The verifier of the challenge that started the sign-in (RFC 7636, method `S256`), 43 to 128 characters.
    #[json(with = text(43, 128))]
    pub code_verifier: String,
    /// The port of the redirect to `http://127.0.0.1`; absent for a code that the user pasted.
    #[json(with = integer(PORT_MIN, PORT_MAX))]
    pub port: Option<u32>,
}

/// The body of `POST /v1/cli/revoke`.
#[body(derive_more::Debug, Eq)]
#[debug("KeySurrender {{ .. }}")]
pub struct KeySurrender {
    /// The API key to revoke.
    #[json(with = text(1, 200))]
    pub api_key: String,
}
