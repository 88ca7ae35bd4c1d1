//! Which types are forms, and how they are described.

use super::*;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Booking {
    /// Who comes.
    #[schemars(email)]
    guest: String,
    #[schemars(extend("format" = "date"))]
    day: String,
    #[schemars(extend("format" = "uuid"), regex(pattern = "^[0-9a-f-]+$"))]
    room: Option<String>,
    #[schemars(range(min = 1, max = 9))]
    nights: u8,
    meals: Vec<Meal>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Meal {
    Breakfast,
    Dinner,
}

#[test]
fn a_form_has_the_formats_and_keywords_that_mcp_allows() {
    let Form { requested, checked } = form::<Booking>().unwrap();
    assert_eq!(
        requested,
        json!({
            "type": "object",
            "properties": {
                "guest": {"type": "string", "description": "Who comes.", "format": "email"},
                "day": {"type": "string", "format": "date"},
                "room": {"type": "string"},
                "nights": {"type": "integer", "minimum": 1, "maximum": 9},
                "meals": {"type": "array", "items": {"type": "string", "enum": ["breakfast", "dinner"]}},
            },
            "required": ["guest", "day", "nights", "meals"],
        })
    );
    assert_eq!(checked["properties"]["room"]["format"], "uuid");
    assert_eq!(checked["properties"]["room"]["pattern"], "^[0-9a-f-]+$");
}

#[test]
fn a_type_that_is_no_form_is_refused_with_its_field() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Nested {
        booking: Booking,
    }
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    struct Tags {
        tags: Vec<String>,
    }
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "kind")]
    #[expect(dead_code, reason = "only its schema is looked at")]
    enum Either {
        This { a: String },
        That { b: String },
    }
    let field = |name: &str, what| InvalidForm::Field(name.to_owned(), what);
    assert_eq!(form::<Nested>().unwrap_err(), field("booking", "an object"));
    let list = "a list of something other than choices";
    assert_eq!(form::<Tags>().unwrap_err(), field("tags", list));
    assert_eq!(form::<Either>().unwrap_err(), InvalidForm::Alternatives);
    assert_eq!(form::<String>().unwrap_err(), InvalidForm::Empty);
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Room {
    /// One bed.
    #[schemars(title = "Single room")]
    Single,
    #[schemars(title = "Double room")]
    Double,
    /// Several rooms.
    Suite,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Stay {
    /// Where to sleep.
    room: Room,
    other: Option<Room>,
    #[serde(default = "single")]
    last: Room,
    #[schemars(length(min = 1))]
    several: Vec<Room>,
    more: Option<Vec<Room>>,
    #[schemars(extend("enumNames" = ["Morning meal", "Evening meal"]))]
    meal: Meal,
}

fn single() -> Room {
    Room::Single
}

impl serde::Serialize for Room {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("single")
    }
}

#[test]
fn variants_with_titles_are_choices_with_titles() {
    let Form {
        mut requested,
        checked,
    } = form::<Stay>().unwrap();
    let options = json!([
        {"const": "single", "title": "Single room"},
        {"const": "double", "title": "Double room"},
        {"const": "suite", "title": "suite"},
    ]);
    let told = "Single room: One bed.; suite: Several rooms.";
    assert_eq!(
        requested["properties"],
        json!({
            "room": {"type": "string", "description": format!("Where to sleep. {told}"), "oneOf": options},
            "other": {"type": "string", "description": told, "oneOf": options},
            "last": {"type": "string", "description": told, "default": "single", "oneOf": options},
            "several": {"type": "array", "items": {"anyOf": options}, "minItems": 1},
            "more": {"type": "array", "items": {"anyOf": options}},
            "meal": {
                "type": "string",
                "enum": ["breakfast", "dinner"],
                "enumNames": ["Morning meal", "Evening meal"],
            },
        })
    );
    // The answer is checked against the values.
    let values = json!(["single", "double", "suite"]);
    for field in ["room", "other", "last"] {
        assert_eq!(checked["properties"][field]["enum"], values, "{checked}");
    }
    // The older form of the same; lists of choices came with the titles.
    without_titled_choices(&mut requested);
    let room = &requested["properties"]["room"];
    assert_eq!(room.get("oneOf"), None, "{room}");
    assert_eq!(room["enum"], values);
    assert_eq!(
        room["enumNames"],
        json!(["Single room", "Double room", "suite"])
    );
    assert_eq!(
        requested["properties"]["meal"]["enum"],
        json!(["breakfast", "dinner"])
    );
}
