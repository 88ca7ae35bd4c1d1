//! `check_availability`: whether, when and how the person can be hired.

use std::sync::Arc;

use lambda_mcp::{Json, State};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::prepared::Prepared;
use crate::about::About;
use crate::content::{Content, Status};
use crate::portfolio::Portfolio;

pub(super) const ABOUT: About = About {
    name: "check_availability",
    title: "Check availability",
    description: "Returns whether the person takes on work now: status, earliest start, notice \
        period, kinds of work, hours a week, places, time zones and a note on rates. Use it before \
        you propose the person for something with a date. `updated` says when the person last \
        confirmed it; this tool has no calendar and reserves nothing.",
};

/// The answer of `check_availability`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Availability {
    /// The person's name.
    person: String,
    /// Whether the person takes on work.
    status: Status,
    /// Earliest start, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; now if it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    from: Option<String>,
    /// Notice period.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    notice: Option<String>,
    /// Kinds of work, such as `contract`; empty if nothing is written down.
    kinds: Vec<String>,
    /// Arrangements, such as `remote`.
    arrangements: Vec<String>,
    /// Hours a week that the person has; absent if nothing is written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    hours_per_week: Option<u64>,
    /// Places where the person works on site.
    locations: Vec<String>,
    /// Time zones in which the person works.
    time_zones: Vec<String>,
    /// What there is to say about rates.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    rate_note: Option<String>,
    /// What else matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    note: Option<String>,
    /// When the person last confirmed this.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    updated: Option<String>,
    /// What else the person says about it.
    #[serde(skip_serializing_if = "Map::is_empty")]
    more: Map<String, Value>,
}

/// Gathers it from the profile.
pub(super) fn availability(content: &Content) -> Availability {
    let words = content.profile.availability.clone();
    Availability {
        person: content.person(),
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

/// Answers the tool.
pub(super) async fn check_availability(
    State(portfolio): State<Arc<Portfolio>>,
) -> Json<Prepared<Availability>> {
    Json(portfolio.answers.availability.clone())
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
    fn what_the_profile_says_is_answered() {
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
    fn without_a_word_about_it_the_status_is_unknown() {
        let nothing = json!({
            "person": "A", "status": "unknown", "kinds": [], "arrangements": [],
            "locations": [], "timeZones": []
        });
        assert_eq!(answer(""), nothing);
        assert_eq!(answer("[availability]\nfrom = \"now\""), nothing);
    }
}
