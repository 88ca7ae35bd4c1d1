use proptest::prelude::*;

use super::*;

fn assert_shown(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        assert_eq!(shown(text), format!("! {expected}"), "{text}");
    }
}

fn shown(text: &str) -> String {
    match text.parse::<Rules>() {
        Ok(rules) => rules.to_string(),
        Err(error) => format!("! {error}"),
    }
}

#[test]
fn limits_are_sorted_by_client_and_window() {
    let rows = [
        ("", ""),
        (" ; ;", ""),
        ("contact=3/1h", "contact=3/1h"),
        ("tool:contact=3/1h", "contact=3/1h"),
        ("contact=3/h", "contact=3/1h"),
        ("contact=3/60m,20/24h", "contact=3/1h,20/1d"),
        (
            "contact = total : 100/1d , 20/1d:burst=5, 3/1h : closed",
            "contact=3/1h,20/1d:burst=5,total:100/1d",
        ),
        (
            "a=1/90s:open;\n b.c-d_e=2/7d:burst=1:open;",
            "a=1/90s:open; b.c-d_e=2/7d:burst=1:open",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
        assert_eq!(shown(expected), expected);
    }
}

#[test]
fn a_group_names_tools_resources_and_prompts() {
    let rows = [
        (
            "resume[get_resume, resource:resume://*, prompt:assess_fit] = 60/1h",
            "resume[get_resume,resource:resume://*,prompt:assess_fit]=60/1h",
        ),
        ("prompt:assess_fit=3/1h", "prompt:assess_fit=3/1h"),
        ("resource:resume://full=3/1h", "resource:resume://full=3/1h"),
        // Inside brackets, `;` and `=` belong to the URI.
        (
            "x[resource:a://b;c=d]=3/1h;y=4/1h",
            "x[resource:a://b;c=d]=3/1h; y=4/1h",
        ),
        ("get_resume[get_resume]=1/1h", "get_resume=1/1h"),
        (
            "all[*,resource:*,prompt:*]=9/1m",
            "all[*,resource:*,prompt:*]=9/1m",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(shown(text), expected, "{text}");
        assert_eq!(shown(expected), expected);
    }
    let rules: Rules = rows[0].0.parse().unwrap();
    let buckets = |target: Target<'_>| {
        let groups = rules.matching(&target);
        groups.map(|group| group.bucket.clone()).collect::<Vec<_>>()
    };
    for target in [
        Target::tool("get_resume"),
        Target::resource("resume://work/{index}"),
        Target::prompt("assess_fit"),
    ] {
        assert_eq!(buckets(target), ["resume"]);
    }
    for target in [
        Target::tool("assess_fit"),
        Target::tool("get_resume2"),
        Target::resource("https://resume://full"),
        Target::prompt("get_resume"),
    ] {
        assert_eq!(buckets(target), [""; 0]);
    }
}

#[test]
fn text_that_cannot_be_read_is_an_error_with_its_place() {
    let form = "write `TARGET=LIMIT,LIMIT` or `NAME[TARGET,TARGET]=LIMIT`";
    let period = "is not a period; write it like `30s`, `15m`, `1h` or `1d`";
    assert_shown(&[
        ("contact", &format!("`contact`: {form}")),
        ("a[b", &format!("`a[b`: {form}")),
        ("a[b=3/1h", &format!("`a[b=3/1h`: {form}")),
        ("a[b]c=3/1h", &format!("`a[b]c=3/1h`: {form}")),
        (
            "a[]=3/1h",
            "``: `` is not a target; write `NAME`, `resource:URI`, `prompt:NAME`, \
             `completion:resource:URI` or `completion:prompt:NAME`",
        ),
        (
            "resume://full=3/1h",
            "`resume://full`: `resume://full` is not a target; write `NAME`, `resource:URI`, \
             `prompt:NAME`, `completion:resource:URI` or `completion:prompt:NAME`",
        ),
        (
            "contact=",
            "`` of `contact`: `` is not a limit; write it like `3/1h`",
        ),
        (
            "contact=3/1h,",
            "`` of `contact`: `` is not a limit; write it like `3/1h`",
        ),
        (
            "contact=3",
            "`3` of `contact`: `3` is not a limit; write it like `3/1h`",
        ),
        (
            "contact=+3/1h",
            "`+3/1h` of `contact`: `+3` is not a number of calls",
        ),
        (
            "contact=/1h",
            "`/1h` of `contact`: `` is not a number of calls",
        ),
        (
            "contact=99999999999/1h",
            "`99999999999/1h` of `contact`: `99999999999` is not a number of calls",
        ),
        (
            "contact=3/1w",
            &format!("`3/1w` of `contact`: `1w` {period}"),
        ),
        (
            "contact=3/x1h",
            &format!("`3/x1h` of `contact`: `x1h` {period}"),
        ),
        (
            "contact=3/1h:opne",
            "`3/1h:opne` of `contact`: `opne` is not an option; options are `burst=CALLS`, `reserve=CALLS`, `open` \
             and `closed`",
        ),
        (
            "contact=client:3/1h",
            "`client:3/1h` of `contact`: `client` is not a limit; write it like `3/1h`",
        ),
    ]);
}

#[test]
fn limits_that_cannot_be_applied_are_an_error_with_their_place() {
    let window = "a window must have whole seconds and be from `1s` to `366d`";
    assert_shown(&[
        (
            "contact=0/1h",
            "`0/1h` of `contact`: a limit of 0 calls would disable the tool; write 1 or more",
        ),
        ("contact=3/0s", &format!("`3/0s` of `contact`: {window}")),
        (
            "contact=3/999d",
            &format!("`3/999d` of `contact`: {window}"),
        ),
        (
            "contact=3/1h:burst=4",
            "`3/1h:burst=4` of `contact`: a burst must be at least 1 and at most the limit, 3",
        ),
        (
            "contact=3/1h,4/60m",
            "`4/1h` of `contact`: another limit has the same window",
        ),
        (
            "contact=3/1h;contact=4/1d",
            "`contact`: the name is used twice; write its limits in one place",
        ),
        (
            "contact=3/1h;contact[contact,x]=4/1d",
            "`contact`: the name is used twice; write its limits in one place",
        ),
        (
            "two words[contact]=3/1h",
            "`two words`: a name must have 1 to 128 printable ASCII characters, without quotes and \
             backslashes",
        ),
    ]);
}

#[test]
fn defaults_apply_to_targets_without_a_limit() {
    let defaults: Rules = "contact=3/1h; search=60/1m".parse().unwrap();
    let rows = [
        ("", "contact=3/1h; search=60/1m"),
        ("contact=9/1d", "contact=9/1d; search=60/1m"),
        ("mail[contact,x]=9/1d", "mail[contact,x]=9/1d; search=60/1m"),
        ("all[*]=9/1d", "all[*]=9/1d"),
        ("get=9/1d", "get=9/1d; contact=3/1h; search=60/1m"),
    ];
    for (own, expected) in rows {
        let rules = own.parse::<Rules>().unwrap().with_defaults(&defaults);
        assert_eq!(rules.unwrap().to_string(), expected, "{own}");
    }
    // The default must not be dropped because of a name.
    let taken: Rules = "contact[x]=9/1d".parse().unwrap();
    assert!(taken.with_defaults(&defaults).is_err());
}

proptest! {
    #[test]
    fn reading_any_text_ends_and_what_is_read_is_written_back(
        text in "[ab*=,;:/\\[\\]0-9hd ]{0,40}|\\PC{0,40}",
    ) {
        if let Ok(rules) = text.parse::<Rules>() {
            prop_assert_eq!(rules.to_string().parse(), Ok(rules));
        }
    }
}
