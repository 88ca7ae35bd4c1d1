//! The stage as a whole, with verifiers that say what a test wants.

use std::sync::atomic::{AtomicUsize, Ordering};

use http::header::AUTHORIZATION;

use super::*;
use crate::future::BoxFuture;

const BASE: &str = "https://mcp.example.com";

/// Says the same of every token, and counts how often it was asked.
#[derive(Debug, Clone)]
struct Fixed {
    verdict: Verdict,
    asked: Arc<AtomicUsize>,
}

impl Verifier for Fixed {
    fn verify<'a>(&'a self, _: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(self.verdict.clone()))
    }
}

fn saying(verdict: Verdict) -> Fixed {
    Fixed {
        verdict,
        asked: Arc::default(),
    }
}

fn auth(verdicts: &[Verdict]) -> Auth {
    verdicts.iter().fold(Auth::new(), |auth, verdict| {
        auth.verifier(saying(verdict.clone()))
    })
}

fn known(scopes: &str) -> Verdict {
    Verdict::Accepted(Principal::new("ada", Scopes::parse(scopes).unwrap()))
}

fn bearer(value: &'static str) -> HeaderMap {
    [(AUTHORIZATION, http::HeaderValue::from_static(value))]
        .into_iter()
        .collect()
}

fn caller<'a>(auth: &'a Auth, headers: &'a HeaderMap) -> Caller<'a> {
    let site = Site {
        base: Some(BASE),
        endpoint: "/mcp",
    };
    Caller::new(auth, headers, site, SystemTime::UNIX_EPOCH)
}

async fn outcome(auth: &Auth, headers: &HeaderMap, required: &str) -> &'static str {
    let required = Scopes::parse(required).unwrap();
    match caller(auth, headers).authorize(Some(&required)).await {
        Ok(Some(_)) => "let in",
        Ok(None) => "nobody",
        Err(challenge) => challenge.as_str(),
    }
}

#[tokio::test]
async fn the_first_verifier_that_knows_or_refuses_decides() {
    let (mine, refused) = (known("a"), Verdict::Refused(Refusal::Expired));
    let rows: [(&[Verdict], &str); 8] = [
        (&[], "unknown"),
        (&[Verdict::Unrecognized], "unknown"),
        (&[Verdict::Unrecognized, mine.clone()], "let in"),
        (&[mine.clone(), refused.clone()], "let in"),
        (&[refused.clone(), mine.clone()], "expired"),
        (
            &[Verdict::Unavailable, Verdict::Unrecognized],
            "unavailable",
        ),
        (&[Verdict::Unavailable, mine.clone()], "let in"),
        (&[Verdict::Unavailable, refused.clone()], "expired"),
    ];
    for (verdicts, expected) in rows {
        let outcome = outcome(&auth(verdicts), &bearer("Bearer x"), "a").await;
        assert_eq!(outcome, expected, "{verdicts:?}");
    }
}

#[tokio::test]
async fn what_is_demanded_must_be_held() {
    let auth = auth(&[known("a b")]);
    for (required, expected) in [
        ("", "let in"),
        ("a", "let in"),
        ("b a", "let in"),
        ("a c", "insufficient_scope"),
    ] {
        let outcome = outcome(&auth, &bearer("bearer x"), required).await;
        assert_eq!(outcome, expected, "{required}");
    }
    assert_eq!(outcome(&auth, &HeaderMap::new(), "").await, "missing");
    assert_eq!(outcome(&auth, &bearer("Basic x"), "").await, "scheme");
}

#[tokio::test]
async fn a_credential_is_judged_on_need_and_once() {
    let verifier = saying(known("a"));
    let auth = Auth::new().verifier(verifier.clone());
    let asked = || verifier.asked.load(Ordering::Relaxed);
    let headers = bearer("Bearer x");
    let caller = caller(&auth, &headers);
    assert_eq!(caller.authorize(None).await, Ok(None));
    assert_eq!(asked(), 0, "a public call judges nothing");
    let required = Scopes::parse("a").unwrap();
    assert!(caller.authorize(Some(&required)).await.is_ok());
    assert!(caller.authorize(Some(&Scopes::none())).await.is_ok());
    assert_eq!(asked(), 1);
}

#[tokio::test]
async fn what_is_no_token_reaches_no_verifier() {
    let verifier = saying(known(""));
    let auth = Auth::new().verifier(verifier.clone());
    for value in [
        "Bearer",
        "Bearer null",
        "Bearer undefined",
        "Bearer ${API_KEY}",
        "Basic dXNlcjpwYXNz",
        "test-key-valid",
        "Bearer a, Bearer b",
    ] {
        let headers = bearer(value);
        let caller = caller(&auth, &headers);
        let challenge = caller.authorize(Some(&Scopes::none())).await.unwrap_err();
        assert_eq!(challenge.status(), 401, "{value}");
        assert_eq!(caller.authorize(None).await, Ok(None), "{value}");
    }
    assert_eq!(verifier.asked.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn clients_are_sent_to_the_metadata_only_if_it_names_a_server() {
    let login = HttpsUrl::parse("https://login.example.com").unwrap();
    let with = Auth::new().authorization_server(login);
    let (headers, required) = (HeaderMap::new(), Scopes::parse("a").unwrap());
    let challenge = |auth, base| {
        let site = Site {
            base,
            endpoint: "/mcp",
        };
        let caller = Caller::new(auth, &headers, site, SystemTime::UNIX_EPOCH);
        let required = &required;
        async move { format!("{:?}", caller.authorize(Some(required)).await) }
    };
    let expected = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
    assert!(challenge(&with, Some(BASE)).await.contains(expected));
    assert!(!challenge(&with, None).await.contains("https://"));
    assert!(
        !challenge(&Auth::new(), Some(BASE))
            .await
            .contains("https://")
    );
    assert!(with.metadata(BASE, "x", &required).is_some());
    assert!(Auth::new().metadata(BASE, "x", &required).is_none());
}

/// The resource a verifier sees is the endpoint's URL, which audiences are compared with.
#[tokio::test]
async fn verifiers_are_told_the_endpoint_and_never_show_the_token() {
    #[derive(Debug)]
    struct Shows;
    impl Verifier for Shows {
        fn verify<'a>(&'a self, presented: BearerToken<'a>) -> BoxFuture<'a, Verdict> {
            let subject = format!("{presented:?}");
            Box::pin(async { Verdict::Accepted(Principal::new(subject, Scopes::none())) })
        }
    }
    let auth = Auth::new().verifier(Shows);
    let headers = bearer("Bearer secret-token");
    let caller = caller(&auth, &headers);
    let required = Scopes::none();
    let principal = caller.authorize(Some(&required)).await.unwrap();
    let shown = principal.unwrap().subject();
    assert!(shown.contains("https://mcp.example.com/mcp"), "{shown}");
    assert!(!shown.contains("secret-token"), "{shown}");
}
