//! `check_availability`: whether, when and how the person can be hired.

use std::sync::Arc;

use lambda_mcp::handler::Stored;
use lambda_mcp::server::Tool;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::prepared;
use super::read_only::{InLanguage, read_only};
use crate::about::About;
use crate::arguments::Listed;
use crate::content::{ByLanguage, Content, Localized, Status};
use crate::view;

pub(super) const ABOUT: About = About {
    name: "check_availability",
    title: "Check availability",
    description: "Returns whether the person accepts work now: status, earliest start, notice \
        period, kinds of work, hours per week, locations, time zones and a note about rates. Use \
        it before you propose the person for work with a start date. `updated` is the date on \
        which the person last confirmed these details. This tool does not read a calendar and does \
        not book time.",
};

/// The answer of `check_availability`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Availability {
    /// The person's name.
    person: String,
    /// Language of the texts, as a BCP 47 tag. Absent if the person does not name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    language: Option<String>,
    /// Whether the person accepts work.
    status: Status,
    /// Earliest start, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Absent if the person can start now.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    from: Option<String>,
    /// Notice period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    notice: Option<String>,
    /// Kinds of work, such as `contract`. Empty if not specified.
    kinds: Vec<String>,
    /// Working arrangements, such as `remote`. Empty if not specified.
    arrangements: Vec<String>,
    /// Available hours per week. Absent if not specified.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    hours_per_week: Option<u64>,
    /// Locations where the person works on site. Empty if not specified.
    locations: Vec<String>,
    /// Time zones in which the person works. Empty if not specified.
    time_zones: Vec<String>,
    /// Note about rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    rate_note: Option<String>,
    /// Other remarks.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
    /// Date on which the person last confirmed these details.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    updated: Option<String>,
    /// Further details in the person's own keys.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// Reads the answer from the profile.
fn availability(content: &Content) -> Availability {
    let words = content.profile.availability.clone();
    Availability {
        person: content.person(),
        language: content.language.clone(),
        status: words.status.unwrap_or_default(),
        from: words.from,
        notice: words.notice,
        kinds: words.kinds,
        arrangements: words.arrangements,
        hours_per_week: words.hours_per_week,
        locations: words.locations,
        time_zones: words.time_zones,
        rate_note: words.rate_note,
        note: words.note,
        updated: words.updated,
        more: words.extra,
    }
}

/// Builds the tool.
pub(super) fn tool(content: &Arc<Localized>) -> Tool<()> {
    let answers = ByLanguage::new(content, |content| Stored::new(&availability(content)));
    read_only::<InLanguage, _, _>(
        ABOUT,
        Listed::in_language(content),
        prepared::handler(answers),
    )
    .view(view::URI)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::content::content_of;

    fn answer(profile: &str) -> Value {
        let content = content_of(&json!({"basics": {"name": "A"}}), profile);
        serde_json::to_value(availability(&content)).unwrap()
    }

    #[test]
    fn the_answer_holds_what_the_profile_says() {
        let profile = r#"
            [availability]
            status = "limited"
            from = 2026-04-01
            notice = "n"
            kinds = ["contract"]
            arrangements = ["remote"]
            hours_per_week = 16
            locations = ["L"]
            time_zones = ["UTC"]
            rate_note = "r"
            note = "o"
            updated = "2026-1-2"
            travel = "t"
        "#;
        assert_eq!(
            answer(profile),
            json!({
                "person": "A", "status": "limited", "from": "2026-04-01", "notice": "n",
                "kinds": ["contract"], "arrangements": ["remote"], "hoursPerWeek": 16,
                "locations": ["L"], "timeZones": ["UTC"], "rateNote": "r", "note": "o",
                "updated": "2026-01-02", "more": {"travel": "t"}
            })
        );
    }

    #[test]
    fn the_status_is_unknown_when_the_profile_has_none() {
        let nothing = json!({
            "person": "A", "status": "unknown", "kinds": [], "arrangements": [],
            "locations": [], "timeZones": []
        });
        assert_eq!(answer(""), nothing);
        assert_eq!(answer("[availability]\nfrom = \"now\""), nothing);
    }
}
