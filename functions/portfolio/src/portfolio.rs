//! Everything that is served, written once at start: the state of all handlers.

use crate::content::Content;
use crate::prompts::Material;
use crate::resources::Documents;
use crate::tools::Answers;

/// What the handlers hand out. Made of [`Content`] alone, it holds nothing private.
#[derive(Debug)]
pub(crate) struct Portfolio {
    /// What the tools answer.
    pub(crate) answers: Answers,
    /// What the resources hold.
    pub(crate) documents: Documents,
    /// What the prompts are made of.
    pub(crate) material: Material,
}

impl Portfolio {
    /// Writes it all.
    ///
    /// # Errors
    ///
    /// A value cannot be written as JSON.
    pub(crate) fn new(
        content: &Content,
        public_url: Option<&str>,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            answers: Answers::new(content, public_url)?,
            material: Material::new(content),
            documents: Documents::new(content, &content.listed_projects())?,
        })
    }
}

#[cfg(test)]
mod tests;
