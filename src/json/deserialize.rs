//! Typed values from the nodes of a document.
//!
//! What this cannot read is read from a `serde_json::Value` instead, by [`ValueRef::read`]: names of members
//! that are numbers, and raw JSON. So the errors are those of `serde_json` as well.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Error;

use super::view::{Items, Kind, Members, ValueRef};

/// An error of a value with a member in its path.
type PathError = serde_path_to_error::Error<Error>;

impl ValueRef<'_> {
    /// Reads a value of a type.
    ///
    /// # Errors
    ///
    /// The type has no such value.
    pub(crate) fn read<T: DeserializeOwned>(self) -> Result<T, Box<PathError>> {
        T::deserialize(self)
            .or_else(|_| serde_path_to_error::deserialize(self.to_value()).map_err(Box::new))
    }
}

impl<'de> Deserializer<'de> for ValueRef<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind() {
            Kind::Null => visitor.visit_unit(),
            Kind::Bool(value) => visitor.visit_bool(value),
            Kind::Number(number) => number.deserialize_any(visitor),
            Kind::String(text) => visitor.visit_borrowed_str(text),
            Kind::Array(items) => {
                let mut access = ItemAccess(items);
                let value = visitor.visit_seq(&mut access)?;
                match access.0.next() {
                    None => Ok(value),
                    Some(_) => Err(de::Error::invalid_length(items.len(), &"fewer items")),
                }
            }
            Kind::Object(members) => {
                let mut access = MemberAccess(members, None);
                let value = visitor.visit_map(&mut access)?;
                match access.0.next() {
                    None => Ok(value),
                    Some(_) => {
                        let count = members.count();
                        Err(de::Error::invalid_length(count, &"fewer members"))
                    }
                }
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.is_null() {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.kind() {
            Kind::String(text) => visitor.visit_enum(BorrowedStrDeserializer::new(text)),
            Kind::Object(mut members) => match (members.next(), members.next()) {
                (Some((name, value)), None) => visitor.visit_enum(Variant { name, value }),
                _ => Err(de::Error::custom("a variant is an object of one member")),
            },
            Kind::Null | Kind::Bool(_) | Kind::Number(_) | Kind::Array(_) => {
                Err(de::Error::custom("a variant is a string or an object"))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// The items of an array that are not read yet.
struct ItemAccess<'de>(Items<'de>);

impl<'de> SeqAccess<'de> for ItemAccess<'de> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        self.0.next().map(|item| seed.deserialize(item)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The members of an object that are not read yet, and the value of the one whose name was read last.
struct MemberAccess<'de>(Members<'de>, Option<ValueRef<'de>>);

impl<'de> MapAccess<'de> for MemberAccess<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some((name, value)) = self.0.next() else {
            return Ok(None);
        };
        self.1 = Some(value);
        seed.deserialize(BorrowedStrDeserializer::new(name))
            .map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        match self.1.take() {
            Some(value) => seed.deserialize(value),
            None => Err(de::Error::custom("the value of a member without a name")),
        }
    }
}

/// A variant with content.
struct Variant<'de> {
    name: &'de str,
    value: ValueRef<'de>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Error;
    type Variant = ValueRef<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, ValueRef<'de>), Error> {
        let variant = seed.deserialize(BorrowedStrDeserializer::<Error>::new(self.name))?;
        Ok((variant, self.value))
    }
}

impl<'de> VariantAccess<'de> for ValueRef<'de> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        de::Deserialize::deserialize(self)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Error> {
        if self.items().is_none() {
            return Err(de::Error::custom("the content of the variant is an array"));
        }
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.members().is_none() {
            return Err(de::Error::custom("the content of the variant is an object"));
        }
        self.deserialize_any(visitor)
    }
}
