//! Enumerations with wire names.

/// An enumeration whose values have names on the wire and in the database.
pub trait StringEnum: Copy + 'static {
    /// All values.
    const ALL: &'static [Self];

    /// The wire names, in the order of [`Self::ALL`].
    const NAMES: &'static [&'static str];

    /// Returns the wire name.
    fn as_str(self) -> &'static str;

    /// Returns the value with a wire name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.as_str() == name)
    }
}

/// Defines an enumeration whose values have names: its constants `ALL` and `NAMES`, `as_str`, `Display` and
/// [`StringEnum`].
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $name { $($(#[$variant_meta])* $variant,)+ }

        impl $name {
            /// All values.
            pub const ALL: [Self; [$($text),+].len()] = [$(Self::$variant),+];

            /// The names, in the order of [`Self::ALL`].
            pub const NAMES: [&'static str; [$($text),+].len()] = [$($text),+];

            /// Returns the name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl $crate::string_enum::StringEnum for $name {
            const ALL: &'static [Self] = &Self::ALL;
            const NAMES: &'static [&'static str] = &Self::NAMES;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// Defines an enumeration with wire names: what [`named_enum`] defines, `FromStr`, its serde form and its `OpenAPI` schema.
macro_rules! string_enum {
    (
        $(#[doc = $doc:literal])+
        $(#[derive($derived:ident)])?
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)+ }
    ) => {
        $crate::named_enum! {
            $(#[doc = $doc])+
            #[derive(serde::Serialize, serde::Deserialize, $($derived)?)]
            pub enum $name { $($(#[$variant_meta])* #[serde(rename = $text)] $variant = $text,)+ }
        }

        impl std::str::FromStr for $name {
            type Err = ();

            fn from_str(text: &str) -> Result<Self, ()> {
                crate::string_enum::StringEnum::from_name(text).ok_or(())
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .description(Some([$($doc),+].map(str::trim).join("\n")))
                    .enum_values(Some([$($text),+]))
                    .build()
                    .into()
            }
        }

        #[cfg(feature = "openapi")]
        impl utoipa::ToSchema for $name {}
    };
}

#[cfg(test)]
mod tests {
    use crate::outcome::OutcomeStatus;

    #[test]
    fn names_round_trip() {
        for (status, name) in OutcomeStatus::ALL.into_iter().zip(OutcomeStatus::NAMES) {
            assert_eq!((status.as_str(), name.parse()), (name, Ok(status)));
            assert_eq!(serde_json::to_string(&status).unwrap(), format!("\"{name}\""));
        }
    }
}
