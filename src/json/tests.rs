use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Document, Kind, ValueRef};

fn parsed(json: &str) -> Value {
    Document::parse(json).unwrap().root().to_value()
}

#[test]
fn a_text_is_read_as_serde_json_reads_it() {
    for json in [
        r#"{"a":[1,-2,1.5,"x",null,true,false],"b":{"a":{}},"c":[],"\u0064":"\"\n"}"#,
        r#" [ 18446744073709551615 , -9223372036854775808 , 1e300 , -0.0 , 0.1 , 18446744073709551616 ] "#,
        r#""only a text""#,
        "null",
        "{}",
    ] {
        let expected: Value = serde_json::from_str(json).unwrap();
        assert_eq!(parsed(json), expected);
        let document = Document::of(&expected);
        assert_eq!(document.root().to_value(), expected);
        assert_eq!(
            serde_json::to_string(&document.root()).unwrap(),
            expected.to_string()
        );
    }
    for json in ["", "{", "[1,]", "1 2", r#"{"a" 1}"#, "1e999", r#""\ud800""#] {
        let read = serde_json::from_str::<Value>(json).map_err(|error| error.to_string());
        let error = Document::parse(json).map_err(|error| error.to_string());
        assert_eq!(error.err(), read.err(), "{json}");
    }
}

