//! How the programs that are deployed are built.

/// `cargo lambda build` passes `panic = "abort"` to Cargo where a manifest does not say otherwise. A panic of a
/// handler would then end the process with all its calls, and never become an error of the call.
#[test]
fn panics_of_deployed_programs_unwind() {
    for manifest in [
        "Cargo.toml",
        "worker/Cargo.toml",
        "templates/starter/Cargo.toml",
    ] {
        let text = std::fs::read_to_string(harness::workspace().join(manifest)).unwrap();
        let (_, profile) = text.split_once("[profile.release]\n").unwrap();
        let (profile, _) = profile.split_once("\n[").unwrap_or((profile, ""));
        let unwinds = profile.lines().any(|line| line == r#"panic = "unwind""#);
        assert!(unwinds, "{manifest}: {profile}");
    }
}
