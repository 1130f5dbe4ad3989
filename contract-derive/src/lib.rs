#![doc = include_str!("../README.md")]

mod filter;
mod wire;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{
    Data, DeriveInput, Error, Expr, Field, Fields, Ident, LitStr, Result, Token, Type,
    ext::IdentExt as _, parse_macro_input, punctuated::Punctuated, spanned::Spanned as _,
};

/// Implements `contract::read::FromJson` for a struct. The crate documentation lists the attributes.
#[proc_macro_derive(FromJson, attributes(json, serde))]
pub fn derive_from_json(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    from_json(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// Implements `contract::filter::ListFilter` for a struct. The crate documentation lists the attributes.
#[proc_macro_derive(ListFilter, attributes(filter))]
pub fn derive_list_filter(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    filter::list_filter(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// Declares a type of responses: derives `Clone`, `Debug`, `PartialEq`, both directions of serde, `ToSchema` with the feature
/// `openapi`, and the traits it names. The member of an optional field is absent without a value; with `#[wire(null)]` it is
/// `null`, and with `#[wire(null, required)]` the schema requires it.
#[proc_macro_attribute]
pub fn wire(
    traits: proc_macro::TokenStream,
    input: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let traits = parse_macro_input!(traits with wire::Traits::parse_terminated);
    let declared = wire::wire(&traits, parse_macro_input!(input as DeriveInput));
    declared.unwrap_or_else(Error::into_compile_error).into()
}

/// Declares a request body: derives `Clone`, `Debug`, `PartialEq`, `FromJson`, `ToSchema` with the feature `openapi`, and the
/// traits it names.
#[proc_macro_attribute]
pub fn body(
    traits: proc_macro::TokenStream,
    input: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    let traits = parse_macro_input!(traits with wire::Traits::parse_terminated);
    let declared = wire::body(&traits, parse_macro_input!(input as DeriveInput));
    declared.unwrap_or_else(Error::into_compile_error).into()
}

/// Returns the implementation. Its local variables are hygienic, because a field often has the name of its
/// reader.
fn from_json(input: &DeriveInput) -> Result<TokenStream> {
    let fields = named_fields(input)?;
    let name = &input.ident;
    let Body { start, check, finish } = Body::parse(input)?;
    let members: Vec<Member<'_>> = fields.iter().map(Member::parse).collect::<Result<_>>()?;
    let reads = members.iter().map(Member::read);
    let values = members.iter().map(Member::value);
    Ok(quote_spanned! { Span::mixed_site() =>
        #[automatically_derived]
        impl ::contract::read::FromJson for #name {
            fn from_json(
                value: &::contract::json::Value,
                at: &::contract::read::JsonPath<'_>,
                errors: &mut ::contract::read::FieldErrors,
            ) -> Option<Self> {
                let mut members = ::contract::read::ObjectReader::#start(value, at, errors)?;
                #(#reads)*
                #check
                members.#finish()?;
                Some(Self { #(#values),* })
            }
        }
    })
}

/// Returns the fields of a struct.
fn named_fields(input: &DeriveInput) -> Result<&Punctuated<Field, Token![,]>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "must be a struct"));
    };
    match &data.fields {
        Fields::Named(fields) => Ok(&fields.named),
        fields => Err(Error::new(fields.span(), "the fields must have names")),
    }
}

/// The attributes of the struct.
struct Body {
    /// The constructor of the `ObjectReader`.
    start: Ident,
    check: Option<TokenStream>,
    /// The last call of the `ObjectReader`.
    finish: Ident,
}

impl Body {
    fn parse(input: &DeriveInput) -> Result<Self> {
        let (start, finish) = (format_ident!("new"), format_ident!("finish"));
        let mut body = Self { start, check: None, finish };
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("json")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("nulls") {
                    body.start = format_ident!("with_nulls");
                } else if meta.path.is_ident("open") {
                    body.finish = format_ident!("finish_open");
                } else if meta.path.is_ident("check") {
                    body.check = Some(check(&meta.value()?.parse()?)?);
                } else {
                    return Err(meta.error("unknown attribute"));
                }
                Ok(())
            })?;
        }
        Ok(body)
    }
}

