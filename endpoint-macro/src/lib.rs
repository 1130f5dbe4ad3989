#![doc = include_str!("../README.md")]

mod arguments;

use proc_macro::TokenStream;
use quote::{format_ident, quote};
use syn::{
    Attribute, Error, Expr, ExprLit, FnArg, ItemFn, Lit, Meta, PatType, Result, ReturnType, Type,
    parse_macro_input, parse_quote,
};

use crate::arguments::Arguments;

/// Describes the handler of a `GET`.
#[proc_macro_attribute]
pub fn get(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    endpoint("get", arguments, handler)
}

/// Describes the handler of a `POST`.
#[proc_macro_attribute]
pub fn post(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    endpoint("post", arguments, handler)
}

/// Describes the handler of a `PATCH`.
#[proc_macro_attribute]
pub fn patch(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    endpoint("patch", arguments, handler)
}

/// Describes the handler of a `DELETE`.
#[proc_macro_attribute]
pub fn delete(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    endpoint("delete", arguments, handler)
}

fn endpoint(method: &str, arguments: TokenStream, handler: TokenStream) -> TokenStream {
    let arguments = parse_macro_input!(arguments as Arguments);
    let mut handler = parse_macro_input!(handler as ItemFn);
    refuse_unknown_parameters(method, &mut handler);
    let registration = registration(method, &arguments, &handler);
    let registration = registration.unwrap_or_else(Error::into_compile_error);
    quote!(#handler #registration).into()
}

/// Adds an extractor that accepts no parameters, or no body, to a handler that extracts neither. So a handler cannot
/// ignore what a caller sends.
fn refuse_unknown_parameters(method: &str, handler: &mut ItemFn) {
    let is_strict = |input: &FnArg| match input {
        FnArg::Typed(PatType { ty, .. }) => match &**ty {
            Type::Path(ty) => ty.path.segments.last().is_some_and(|name| {
                ["Query", "Body", "RulesBody"].iter().any(|strict| name.ident == strict)
            }),
            _ => false,
        },
        FnArg::Receiver(_) => false,
    };
    if !handler.sig.inputs.iter().any(is_strict) {
        handler.sig.inputs.push(match method {
            "get" | "delete" => parse_quote!(_: crate::edge::query::NoQuery),
            _ => parse_quote!(_: crate::edge::extract::NoBody),
        });
    }
}

/// Returns the registration of the endpoint in the list that `server` collects at link time.
fn registration(
    method: &str,
    arguments: &Arguments,
    handler: &ItemFn,
) -> Result<proc_macro2::TokenStream> {
    let name = &handler.sig.ident;
    let audit = arguments.audit(method)?;
    let Arguments { path, access, tag, id, descriptions, answer, .. } = arguments;
    let (summary, description) = texts(&doc(&handler.attrs));
    let pattern = path.value();
    // In the document, a parameter for several segments looks like any other.
    let path = pattern.replace("{*", "{");
    let tag = tag.clone().unwrap_or_else(|| first_segment(&path).to_owned());
    let routing = format_ident!("{method}");
    let method = method.to_uppercase();
    let extractors = handler.sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&input.ty),
        FnArg::Receiver(_) => None,
    });
    let answer = match (answer, &handler.sig.output) {
        (Some(answer), _) => Some(answer),
        (None, ReturnType::Type(_, answer)) if !arguments.has_content => Some(&**answer),
        _ => None,
    };
    let answer = answer.into_iter();
    Ok(quote! {
        ::inventory::submit! {
            crate::endpoint::Endpoint {
                method: #method,
                pattern: #pattern,
                path: #path,
                access: crate::endpoint::Access::#access,
                tag: #tag,
                id: #id,
                summary: #summary,
                description: #description,
                audit: #audit,
                handler: || ::axum::routing::#routing(crate::endpoint::ErasedHandler(
                    |request, service| ::axum::handler::Handler::call(#name, request, service),
                )),
                describe: |operation| {
                    #(<#extractors as crate::endpoint::Describe>::describe(operation);)*
                    #(<#answer as crate::endpoint::Describe>::describe(operation);)*
                    #(#descriptions)*
                },
            }
        }
    })
}

/// Returns the lines of the doc comment.
fn doc(attributes: &[Attribute]) -> Vec<String> {
    let texts = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    texts.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect()
}

/// Splits a doc comment into its first paragraph and the rest.
fn texts(lines: &[String]) -> (String, String) {
    let end = lines.iter().position(|line| line.trim().is_empty()).unwrap_or(lines.len());
    let (summary, description) = lines.split_at(end);
    (summary.join("\n"), description.join("\n").trim().to_owned())
}

/// Returns the first segment of a path after `/v1`.
fn first_segment(path: &str) -> &str {
    path.split('/').nth(2).unwrap_or_default()
}