#[test]
fn a_duplicate_member_is_an_error_at_any_depth() {
    let many: Vec<String> = (0..20).map(|n| format!(r#""{n}":{n}"#)).collect();
    let many = many.join(",");
    for (json, name) in [
        (r#"{"a":1,"a":1}"#, "a"),
        (r#"[{"b":{"a":1,"\u0061":2}}]"#, "a"),
        (&*format!(r#"{{{many},"19":0}}"#), "19"),
        (&*format!(r#"{{"0":[],{many}}}"#), "0"),
    ] {
        let error = Document::parse(json).unwrap_err();
        assert_eq!(
            super::describe(&error),
            format!("duplicate member `{name}`")
        );
    }
    assert!(Document::parse(&format!("{{{many}}}")).is_ok());
}

#[test]
fn texts_without_escapes_are_borrowed() {
    let borrowed = Document::parse(r#"{"name":"text","other":["ä"]}"#).unwrap();
    assert_eq!(borrowed.owned_bytes(), 0);
    let owned = Document::parse(r#"{"name":"a\nb","other":"c"}"#).unwrap();
    assert_eq!(owned.owned_bytes(), 3);
}

#[test]
fn members_are_found_and_left_out() {
    let json = r#"{"a":null,"b":[1,{"c":2.0}],"d":"x"}"#;
    let mut document = Document::parse(json).unwrap();
    let at = |document: &Document<'_>, path: &[&str]| {
        let found = path
            .iter()
            .try_fold(document.root(), |value, name| value.get(name));
        found.map(ValueRef::at)
    };
    let (a, d) = (
        at(&document, &["a"]).unwrap(),
        at(&document, &["d"]).unwrap(),
    );
    let Kind::Array(mut items) = document.root().get("b").unwrap().kind() else {
        unreachable!()
    };
    let c = items.nth(1).unwrap().get("c").unwrap().at();
    document.leave_out(a);
    document.set_number(c, &2.into());
    let expected = json!({"b": [1, {"c": 2}], "d": "x"});
    assert_eq!(document.root().to_value(), expected);
    assert_eq!(document.root().read::<Value>().unwrap(), expected);
    assert_eq!(at(&document, &["a"]), None);
    document.leave_out(d);
    assert_eq!(document.root().members().unwrap().count(), 1);
    assert_eq!(document.root().members().unwrap().max_len(), 3);
}

/// Whether a type is read from a document as `serde_json` reads it from a value, errors included.
fn reads_alike<T: DeserializeOwned + Debug>(value: &Value) {
    let expected = serde_path_to_error::deserialize::<_, T>(value.clone());
    let read = Document::of(value).root().read::<T>();
    assert_eq!(
        read.map(|read| format!("{read:?}"))
            .map_err(|error| error.to_string()),
        expected
            .map(|read| format!("{read:?}"))
            .map_err(|error| error.to_string()),
        "{} of {value}",
        std::any::type_name::<T>()
    );
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its text is compared")]
struct Row {
    id: u32,
    #[serde(default)]
    name: Option<String>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its text is compared")]
struct Pair(i8, f32);

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its text is compared")]
enum Shape {
    Point,
    Circle(f64),
    Line(u8, u8),
    Box { width: u8, height: Option<u8> },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only its text is compared")]
enum Tagged {
    A { a: u8 },
    B(Row),
    C,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its text is compared")]
enum Either {
    Number(i64),
    Text(String),
    Many(Vec<Self>),
    Row(Row),
}

#[derive(Debug, Deserialize)]
struct Unit;

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its text is compared")]
struct Newtype(Option<Box<RawValue>>);

fn all_types_read_alike(value: &Value) {
    reads_alike::<Value>(value);
    reads_alike::<Row>(value);
    reads_alike::<Pair>(value);
    reads_alike::<Shape>(value);
    reads_alike::<Tagged>(value);
    reads_alike::<Either>(value);
    reads_alike::<Unit>(value);
    reads_alike::<()>(value);
    reads_alike::<bool>(value);
    reads_alike::<char>(value);
    reads_alike::<u8>(value);
    reads_alike::<i128>(value);
    reads_alike::<f32>(value);
    reads_alike::<String>(value);
    reads_alike::<Newtype>(value);
    reads_alike::<Option<i64>>(value);
    reads_alike::<Vec<Shape>>(value);
    reads_alike::<[u8; 2]>(value);
    reads_alike::<(u8, String)>(value);
    reads_alike::<BTreeMap<u16, Value>>(value);
    reads_alike::<BTreeMap<bool, Either>>(value);
    reads_alike::<BTreeMap<String, Shape>>(value);
    reads_alike::<serde::de::IgnoredAny>(value);
}

#[test]
fn types_are_read_as_serde_json_reads_them() {
    for value in [
        json!({"id": 1, "name": null, "more": [1], "x": {"y": null}}),
        json!({"id": -1}),
        json!({"id": 1.5, "name": "a"}),
        json!([1, "a"]),
        json!([1, 2]),
        json!([1, 2, 3]),
        json!("point"),
        json!({"point": null}),
        json!({"circle": 1}),
        json!({"circle": "1"}),
        json!({"line": [1, 2]}),
        json!({"line": [1, 2, 3]}),
        json!({"box": {"width": 1}}),
        json!({"box": [1, 2]}),
        json!({"box": {"width": 1}, "line": [1, 2]}),
        json!({"kind": "A", "a": 1}),
        json!({"kind": "B", "id": 1, "z": 2}),
        json!({"kind": "C"}),
        json!({"kind": "D"}),
        json!({"1": 2, "65535": []}),
        json!({"true": "x"}),
        json!({"a": "point", "b": {"circle": 2}}),
        json!(["point", {"circle": 2.5}]),
        json!("a"),
        json!(null),
        json!({}),
        json!([]),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e300),
    ] {
        all_types_read_alike(&value);
    }
    let mut by_number: HashMap<u8, String> = Document::of(&json!({"1": "a", "2": "b"}))
        .root()
        .read()
        .unwrap();
    assert_eq!(by_number.remove(&2).as_deref(), Some("b"));
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-c\"\\\\\n€]{0,6}".prop_map(Value::from),
    ];
    let name = prop_oneof!["[a-d]", "id|name|kind|circle|line|box|width", "[0-9]{1,2}"];
    leaf.prop_recursive(4, 40, 12, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(name.clone(), inner, 0..12)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_is_kept(value in value()) {
        let json = value.to_string();
        prop_assert_eq!(&parsed(&json), &serde_json::from_str::<Value>(&json).unwrap());
        let document = Document::of(&value);
        prop_assert_eq!(&document.root().to_value(), &value);
        all_types_read_alike(&value);
    }

    #[test]
    fn any_text_is_read_or_refused_as_by_serde_json(
        text in r#"([\[\]{},:"\\un0-9a. +e-]|"a":|null|true|"\\u00e4"){0,20}"#
    ) {
        let expected = serde_json::from_str::<Value>(&text);
        match Document::parse(&text) {
            Ok(document) => prop_assert_eq!(document.root().to_value(), expected.unwrap()),
            Err(error) if super::describe(&error).starts_with("duplicate") => {
                prop_assert!(expected.is_ok());
            }
            Err(error) => prop_assert_eq!(error.to_string(), expected.unwrap_err().to_string()),
        }
    }
}