/// Returns the call of a check, whose arguments are names of fields.
fn check(call: &Expr) -> Result<TokenStream> {
    let Expr::Call(call) = call else {
        return Err(Error::new(call.span(), "must be a call"));
    };
    let function = &call.func;
    let argument = |argument: &Expr| match argument {
        Expr::Path(path) => path.path.require_ident().map(local),
        _ => Err(Error::new(argument.span(), "must be the name of a field")),
    };
    let arguments: Vec<Ident> = call.args.iter().map(argument).collect::<Result<_>>()?;
    Ok(quote_spanned! { Span::mixed_site() => #function(&mut members, #(#arguments),*); })
}

/// Returns the local variable with the value of a field.
fn local(field: &Ident) -> Ident {
    let mut local = field.clone();
    local.set_span(Span::mixed_site());
    local
}

/// A field and the member that it is read from.
struct Member<'a> {
    field: &'a Ident,
    name: String,
    presence: Presence,
    with: Option<Expr>,
}

/// How a member is read.
enum Presence {
    Required,
    Optional,
    Default,
    Nullable,
    Skip,
}

impl<'a> Member<'a> {
    fn parse(field: &'a Field) -> Result<Self> {
        let ident = field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "has no name"))?;
        let mut member = Self {
            field: ident,
            name: ident.unraw().to_string(),
            presence: Presence::of(&field.ty),
            with: None,
        };
        for attribute in &field.attrs {
            if attribute.path().is_ident("json") {
                attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("with") {
                        member.with = Some(meta.value()?.parse()?);
                    } else if meta.path.is_ident("default") {
                        member.presence = Presence::Default;
                    } else if meta.path.is_ident("skip") {
                        member.presence = Presence::Skip;
                    } else {
                        return Err(meta.error("unknown attribute"));
                    }
                    Ok(())
                })?;
            } else if attribute.path().is_ident("serde") {
                attribute.parse_nested_meta(|meta| {
                    if meta.path.is_ident("rename") {
                        member.name = meta.value()?.parse::<LitStr>()?.value();
                    } else if let Ok(value) = meta.value() {
                        value.parse::<LitStr>()?;
                    }
                    Ok(())
                })?;
            }
        }
        Ok(member)
    }

    /// Returns the statement that reads the member.
    fn read(&self) -> TokenStream {
        let reader = match self.presence {
            Presence::Required => format_ident!("required"),
            Presence::Optional | Presence::Default => format_ident!("optional"),
            Presence::Nullable => format_ident!("nullable"),
            Presence::Skip => return TokenStream::new(),
        };
        let (local, name) = (local(self.field), &self.name);
        let with = self
            .with
            .as_ref()
            .map_or_else(|| quote!(::contract::read::FromJson::from_json), |with| quote!(#with));
        quote_spanned! { Span::mixed_site() => let #local = members.#reader(#name, #with); }
    }

    /// Returns the field of the struct with its value.
    fn value(&self) -> TokenStream {
        let (field, local) = (self.field, local(self.field));
        match self.presence {
            Presence::Required | Presence::Nullable => quote!(#field: #local?),
            Presence::Optional => quote!(#field: #local),
            Presence::Default => quote!(#field: #local.unwrap_or_default()),
            Presence::Skip => quote!(#field: ::core::default::Default::default()),
        }
    }
}

impl Presence {
    /// Returns how a member of this type is read, unless an attribute changes it.
    fn of(field: &Type) -> Self {
        let Type::Path(path) = field else { return Self::Required };
        match path.path.segments.last() {
            Some(segment) if segment.ident == "Option" => Self::Optional,
            Some(segment) if segment.ident == "FieldPatch" => Self::Nullable,
            _ => Self::Required,
        }
    }
}
