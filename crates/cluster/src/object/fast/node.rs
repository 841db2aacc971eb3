//! Nodes: which form a value has, and its entries in serde's terms.

use super::fault::Fault;
use super::lines::{Flush, Reader};
use super::typing::{Scalar, Style};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use std::borrow::Cow;

/// A little less than what the library allows, so that it decides about what is deeper.
const DEEPEST: u8 = 60;

/// What the position of a node allows.
#[derive(Debug, Clone, Copy)]
pub(in crate::object) struct Place {
    /// The parent's column: what belongs to the node is deeper.
    indent: isize,
    /// Whether a list may also stand in the parent's column, as under a key.
    flush: Flush,
    /// The column of the node's first byte if a collection may begin there, on a line that
    /// something else began.
    column: Option<usize>,
}

impl Place {
    pub(super) fn document(column: usize) -> Self {
        Self { indent: -1, flush: Flush::Refused, column: Some(column) }
    }

    pub(super) fn item(dash: usize, column: usize) -> Self {
        Self { indent: signed(dash), flush: Flush::Refused, column: Some(column) }
    }

    fn value(key: usize) -> Self {
        Self { indent: signed(key), flush: Flush::Allowed, column: None }
    }
}

/// Texts are shorter than `isize::MAX` bytes, so columns always fit.
fn signed(column: usize) -> isize {
    isize::try_from(column).unwrap_or(isize::MAX)
}

/// A node that was not read yet.
pub(in crate::object) struct Node<'r, 'de> {
    reader: &'r mut Reader<'de>,
    place: Place,
    /// The form, when it was looked at already to see whether there is a value.
    known: Option<Shape<'de>>,
}

/// The form of a node, with the cursor at its first byte.
enum Shape<'de> {
    Null,
    Map(Start),
    List(Start),
    Scalar(Scalar<'de>),
}

/// The entries of a collection before the first.
#[derive(Clone, Copy)]
struct Start {
    column: usize,
    state: State,
}

impl Start {
    /// One form for both, so that a type is compiled once.
    const NONE: Self = Self { column: 0, state: State::Done };

    fn at(column: usize) -> Self {
        Self { column, state: State::First }
    }
}

impl<'r, 'de> Node<'r, 'de> {
    pub(super) fn new(reader: &'r mut Reader<'de>, place: Place) -> Self {
        Self { reader, place, known: None }
    }

