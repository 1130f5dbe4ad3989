//! The arguments of the attributes.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{
    Error, Expr, Ident, LitInt, LitStr, Result, Token, Type,
    ext::IdentExt,
    parse::{Parse, ParseStream},
    token,
};

/// What an attribute says about its endpoint.
pub(crate) struct Arguments {
    pub(crate) path: LitStr,
    /// The variant of `Access`.
    pub(crate) access: TokenStream,
    pub(crate) tag: Option<String>,
    pub(crate) id: TokenStream,
    audit: Option<TokenStream>,
    /// The statements that describe the operation.
    pub(crate) descriptions: Vec<TokenStream>,
    /// The type that describes the answer, instead of that of the handler.
    pub(crate) answer: Option<Type>,
    /// Whether the media types of the answer are given.
    pub(crate) has_content: bool,
}

impl Arguments {
    /// Returns the effect on the audit log.
    ///
    /// # Errors
    /// Every endpoint but a read must name its event, or the reason why it has none.
    pub(crate) fn audit(&self, method: &str) -> Result<TokenStream> {
        match &self.audit {
            Some(audit) => Ok(audit.clone()),
            None if method == "get" => Ok(quote!(crate::endpoint::Audit::Read)),
            None => Err(Error::new(self.path.span(), "add `audit = …` or `no_audit = …`")),
        }
    }

    fn argument(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.peek(LitInt) {
            return self.status(input);
        }
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        match &*name.to_string() {
            "audit" => {
                let action: LitStr = input.parse()?;
                self.audit = Some(quote!(crate::endpoint::Audit::Event(#action)));
            }
            "no_audit" => {
                let reason: LitStr = input.parse()?;
                self.audit = Some(quote!(crate::endpoint::Audit::NoEvent(#reason)));
            }
            "tag" => self.tag = Some(input.parse::<LitStr>()?.value()),
            "id" => {
                let id: LitStr = input.parse()?;
                self.id = quote!(Some(#id));
            }
            "answer" => self.answer = Some(input.parse()?),
            "content" => {
                let content: Expr = input.parse()?;
                self.has_content = true;
                self.descriptions.push(quote!(operation.content(#content);));
            }
            "errors" => {
                let list: Expr = input.parse()?;
                self.descriptions.push(quote!(operation.describe_statuses(#list);));
            }
            "example" => {
                let example = json(input)?;
                self.descriptions.push(quote!(operation.example = #example;));
            }
            "answer_example" => {
                let example = json(input)?;
                self.descriptions.push(quote!(operation.answer_example(&#example);));
            }
            _ => return Err(Error::new(name.span(), "unknown argument")),
        }
        Ok(())
    }

    /// Reads a status with or without its description.
    fn status(&mut self, input: ParseStream<'_>) -> Result<()> {
        let status: LitInt = input.parse()?;
        let text = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            input.parse::<Expr>()?.to_token_stream()
        } else {
            quote!("")
        };
        self.descriptions.push(quote!(operation.describe_status(#status, #text);));
        Ok(())
    }
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let path = input.parse()?;
        input.parse::<Token![,]>()?;
        let mut arguments = Self {
            path,
            access: access(input)?,
            tag: None,
            id: quote!(None),
            audit: None,
            descriptions: Vec::new(),
            answer: None,
            has_content: false,
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if !input.is_empty() {
                arguments.argument(input)?;
            }
        }
        Ok(arguments)
    }
}

/// Reads the callers: a word, or the name of a permission.
fn access(input: ParseStream<'_>) -> Result<TokenStream> {
    let permission: Ident = input.parse()?;
    Ok(match &*permission.to_string() {
        "public" => quote!(Public),
        "any_origin" => quote!(AnyOrigin),
        "sign_in" => quote!(SignIn),
        "session" => quote!(Session),
        "optional_session" => quote!(OptionalSession),
        _ => quote!(Guarded(::governance::access::permission::#permission)),
    })
}

/// Reads a JSON value, or an expression that returns one.
fn json(input: ParseStream<'_>) -> Result<TokenStream> {
    if !input.peek(token::Brace) {
        return Ok(input.parse::<Expr>()?.to_token_stream());
    }
    let value: proc_macro2::Group = input.parse()?;
    Ok(quote!(::serde_json::json!(#value)))
}
