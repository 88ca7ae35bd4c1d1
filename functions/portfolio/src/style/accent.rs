//! Colours with enough contrast: an accent in a form for light and one for dark, whatever the owner
//! chose. WCAG 2.2, success criterion 1.4.3.

use std::fmt;

use crate::content::Accent;

/// The default accent.
const DEFAULT: Accent = Accent([0x0f, 0x5e, 0x78]);
/// The darkest background that the accent stands on in the light scheme, as in `base.css`.
const LIGHT_BACKGROUND: Rgb = Rgb([0xf7, 0xf6, 0xf4]);
/// The lightest one in the dark scheme.
const DARK_BACKGROUND: Rgb = Rgb([0x1d, 0x1b, 0x1a]);
const WHITE: Rgb = Rgb([255; 3]);
const BLACK: Rgb = Rgb([0x14, 0x13, 0x12]);
/// The contrast of text with its background: AA with a margin.
const CONTRAST: f64 = 4.6;
/// The steps from a colour to black or white.
const STEPS: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rgb([u8; 3]);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Returns the custom properties of the colours, for a style sheet.
pub(super) fn properties(accent: Option<Accent>) -> String {
    let chosen = Rgb(accent.unwrap_or(DEFAULT).0);
    let light = readable(chosen, LIGHT_BACKGROUND, Rgb([0; 3]));
    let dark = readable(chosen, DARK_BACKGROUND, WHITE);
    format!(
        ":root{{--accent-light:{light};--accent-dark:{dark};--on-accent-light:{};--on-accent-dark:{}}}",
        text_on(light),
        text_on(dark)
    )
}

/// The colour that is nearest to the chosen one on the way to `end` and is readable on a background.
fn readable(chosen: Rgb, background: Rgb, end: Rgb) -> Rgb {
    let step = |step: u32| mixed(chosen, end, f64::from(step) / f64::from(STEPS));
    let mut steps = (0..=STEPS).map(step);
    steps
        .find(|colour| contrast(*colour, background) >= CONTRAST)
        .unwrap_or(end)
}

/// The colour of text on an accent.
fn text_on(accent: Rgb) -> Rgb {
    if contrast(WHITE, accent) >= contrast(BLACK, accent) {
        WHITE
    } else {
        BLACK
    }
}

fn mixed(from: Rgb, to: Rgb, part: f64) -> Rgb {
    let [r, g, b] = from.0;
    let [to_r, to_g, to_b] = to.0;
    let mix = |from: u8, to: u8| {
        let value = f64::from(from) + (f64::from(to) - f64::from(from)) * part;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is between two bytes"
        )]
        let byte = value.round() as u8;
        byte
    };
    Rgb([mix(r, to_r), mix(g, to_g), mix(b, to_b)])
}

/// The contrast ratio of two colours, from 1 to 21.
fn contrast(one: Rgb, other: Rgb) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// The relative luminance of a colour in sRGB.
fn luminance(colour: Rgb) -> f64 {
    let [red, green, blue] = colour.0.map(|byte| {
        let value = f64::from(byte) / 255.0;
        if value <= 0.04045 {
            value / 12.92
        } else {
            ((value + 0.055) / 1.055).powf(2.4)
        }
    });
    0.2126f64.mul_add(red, 0.7152f64.mul_add(green, 0.0722 * blue))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_contrast_is_that_of_the_standard() {
        assert!((contrast(WHITE, Rgb([0; 3])) - 21.0).abs() < 0.01);
        assert!((contrast(Rgb([0x77; 3]), WHITE) - 4.48).abs() < 0.01);
    }

    #[test]
    fn a_colour_that_is_readable_already_is_kept() {
        assert!(properties(None).contains("--accent-light:#0f5e78"));
    }

    proptest! {
        #[test]
        fn every_accent_is_readable_in_both_schemes(bytes in any::<[u8; 3]>()) {
            let chosen = Rgb(bytes);
            let light = readable(chosen, LIGHT_BACKGROUND, Rgb([0; 3]));
            let dark = readable(chosen, DARK_BACKGROUND, WHITE);
            for (colour, background) in [(light, LIGHT_BACKGROUND), (dark, DARK_BACKGROUND)] {
                prop_assert!(contrast(colour, background) >= 4.5);
                prop_assert!(contrast(colour, text_on(colour)) >= 4.5);
            }
        }
    }
}
