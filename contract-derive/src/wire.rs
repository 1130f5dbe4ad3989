//! The attributes `wire` and `body`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{
    Attribute, Data, DeriveInput, Field, Path, Token, Type, parse_quote, punctuated::Punctuated,
};

/// The traits that the attribute names in addition to those that it always derives.
pub(crate) type Traits = Punctuated<Path, Token![,]>;

/// Adds the derives, and to each optional field that its member is absent without a value.
pub(crate) fn wire(traits: &Traits, mut input: DeriveInput) -> TokenStream {
    if let Data::Struct(data) = &mut input.data {
        data.fields.iter_mut().for_each(omit_without_value);
    }
    derive(traits, &quote!(::serde::Serialize, ::serde::Deserialize), &input)
}

/// Adds the derives of a request body.
pub(crate) fn body(traits: &Traits, input: &DeriveInput) -> TokenStream {
    derive(traits, &quote!(::contract_derive::FromJson), input)
}

fn derive(traits: &Traits, format: &TokenStream, input: &DeriveInput) -> TokenStream {
    let replaces_debug = traits.iter().any(|path| is_named(path, "Debug"));
    let debug = (!replaces_debug).then(|| quote!(Debug,));
    quote! {
        #[derive(Clone, #debug PartialEq, #format, #traits)]
        #[cfg_attr(feature = "openapi", derive(::utoipa::ToSchema))]
        #input
    }
}

fn omit_without_value(field: &mut Field) {
    let all = field.attrs.len();
    field.attrs.retain(|attribute| !attribute.path().is_ident("wire"));
    let is_optional = matches!(&field.ty, Type::Path(path) if is_named(&path.path, "Option"));
    if is_optional && field.attrs.len() == all && !field.attrs.iter().any(is_omitting) {
        field.attrs.push(parse_quote!(#[serde(skip_serializing_if = "Option::is_none", default)]));
    }
}

/// Returns whether the attribute says itself when the member is absent.
fn is_omitting(attribute: &Attribute) -> bool {
    attribute.path().is_ident("serde")
        && attribute.to_token_stream().to_string().contains("skip_serializing_if")
}

fn is_named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}
