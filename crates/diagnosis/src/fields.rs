//! The fields of a type in JSON, as a table.

/// Implements `Serialize` for a type: a map with these fields.
macro_rules! fields {
    ($type:ty as $this:ident { $($name:ident: $value:expr,)* }) => {
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $this = self;
                let mut fields = serializer.serialize_map(None)?;
                $(serde::ser::SerializeMap::serialize_entry(&mut fields, stringify!($name), &$value)?;)*
                serde::ser::SerializeMap::end(fields)
            }
        }
    };
}

pub(crate) use fields;
