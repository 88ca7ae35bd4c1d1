//! The modules of a crate: which file each is in, what it declares, and what it imports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::{Attribute, Item, UseTree, Visibility};

/// The path of a module below the crate's root; the root itself is empty.
pub(super) type ModulePath = Vec<String>;

/// A crate, read from its root file.
#[derive(Default)]
pub(super) struct Crate {
    /// The folder of the root file.
    folder: PathBuf,
    /// The files, relative to the folder.
    pub(super) files: Vec<PathBuf>,
    pub(super) modules: BTreeMap<ModulePath, Module>,
}

/// One module, inline or in a file of its own.
#[derive(Default)]
pub(super) struct Module {
    /// Its file, as an index into [`Crate::files`].
    pub(super) file: usize,
    /// The names of what it declares, modules aside.
    pub(super) declared: Vec<String>,
    pub(super) imports: Vec<Import>,
    /// Its items other than imports and modules, without what only tests compile.
    pub(super) code: Vec<Item>,
}

/// One name that a `use` brings into a module.
#[derive(Debug, Clone)]
pub(super) struct Import {
    /// The name in this module: `_` for a trait without one, `*` for all names.
    pub(super) name: String,
    pub(super) path: Vec<String>,
    /// Whether other modules see the name.
    pub(super) is_reexport: bool,
}

impl Crate {
    /// Reads the crate whose root file is `root`.
    pub(super) fn read(root: &Path) -> Self {
        let folder = root.parent().unwrap();
        let mut found = Self {
            folder: folder.to_owned(),
            ..Self::default()
        };
        found.file(root, folder, Vec::new());
        found
    }

    /// Reads a file; modules it declares are in `children`.
    fn file(&mut self, path: &Path, children: &Path, module: ModulePath) {
        let source = std::fs::read_to_string(path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let parsed =
            syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let relative = path.strip_prefix(&self.folder).unwrap();
        self.files.push(relative.to_owned());
        let file = self.files.len() - 1;
        self.module(parsed.items, file, children, module);
    }

    fn module(&mut self, items: Vec<Item>, file: usize, children: &Path, path: ModulePath) {
        let mut module = Module {
            file,
            ..Module::default()
        };
        for item in items {
            if attributes(&item).iter().any(is_for_tests) {
                continue;
            }
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let mut path = path.clone();
                    path.push(name.clone());
                    let folder = children.join(&name);
                    if let Some((_, items)) = child.content {
                        self.module(items, file, &folder, path);
                    } else {
                        let beside = children.join(format!("{name}.rs"));
                        let inside = folder.join("mod.rs");
                        let source = if beside.exists() { beside } else { inside };
                        self.file(&source, &folder, path);
                    }
                }
                Item::Use(import) => {
                    let is_reexport = !matches!(import.vis, Visibility::Inherited);
                    flatten(&import.tree, &[], is_reexport, &mut module.imports);
                }
                item => {
                    module.declared.extend(declared(&item));
                    module.code.push(item);
                }
            }
        }
        self.modules.insert(path, module);
    }
}

/// Whether an attribute leaves its item to tests, as `#[cfg(test)]` and `#[cfg(doctest)]` do.
fn is_for_tests(attribute: &Attribute) -> bool {
    let is_cfg = attribute.path().is_ident("cfg");
    is_cfg
        && attribute.meta.require_list().is_ok_and(|list| {
            let condition = list.tokens.to_string();
            condition == "test" || condition == "doctest"
        })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn declared(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Adds the names that a `use` brings in.
pub(super) fn flatten(
    tree: &UseTree,
    before: &[String],
    is_reexport: bool,
    imports: &mut Vec<Import>,
) {
    let mut path = before.to_vec();
    let name = match tree {
        UseTree::Path(tree) => {
            path.push(tree.ident.to_string());
            return flatten(&tree.tree, &path, is_reexport, imports);
        }
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, &path, is_reexport, imports);
            }
            return;
        }
        UseTree::Glob(_) => "*".to_owned(),
        UseTree::Name(tree) if tree.ident == "self" => path.last().unwrap().clone(),
        UseTree::Name(tree) => {
            path.push(tree.ident.to_string());
            tree.ident.to_string()
        }
        UseTree::Rename(tree) => {
            if tree.ident != "self" {
                path.push(tree.ident.to_string());
            }
            tree.rename.to_string()
        }
    };
    imports.push(Import {
        name,
        path,
        is_reexport,
    });
}
