//! Language tags (BCP 47), as they are used in the owner's files.

/// The two-letter codes of ISO 639-1.
const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co \
    cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi \
    ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw \
    ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc \
    oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv \
    sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// The longest language range that is looked up. RFC 5646 has tags of up to 35 characters.
pub(crate) const MAX_RANGE_BYTES: usize = 64;

/// The tag for a language that the files do not name.
pub(crate) const UNDETERMINED: &str = "und";

/// Returns the tag in its usual form, `pt-BR` or `zh-Hant`, if `text` is one: a code of ISO 639-1,
/// then an optional script and an optional region.
pub(crate) fn tag(text: &str) -> Option<String> {
    let mut parts = text.split(['-', '_']);
    let code = parts.next()?.to_ascii_lowercase();
    if code.len() != 2 || !CODES.split_whitespace().any(|known| known == code) {
        return None;
    }
    let mut tag = code;
    let mut has_region = false;
    for part in parts {
        let is_letters = part.chars().all(|c| c.is_ascii_alphabetic());
        let is_digits = part.chars().all(|c| c.is_ascii_digit());
        let is_script = part.len() == 4 && is_letters && tag.len() == 2;
        let is_region = (part.len() == 2 && is_letters) || (part.len() == 3 && is_digits);
        if is_script {
            tag.push('-');
            tag.push_str(&part[..1].to_ascii_uppercase());
            tag.push_str(&part[1..].to_ascii_lowercase());
        } else if is_region && !has_region {
            has_region = true;
            tag.push('-');
            tag.push_str(&part.to_ascii_uppercase());
        } else {
            return None;
        }
    }
    Some(tag)
}

/// Returns the position of the tag that serves `range` best, by the lookup of RFC 4647, section
/// 3.4: `de-AT` finds `de-AT`, else `de`. As an extension, `de` also finds `de-AT`.
pub(crate) fn lookup<'t>(
    range: &str,
    tags: &(impl Iterator<Item = &'t str> + Clone),
) -> Option<usize> {
    let primary = |tag: &str| {
        tag.split('-')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    let find = |wanted: &str| {
        tags.clone()
            .position(|tag| tag.eq_ignore_ascii_case(wanted))
    };
    std::iter::successors(Some(range), |range| {
        range.rsplit_once('-').map(|(prefix, _)| prefix)
    })
    .find_map(find)
    .or_else(|| {
        let wanted = primary(range);
        tags.clone()
            .position(|tag| primary(tag) == wanted && !wanted.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_language_with_script_and_region() {
        let rows = [
            ("en", Some("en")),
            ("EN", Some("en")),
            ("pt_br", Some("pt-BR")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("es-419", Some("es-419")),
            ("xx", None),
            ("url", None),
            ("english", None),
            ("en-", None),
            ("en-US-GB", None),
            ("", None),
        ];
        for (text, expected) in rows {
            assert_eq!(tag(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_range_falls_back_to_its_prefix_and_a_prefix_finds_a_longer_tag() {
        let tags = ["en", "de", "pt-BR"];
        let rows = [
            ("de", Some(1)),
            ("DE-at-1996", Some(1)),
            ("pt-BR", Some(2)),
            ("pt", Some(2)),
            ("pt-PT", Some(2)),
            ("fr", None),
            ("", None),
            ("-", None),
        ];
        for (range, expected) in rows {
            assert_eq!(lookup(range, &tags.into_iter()), expected, "{range}");
        }
    }
}