    fn shape(&mut self) -> Result<Shape<'de>, Fault> {
        if let Some(shape) = self.known.take() {
            return Ok(shape);
        }
        match self.reader.peek() {
            None | Some(b'\n' | b'\r' | b'#') => self.below(),
            Some(_) => self.here(self.place.column),
        }
    }

    /// The node does not begin on the current line.
    fn below(&mut self) -> Result<Shape<'de>, Fault> {
        let reader = &mut *self.reader;
        reader.go_to(reader.line(reader.pos).next);
        let Some(column) = reader.next_content()? else {
            return Ok(Shape::Null);
        };
        if signed(column) > self.place.indent {
            self.reader.advance(column);
            return self.here(Some(column));
        }
        if signed(column) == self.place.indent && self.place.flush == Flush::Allowed {
            let dash = reader.pos + column;
            if reader.byte(dash) == Some(b'-') {
                reader.advance(column);
                if !reader.at_dash() {
                    return Err(reader.outside("a dash without a space"));
                }
                return Ok(Shape::List(Start::at(column)));
            }
        }
        Ok(Shape::Null)
    }

    fn here(&mut self, column: Option<usize>) -> Result<Shape<'de>, Fault> {
        let indent = self.place.indent;
        let reader = &mut *self.reader;
        let first = reader.peek().unwrap_or_default();
        match first {
            b'-' if reader.at_dash() => match column {
                Some(column) => Ok(Shape::List(Start::at(column))),
                None => Err(reader.outside("a list on the line of its key")),
            },
            b'|' | b'>' => {
                let text = reader.block(indent)?;
                Ok(quoted(text))
            }
            b'{' | b'[' => {
                let (closing, shape) =
                    if first == b'{' { (b'}', Shape::Map(Start::NONE)) } else { (b']', Shape::List(Start::NONE)) };
                if reader.byte(reader.pos + 1) != Some(closing) {
                    return Err(reader.outside("a flow collection"));
                }
                reader.end_line(reader.pos + 2)?;
                Ok(shape)
            }
            b'&' | b'*' | b'!' | b'%' | b'@' | b'`' | b',' | b']' | b'}' | b'?' | b':' | b'#' | b'\t' => {
                Err(reader.outside("an anchor, alias, tag or other indicator"))
            }
            _ => match column {
                Some(column) if reader.at_key()? => Ok(Shape::Map(Start::at(column))),
                Some(_) | None if matches!(first, b'"' | b'\'') => {
                    let text = reader.quoted(indent)?;
                    Ok(quoted(text))
                }
                Some(_) | None => {
                    let text = reader.plain(indent)?;
                    let style = Style::Plain;
                    Ok(Shape::Scalar(Scalar { text, style }))
                }
            },
        }
    }

    /// Gives a map or list to `visitor`, then makes sure that it was read to its end.
    fn map<V: Visitor<'de>>(self, start: Start, visitor: V) -> Result<V::Value, Fault> {
        let Start { column, state } = start;
        self.reader.descend()?;
        let mut fields = Fields { reader: self.reader, column, state };
        let value = visitor.visit_map(&mut fields)?;
        fields.finish()?;
        Ok(value)
    }

    fn list<V: Visitor<'de>>(self, start: Start, visitor: V) -> Result<V::Value, Fault> {
        let Start { column, state } = start;
        self.reader.descend()?;
        let mut items = Items { reader: self.reader, column, state };
        let value = visitor.visit_seq(&mut items)?;
        items.finish()?;
        Ok(value)
    }

    /// Hands a node on that is not a collection of the wanted kind.
    fn mismatch<V: Visitor<'de>>(shape: &Shape<'de>, visitor: &V) -> Fault {
        let found = match shape {
            Shape::Null => Unexpected::Unit,
            Shape::Map(_) => Unexpected::Map,
            Shape::List(_) => Unexpected::Seq,
            Shape::Scalar(scalar) => Unexpected::Str(&scalar.text),
        };
        Fault::invalid_type(found, visitor)
    }
}

fn quoted(text: Cow<'_, str>) -> Shape<'_> {
    Shape::Scalar(Scalar { text, style: Style::Quoted })
}

impl Reader<'_> {
    fn descend(&mut self) -> Result<(), Fault> {
        if self.depth >= DEEPEST {
            return Err(self.outside("nested too deep"));
        }
        self.depth += 1;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The cursor stands at the first entry already.
    First,
    Later,
    Done,
}

/// The entries of a map whose keys stand in one column.
struct Fields<'r, 'de> {
    reader: &'r mut Reader<'de>,
    column: usize,
    state: State,
}

impl Fields<'_, '_> {
    /// Passes the entries that nobody asked for.
    fn finish(&mut self) -> Result<(), Fault> {
        while self.next_key::<IgnoredAny>()?.is_some() {
            self.next_value::<IgnoredAny>()?;
        }
        self.reader.depth -= 1;
        Ok(())
    }

    /// Moves to the next key.
    fn advance(&mut self) -> Result<bool, Fault> {
        match self.state {
            State::Done => return Ok(false),
            State::First => {
                self.state = State::Later;
                return Ok(true);
            }
            State::Later => {}
        }
        match self.reader.next_content()? {
            Some(indent) if indent == self.column => {
                self.reader.advance(indent);
                Ok(true)
            }
            Some(indent) if indent > self.column => Err(self.reader.outside("a line too deep")),
            Some(_) | None => {
                self.state = State::Done;
                Ok(false)
            }
        }
    }
}

impl<'de> MapAccess<'de> for Fields<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if !self.advance()? {
            return Ok(None);
        }
        let at = self.reader.pos;
        let key = self.reader.key()?;
        seed.deserialize(key).map(Some).map_err(|fault| self.reader.failed(fault, at))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let at = self.reader.pos;
        let place = Place::value(self.column);
        seed.deserialize(Node::new(self.reader, place)).map_err(|fault| self.reader.failed(fault, at))
    }
}

