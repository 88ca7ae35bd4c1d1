use serde_json::{Value, json};

use super::*;
use crate::content::localized_of;
use crate::serve;

fn published_of(resume: &Value, profile: &str) -> Vec<Published> {
    let content = localized_of(resume, profile);
    let config = crate::config::Config::read(|_| None).unwrap();
    serve::portfolio(config, &content).unwrap().published
}

fn text_of(published: &[Published], path: &str) -> String {
    let one = published.iter().find(|one| one.path == path);
    (one.unwrap().text)()
}

fn page_of(resume: &Value, profile: &str) -> String {
    text_of(&published_of(resume, profile), "/")
}

#[test]
fn a_resume_full_of_markup_stays_text() {
    let evil = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)> \" ' &lt;";
    let entry = json!({"name": evil, "position": evil, "summary": evil, "highlights": [evil], "url": "javascript:alert(3)"});
    let page = page_of(
        &json!({"basics": {"name": evil, "label": evil, "summary": evil, "url": "javascript:alert(4)",
            "location": {"city": evil}, "profiles": [{"network": evil, "url": "javascript:x"}]},
            "work": [entry], "projects": [{"name": evil, "description": evil}]}),
        &format!(
            "[page]\nfooter = '''{evil}'''\n[availability]\nstatus = \"open\"\nnote = '''{evil}'''"
        ),
    );
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("</title>").count(), 1);
    for markup in ["<img", "onerror=\"", "href=\"javascript:"] {
        assert!(!page.contains(markup), "{markup}");
    }
}

#[test]
fn the_page_is_small_however_long_the_resume_is() {
    let long = "A sentence about ferries. ".repeat(400);
    let jobs: Vec<Value> = (0..60)
        .map(|n| json!({"name": format!("Job {n}"), "summary": long}))
        .collect();
    let page = page_of(
        &json!({"basics": {"name": long, "label": long, "summary": long}, "work": jobs, "skills": [{"name": long}]}),
        &format!("[page]\nfooter = \"{long}\"\n[availability]\nstatus = \"open\"\nfrom = \"2026\""),
    );
    assert!(page.len() <= MAX_BYTES, "{}", page.len());
    assert!(page.contains("Read the whole résumé"), "{page}");
    let shipped = page_of(
        &serde_json::from_str(include_str!("../../../../content/resume.json")).unwrap(),
        include_str!("../../../../content/profile.toml"),
    );
    assert!(shipped.len() <= MAX_BYTES, "{}", shipped.len());
    assert!(
        !shipped.contains("Read the whole résumé"),
        "{}",
        shipped.len()
    );
}

#[test]
fn the_policy_names_what_the_page_has() {
    let published = published_of(
        &json!({"basics": {"name": "A"}}),
        "[page]\npicture = \"https://a.example/me.png\"",
    );
    let page = published.iter().find(|one| one.path == "/").unwrap();
    let headers = (page.headers)();
    let policy = headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(!policy.contains("unsafe"), "{policy}");
    assert!(
        policy.contains("img-src 'self' data: https://a.example/me.png;"),
        "{policy}"
    );
    let html = (page.text)();
    for element in ["style", "script"] {
        let start = html.find(&format!("<{element}>")).unwrap() + element.len() + 2;
        let end = html[start..].find(&format!("</{element}>")).unwrap() + start;
        let digest = STANDARD.encode(Sha256::digest(&html[start..end]));
        assert!(
            policy.contains(&format!("'sha256-{digest}'")),
            "{element}: {policy}"
        );
    }
}

#[test]
fn the_owner_can_switch_the_page_off() {
    let resume = json!({"basics": {"name": "A"}});
    let paths = |profile: &str| -> Vec<String> {
        let published = published_of(&resume, profile).into_iter();
        published.map(|one| one.path).collect()
    };
    assert_eq!(paths(""), ["/", "/resume.json", "/resume.md", "/llms.txt"]);
    assert_eq!(paths("[page]\nenabled = false"), [""; 0]);
}

#[test]
fn the_documents_have_what_is_published_and_nothing_else() {
    let resume = json!({"basics": {"name": "A", "email": "secret@a.example", "phone": "+1 202 555 0142",
        "summary": "Write to secret@a.example."}, "work": [{"name": "W"}]});
    for path in ["/", "/resume.json", "/resume.md", "/llms.txt"] {
        let text = text_of(&published_of(&resume, ""), path);
        assert!(text.contains('A'), "{path}: {text}");
        for secret in ["secret@", "555"] {
            assert!(!text.contains(secret), "{path}: {text}");
        }
        let text = text_of(&published_of(&resume, "[publish]\nemail = true"), path);
        assert!(
            path == "/llms.txt" || text.contains("secret@"),
            "{path}: {text}"
        );
    }
    let json: Value =
        serde_json::from_str(&text_of(&published_of(&resume, ""), "/resume.json")).unwrap();
    assert_eq!(json["work"][0]["name"], "W");
}

#[test]
fn the_language_of_the_content_is_named() {
    let page = page_of(
        &json!({"basics": {"name": "A", "summary": "Bonjour."}}),
        "language = \"fr\"",
    );
    assert!(page.contains("<html lang=\"en\""), "{page}");
    assert!(
        page.contains("<header class=\"hero\" lang=\"fr\">"),
        "{page}"
    );
    assert!(
        page.contains("<div class=\"resume\" lang=\"fr\">"),
        "{page}"
    );
}
