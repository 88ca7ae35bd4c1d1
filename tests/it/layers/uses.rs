//! Which file uses which: every path in the code of a module, resolved to the file that declares its
//! item.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

use super::source::{Crate, Import, Module, ModulePath, flatten};

/// Pairs of files, the user first, as indices into [`Crate::files`].
///
/// A re-export is another name of an item and no use of it. A trait that is imported without a name
/// (`as _`) is used, and so is any other import. A module is used through its items.
pub(super) fn uses(sources: &Crate) -> BTreeSet<(usize, usize)> {
    found(sources, |import| !import.is_reexport)
}

/// The same, with re-exports: whatever a file names must be there for it to compile.
pub(super) fn names(sources: &Crate) -> BTreeSet<(usize, usize)> {
    found(sources, |_| true)
}

fn found(sources: &Crate, counts: impl Fn(&Import) -> bool) -> BTreeSet<(usize, usize)> {
    let mut found = BTreeSet::new();
    for (at, module) in &sources.modules {
        let mut paths = Paths::default();
        for item in &module.code {
            paths.visit_item(item);
        }
        let imported = module.imports.iter().filter(|import| counts(import));
        paths.0.extend(imported.map(|import| import.path.clone()));
        for path in paths.0 {
            if let Some(file) = resolve(sources, at, &path, &mut Vec::new())
                && file != module.file
            {
                found.insert((module.file, file));
            }
        }
    }
    found
}

/// All paths in a piece of code, those in the arguments of macros included.
#[derive(Default)]
struct Paths(BTreeSet<Vec<String>>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.0
            .insert(segments.map(|part| part.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    /// A `use` inside a block: a use of the item, or of the module, that it names.
    fn visit_item_use(&mut self, import: &'ast syn::ItemUse) {
        let mut imports = Vec::new();
        flatten(&import.tree, &[], false, &mut imports);
        let paths = imports.into_iter().map(|mut import| {
            import.path.push("*".to_owned());
            import.path
        });
        self.0.extend(paths);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }
}

impl Paths {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(word) => {
                    if colons != 2 {
                        self.0.insert(std::mem::take(&mut path));
                    }
                    path.push(word.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => {
                    self.tokens(group.stream());
                    colons = 0;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => colons = 0,
            }
        }
        self.0.insert(path);
    }
}

/// The file that declares what `path` names in the module `at`; `None` for what is not in this crate.
fn resolve(
    sources: &Crate,
    at: &[String],
    path: &[String],
    seen: &mut Vec<(ModulePath, Vec<String>)>,
) -> Option<usize> {
    let step = (at.to_vec(), path.to_vec());
    if seen.contains(&step) {
        return None;
    }
    seen.push(step);
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => return walk(sources, &[], rest, seen),
        "self" => return walk(sources, at, rest, seen),
        "super" => return walk(sources, &at[..at.len().checked_sub(1)?], rest, seen),
        _ => {}
    }
    let module = &sources.modules[at];
    let is_here = module.declared.contains(first)
        || sources.modules.contains_key(&child(at, first))
        || module.imports.iter().any(|import| import.name == *first);
    if is_here {
        return walk(sources, at, path, seen);
    }
    from_globs(sources, at, module, path, seen)
}

/// The file that declares what `path` names below the module `at`.
fn walk(
    sources: &Crate,
    at: &[String],
    path: &[String],
    seen: &mut Vec<(ModulePath, Vec<String>)>,
) -> Option<usize> {
    let (first, rest) = path.split_first()?;
    if matches!(first.as_str(), "self" | "super") {
        return resolve(sources, at, path, seen);
    }
    let inside = child(at, first);
    if sources.modules.contains_key(&inside) {
        return walk(sources, &inside, rest, seen);
    }
    let module = &sources.modules[at];
    if module.declared.contains(first) {
        return Some(module.file);
    }
    if let Some(import) = module.imports.iter().find(|import| import.name == *first) {
        let path: Vec<String> = import.path.iter().chain(rest).cloned().collect();
        return resolve(sources, at, &path, seen);
    }
    // What a macro declares has no item of its own here.
    from_globs(sources, at, module, path, seen).or(Some(module.file))
}

fn from_globs(
    sources: &Crate,
    at: &[String],
    module: &Module,
    path: &[String],
    seen: &mut Vec<(ModulePath, Vec<String>)>,
) -> Option<usize> {
    let mut globs = module.imports.iter().filter(|import| import.name == "*");
    globs.find_map(|glob| {
        let path: Vec<String> = glob.path.iter().chain(path).cloned().collect();
        resolve(sources, at, &path, seen)
    })
}

fn child(at: &[String], name: &str) -> ModulePath {
    let mut path = at.to_vec();
    path.push(name.to_owned());
    path
}
