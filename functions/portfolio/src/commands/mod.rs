//! The commands of the program, beside serving: each prints or writes something and ends.

mod check_content;
mod new_key;
mod published;

pub(crate) use check_content::run as check_content;
pub(crate) use new_key::run as new_key;
pub(crate) use published::{print_server_json, write_page};
