//! [`picture`]: the picture of the page.

use crate::content::Content;

/// Returns the URL of the picture, if the owner names one that can be shown.
pub(super) fn picture(content: &Content) -> Option<String> {
    let picture = content.profile.page.picture.as_deref()?;
    let is_shown = picture.starts_with("https:") || picture.starts_with("data:image/");
    is_shown.then(|| picture.to_owned())
}
