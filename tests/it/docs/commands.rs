//! Commands of shell blocks: programs that are known, with targets, packages and subcommands that
//! exist.

use super::markdown::Document;
use super::project::Project;

/// Programs that a reader has, or that the text next to the command tells to install.
const PROGRAMS: [&str; 14] = [
    "aws",
    "cargo",
    "curl",
    "echo",
    "export",
    "git",
    "make",
    "npm",
    "npx",
    "openssl",
    "portfolio",
    "python3",
    "sam",
    "tail",
];

const CARGO: [&str; 14] = [
    "add", "build", "check", "clippy", "doc", "fmt", "install", "lambda", "new", "package", "run",
    "test", "tree", "update",
];

/// What is wrong in the documents.
#[derive(Debug, Default)]
pub(super) struct Faults(Vec<String>);

impl Faults {
    pub(super) fn add(&mut self, document: &Document, fault: String) {
        self.add_at(&document.path, fault);
    }

    pub(super) fn add_at(&mut self, path: &str, fault: String) {
        self.0.push(format!("{path} {fault}"));
    }

    #[track_caller]
    pub(super) fn assert_none(self) {
        assert!(self.0.is_empty(), "\n{}", self.0.join("\n"));
    }
}

/// Checks every command of a shell block.
pub(super) fn check_shell(project: &Project, document: &Document, text: &str, faults: &mut Faults) {
    let functions: Vec<&str> = text
        .lines()
        .filter_map(|line| Some(line.split_once("() {")?.0.trim()))
        .collect();
    for command in commands(text) {
        let first = command.split_whitespace().next().unwrap_or_default();
        if functions
            .iter()
            .any(|name| first.trim_end_matches('(') == *name)
        {
            continue;
        }
        check_command(project, document, &command, faults);
    }
}

/// Checks one command.
pub(super) fn check_command(
    project: &Project,
    document: &Document,
    command: &str,
    faults: &mut Faults,
) {
    let mut words = command.split_whitespace();
    let Some(program) = words.next() else { return };
    let words: Vec<&str> = words.collect();
    let mut fault = |words: String| faults.add(document, format!("says `{command}`: {words}"));
    match program {
        "make" => {
            for word in words {
                if let Some((variable, _)) = word.split_once('=') {
                    if !project.has_word(variable) {
                        fault(format!("no Makefile reads `{variable}`"));
                    }
                } else if !project.has_target(word) {
                    fault(format!("there is no target `{word}`"));
                }
            }
        }
        "cargo" => {
            if let Some(subcommand) = words.first()
                && !CARGO.contains(subcommand)
            {
                fault(format!("`cargo {subcommand}` is not known"));
            }
            let pairs = words.iter().zip(words.iter().skip(1));
            for (option, name) in pairs {
                if ["-p", "--package", "--example", "--bin", "--test"].contains(option)
                    && !is_of_a_manifest(project, name)
                {
                    fault(format!("no package, example or test is called `{name}`"));
                }
            }
        }
        "portfolio" => {
            if let Some(subcommand) = words.first()
                && !project
                    .source("functions/portfolio/src/commands/mod.rs")
                    .contains(&format!("\"{subcommand}\""))
            {
                fault(format!("there is no subcommand `{subcommand}`"));
            }
        }
        program if PROGRAMS.contains(&program) => {}
        program => fault(format!("the program `{program}` is not known")),
    }
}

/// Whether a manifest names it, or there is an example of this name.
fn is_of_a_manifest(project: &Project, name: &str) -> bool {
    let line = format!("name = \"{name}\"");
    let mut manifests = project
        .sources()
        .filter(|(path, _)| path.ends_with("Cargo.toml"));
    manifests.any(|(_, text)| text.contains(&line))
        || project.exists(&format!("examples/{name}.rs"))
        || project.exists(&format!("functions/portfolio/tests/{name}/main.rs"))
}

/// The commands of a shell text, without quoted strings, comments and assignments.
fn commands(text: &str) -> Vec<String> {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let text = lines.collect::<Vec<_>>().join("\n").replace("\\\n", " ");
    let mut plain = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (None, '\'' | '"') => {
                quote = Some(c);
                plain.push('Q');
            }
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, c) => plain.push(c),
        }
    }
    let separated = ["&&", "||", "$(", ";", "|", "{", "}", ")"]
        .iter()
        .fold(plain, |text, mark| text.replace(mark, "\n"));
    let commands = separated.lines().map(|line| {
        let words = line.split_whitespace();
        let words = words.skip_while(|word| {
            let name = word.split_once('=').map(|(name, _)| name);
            name.is_some_and(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        });
        words.collect::<Vec<_>>().join(" ")
    });
    commands.filter(|command| !command.is_empty()).collect()
}

#[test]
fn a_shell_text_is_split_into_its_commands() {
    let text = "# a comment\nSTACK=a\nout() { aws x \\\n  --y 'z; z'; }\nURL=$(out Mcp) make smoke URL=$URL | tail -5\n";
    assert_eq!(
        commands(text),
        [
            "out(",
            "aws x --y Q",
            "out Mcp",
            "make smoke URL=$URL",
            "tail -5"
        ]
    );
}

#[test]
fn unknown_commands_are_faults() {
    let project = Project::get();
    let document = Document::read("x.md", "");
    let count = |text: &str| {
        let mut faults = Faults::default();
        check_shell(project, &document, text, &mut faults);
        faults.0.len()
    };
    for good in [
        "make test",
        "curl -s x | tail -1",
        "cargo test -p portfolio",
        "portfolio new-key ada",
    ] {
        assert_eq!(count(good), 0, "{good}");
    }
    for bad in [
        "make nothing",
        "mke test",
        "cargo test -p none",
        "cargo tset",
        "portfolio old-key",
    ] {
        assert_eq!(count(bad), 1, "{bad}");
    }
}
