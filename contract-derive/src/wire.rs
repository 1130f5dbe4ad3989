//! The attributes `wire` and `body`.

use proc_macro2::TokenStream;
use quote::{ToTokens as _, quote};
use syn::{
    Attribute, Data, DeriveInput, Error, Field, GenericArgument, Path, PathArguments, PathSegment,
    Result, Token, Type, parse_quote, punctuated::Punctuated,
};

/// The traits that the attribute names in addition to those that it always derives.
pub(crate) type Traits = Punctuated<Path, Token![,]>;

/// Adds the derives, and to each optional field that its member is absent without a value.
pub(crate) fn wire(traits: &Traits, input: DeriveInput) -> Result<TokenStream> {
    declare(traits, &quote!(::serde::Serialize, ::serde::Deserialize), input, omit_without_value)
}

/// Adds the derives of a request body.
pub(crate) fn body(traits: &Traits, input: DeriveInput) -> Result<TokenStream> {
    declare(traits, &quote!(::contract_derive::FromJson), input, |_| Ok(()))
}

fn declare(
    traits: &Traits,
    format: &TokenStream,
    mut input: DeriveInput,
    change: impl Fn(&mut Field) -> Result<()>,
) -> Result<TokenStream> {
    if let Data::Struct(data) = &mut input.data {
        for field in &mut data.fields {
            change(field)?;
            name_schema(field);
        }
    }
    let replaces_debug = traits.iter().any(|path| is_named(path, "Debug"));
    let debug = (!replaces_debug).then(|| quote!(Debug,));
    Ok(quote! {
        #[derive(Clone, #debug PartialEq, #format, #traits)]
        #[cfg_attr(feature = "openapi", derive(::utoipa::ToSchema))]
        #input
    })
}

fn omit_without_value(field: &mut Field) -> Result<()> {
    let is_wire = |attribute: &Attribute| attribute.path().is_ident("wire");
    let Some(index) = field.attrs.iter().position(is_wire) else {
        let is_optional = last_segment(&field.ty).is_some_and(|last| last.ident == "Option");
        if is_optional && !mentions(field, "serde", "skip_serializing_if") {
            let omit = parse_quote!(#[serde(skip_serializing_if = "Option::is_none", default)]);
            field.attrs.push(omit);
        }
        return Ok(());
    };
    let words = field.attrs.remove(index).parse_args_with(Traits::parse_terminated)?;
    for word in words {
        if word.is_ident("required") {
            field
                .attrs
                .push(parse_quote!(#[cfg_attr(feature = "openapi", schema(required = true))]));
        } else if !word.is_ident("null") {
            return Err(Error::new_spanned(word, "must be `null` or `required`"));
        }
    }
    Ok(())
}

/// Describes a JSON tree as an object, and a member of a patch as an optional value, unless the field names a schema.
fn name_schema(field: &mut Field) {
    if mentions(field, "cfg_attr", "value_type") {
        return;
    }
    let Some(last) = last_segment(&field.ty) else { return };
    let is_tree = |segment: &PathSegment| segment.ident == "Value" || segment.ident == "Object";
    let value_type = match (last, argument(last)) {
        (last, None) if is_tree(last) => quote!(Object),
        (last, Some(inner)) if last.ident == "FieldPatch" => quote!(Option<#inner>),
        (last, Some(inner))
            if last.ident == "Option" && last_segment(inner).is_some_and(is_tree) =>
        {
            quote!(Option<Object>)
        }
        _ => return,
    };
    let schema = quote!(schema(value_type = #value_type));
    field.attrs.push(parse_quote!(#[cfg_attr(feature = "openapi", #schema)]));
}

fn last_segment(field: &Type) -> Option<&PathSegment> {
    match field {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Returns the type in angle brackets.
fn argument(segment: &PathSegment) -> Option<&Type> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
            Some(GenericArgument::Type(argument)) => Some(argument),
            _ => None,
        },
        _ => None,
    }
}

/// Returns whether an attribute `name` of the field contains the word.
fn mentions(field: &Field, name: &str, word: &str) -> bool {
    field.attrs.iter().any(|attribute| {
        attribute.path().is_ident(name) && attribute.to_token_stream().to_string().contains(word)
    })
}

fn is_named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}