/// The items of a list whose dashes stand in one column.
struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    column: usize,
    state: State,
}

impl Items<'_, '_> {
    /// Passes the items that nobody asked for.
    fn finish(&mut self) -> Result<(), Fault> {
        while self.next_element::<IgnoredAny>()?.is_some() {}
        self.reader.depth -= 1;
        Ok(())
    }

    /// Moves to the next dash.
    fn advance(&mut self) -> Result<bool, Fault> {
        match self.state {
            State::Done => return Ok(false),
            State::First => {
                self.state = State::Later;
                return Ok(true);
            }
            State::Later => {}
        }
        match self.reader.next_content()? {
            Some(indent) if indent == self.column => {
                let dash = self.reader.byte(self.reader.pos + indent) == Some(b'-');
                let follows = self.reader.pos + indent + 1;
                if dash && (self.reader.byte(follows) == Some(b' ') || self.reader.ends_at(follows)) {
                    self.reader.advance(indent);
                    return Ok(true);
                }
            }
            Some(indent) if indent > self.column => {
                return Err(self.reader.outside("a line too deep"));
            }
            Some(_) | None => {}
        }
        self.state = State::Done;
        Ok(false)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if !self.advance()? {
            return Ok(None);
        }
        let at = self.reader.pos;
        let column = self.reader.pass_dash(self.column)?;
        let place = Place::item(self.column, column);
        seed.deserialize(Node::new(self.reader, place)).map(Some).map_err(|fault| self.reader.failed(fault, at))
    }
}

macro_rules! scalars {
    ($($method:ident),+ $(,)?) => {$(
        fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
            match self.shape()? {
                Shape::Scalar(scalar) => scalar.$method(visitor),
                other => Err(Self::mismatch(&other, &visitor)),
            }
        }
    )+};
}

impl<'de> Deserializer<'de> for Node<'_, 'de> {
    type Error = Fault;

    scalars! {
        deserialize_bool, deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64,
        deserialize_u8, deserialize_u16, deserialize_u32, deserialize_u64, deserialize_char, deserialize_str, deserialize_string,
        deserialize_identifier,
    }

    fn deserialize_any<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Null => visitor.visit_unit(),
            Shape::Map(start) => self.map(start, visitor),
            Shape::List(start) => self.list(start, visitor),
            Shape::Scalar(scalar) => scalar.deserialize_any(visitor).map_err(|fault| self.reader.scalar_failed(fault)),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Scalar(scalar) => scalar.deserialize_f64(visitor).map_err(|fault| self.reader.scalar_failed(fault)),
            other => Err(Self::mismatch(&other, &visitor)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(self.reader.outside("bytes are asked for"))
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(self.reader.outside("bytes are asked for"))
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Null => visitor.visit_none(),
            Shape::Scalar(scalar) if scalar.is_null() => visitor.visit_none(),
            shape => {
                self.known = Some(shape);
                visitor.visit_some(self)
            }
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Null => visitor.visit_unit(),
            Shape::Scalar(scalar) => scalar.deserialize_unit(visitor),
            other => Err(Self::mismatch(&other, &visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::List(start) => self.list(start, visitor),
            other => Err(Self::mismatch(&other, &visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Map(start) => self.map(start, visitor),
            other => Err(Self::mismatch(&other, &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.shape()? {
            Shape::Scalar(scalar) => scalar.deserialize_enum(name, variants, visitor),
            Shape::Map(_) => Err(self.reader.outside("a variant with content")),
            other => Err(Self::mismatch(&other, &visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.known.is_some() {
            // The cursor has left the first line, so there is no skipping from here.
            return self.deserialize_any(visitor);
        }
        self.reader.skip(self.place.indent, self.place.flush)?;
        visitor.visit_unit()
    }
}
