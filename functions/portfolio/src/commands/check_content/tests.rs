use super::*;

fn checked(directory: Option<&Path>) -> (ExitCode, String) {
    let mut out = Vec::new();
    let code = run(directory, &mut out).unwrap();
    (code, String::from_utf8(out).unwrap())
}

#[test]
fn the_shipped_content_is_summarized() {
    let (code, text) = checked(None);
    assert_eq!(code, ExitCode::SUCCESS);
    let (summary, sizes) = text.split_once("\nSize of the answers in tokens").unwrap();
    assert_eq!(
        summary,
        "
Agents see:
  basics: name, label, image, url, summary, location (city, countryCode, region), profiles (2), \
         pronouns
  sections: work (3), volunteer (1), education (2), awards (1), certificates (1), \
         publications (2), skills (4), languages (3), interests (2), references (2), projects (6), \
         meta

Agents do not see, unless [publish] in profile.toml says so:
  basics.location.address, basics.location.postalCode: address = true
  basics.email: email = true
  basics.phone: phone = true
"
    );
    for answer in ["get_resume", "get_projects", "check_availability"] {
        let line = sizes.lines().find(|line| {
            let size = line.trim().strip_prefix(answer);
            let size = size.and_then(|size| size.strip_prefix(": "));
            size.is_some_and(|size| size.parse::<usize>().is_ok_and(|size| size > 50))
        });
        assert!(line.is_some(), "{answer}: {sizes}");
    }
    for answers in [
        "get_resume by section: basics",
        "resume://markdown/sections/…: basics",
    ] {
        assert!(sizes.contains(answers), "{answers}: {sizes}");
    }
    assert!(
        text.ends_with("\n\nReady to serve: 0 errors, 0 warnings, 4 withheld.\n"),
        "{text}"
    );
}

#[test]
fn a_missing_directory_is_an_error_and_has_no_summary() {
    let (code, text) = checked(Some(Path::new("no/such/directory")));
    assert_eq!(code, ExitCode::FAILURE);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("error: no/such/directory/resume.json: cannot be read:"),
        "{text}"
    );
    assert!(lines[1].starts_with("warning: no/such/directory/profile.toml: does not exist"));
    let verdict = "The function would not start: 1 error, 1 warning, 0 withheld.";
    assert_eq!(lines[2..], [verdict]);
}

#[test]
fn what_is_given_in_parts_is_said_with_the_size_of_each() {
    let folder = std::env::temp_dir().join(format!("check-content-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let jobs: Vec<_> = (0..60)
        .map(|n| serde_json::json!({"name": format!("W{n}"), "summary": "seven..".repeat(490)}))
        .collect();
    let label = serde_json::json!({"en": "Developer", "de": "Entwicklerin"});
    let resume = serde_json::json!({"basics": {"name": "A", "label": label}, "work": jobs});
    std::fs::write(folder.join("resume.json"), resume.to_string()).unwrap();
    std::fs::write(folder.join("profile.toml"), "").unwrap();
    let (code, text) = checked(Some(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(code, ExitCode::SUCCESS, "{text}");
    for part in [
        "(an overview of the sections: the whole résumé takes more than 25000)",
        "(page 1 of 3), work ",
        "in the language de: get_manifest ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("warning: get_resume"), "{text}");
    assert!(text.contains("… markdown takes about"), "{text}");
}

#[test]
fn a_location_of_which_nothing_is_served_is_not_shown() {
    let folder = std::env::temp_dir().join(format!("empty-location-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let resume =
        r#"{"basics": {"name": "Ada Quill", "location": {"address": "17 Lighthouse Steps"}}}"#;
    std::fs::write(folder.join("resume.json"), resume).unwrap();
    let (_, text) = checked(Some(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(text.contains("\n  basics: name\n"), "{text}");
    assert!(
        text.contains("basics.location.address: address = true"),
        "{text}"
    );
}

#[test]
fn what_the_page_has_no_room_for_is_a_warning() {
    let directory =
        std::env::temp_dir().join(format!("portfolio-long-page-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let profile = "[availability]\nstatus = \"open\"\n";
    let write = |jobs: usize| {
        let long = "A sentence about ferries. ".repeat(400);
        let jobs: Vec<_> = (0..jobs)
            .map(|n| serde_json::json!({"name": format!("Job {n}"), "summary": long}))
            .collect();
        let skills = [serde_json::json!({"name": "Ferries"})];
        let resume = serde_json::json!({"basics": {"name": "Ada"}, "work": jobs, "skills": skills});
        std::fs::write(directory.join("resume.json"), resume.to_string()).unwrap();
        std::fs::write(directory.join("profile.toml"), profile).unwrap();
        checked(Some(&directory)).1
    };
    let (short, long) = (write(0), write(9));
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(!short.contains("the page has room"), "{short}");
    let said =
        "warning: the page has room for 60000 bytes and leaves out: Work, Skills. It links to";
    assert!(long.contains(said), "{long}");
    // It counts as one.
    let verdict = |text: &str| text.lines().last().unwrap().to_owned();
    assert_ne!(verdict(&short), verdict(&long));
}
