//! Letters as strokes, on a grid of 5 columns and 9 rows: digits of a pair are column and row, 2 is the base line, 6
//! the height of small letters, 8 that of capitals. Words separate strokes.

use super::image::{Image, Pen};

/// A size of letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Letters {
    /// The height of a capital in pixels.
    pub height: f32,
    /// What they are drawn with.
    pub pen: Pen,
}

impl Letters {
    fn unit(&self) -> f32 {
        self.height / 6.0
    }
    /// How wide a text is.
    pub fn width(&self, text: &str) -> f32 {
        let advance: f32 = text.chars().map(advance).sum();
        (advance - GAP).max(0.0) * self.unit()
    }
    /// Writes a text whose base line begins at a point.
    pub fn write(&self, image: &mut Image, [mut x, y]: [f32; 2], text: &str) {
        for letter in text.chars() {
            for stroke in strokes(letter).split(' ').filter(|stroke| !stroke.is_empty()) {
                let digits: Vec<f32> = stroke.bytes().map(|digit| f32::from(digit - b'0')).collect();
                let left = left(letter);
                let place = |pair: &[f32]| [x + (pair[0] - left) * self.unit(), y - (pair[1] - 2.0) * self.unit()];
                image.stroke(&digits.chunks_exact(2).map(place).collect::<Vec<_>>(), self.pen);
            }
            x += advance(letter) * self.unit();
        }
    }
}

const GAP: f32 = 1.7;

/// The column that a letter begins in: narrow ones do not take the width of others.
fn left(letter: char) -> f32 {
    match letter {
        '.' | ',' | ':' | 'i' | '\'' | '|' => 2.0,
        'l' | 'j' | ')' | '(' | '[' | ']' | '1' | 'I' => 1.0,
        _ => 0.0,
    }
}

fn advance(letter: char) -> f32 {
    let width = match letter {
        '.' | ',' | ':' | 'i' | '\'' | '|' => 0.4,
        'l' | 'j' | ')' | '(' | '[' | ']' | '1' | 'I' => 2.0,
        ' ' => 1.6,
        'f' | 't' => 3.0,
        _ => 4.0,
    };
    width + GAP
}

fn strokes(letter: char) -> &'static str {
    match letter {
        '0'..='9' => digit(letter),
        'a'..='z' => small(letter),
        'A'..='Z' => capital(letter),
        _ => sign(letter),
    }
}

fn digit(letter: char) -> &'static str {
    match letter {
        '0' => "120307183847433212",
        '1' => "172822 1232",
        '2' => "07183847460242",
        '3' => "0718384746354443321203 2535",
        '4' => "32380444",
        '5' => "480805354443321203",
        '6' => "4738180703123243443505",
        '7' => "084812",
        '8' => "15040312324344351506071838474635",
        _ => "0312324347381807061545",
    }
}

fn small(letter: char) -> &'static str {
    match letter {
        'a' => "4642 4536160503123243",
        'b' => "0802 0516364543321203",
        'c' => "4536160503123243",
        'd' => "4842 4536160503123243",
        'e' => "04444536160503123243",
        'f' => "38281712 0626",
        'g' => "4641301001 4536160503123243",
        'h' => "0802 0516364542",
        'i' => "2622 2828",
        'j' => "36312010 3838",
        'k' => "0802 4603 1442",
        'l' => "18282332",
        'm' => "0602 05162522 25364542",
        'n' => "0602 0516364542",
        'o' => "120305163645433212",
        'p' => "0600 0516364543321203",
        'q' => "4640 4536160503123243",
        'r' => "0602 05163645",
        's' => "4616051434433202",
        't' => "18132232 0636",
        'u' => "0603123243 4642",
        'v' => "062246",
        'w' => "0612263246",
        'x' => "0642 0246",
        'y' => "0622 4610",
        _ => "06460242",
    }
}

fn capital(letter: char) -> &'static str {
    match letter {
        'A' => "022842 1434",
        'B' => "02083847463505 3544433202",
        'C' => "4738180703123243",
        'D' => "02083847433202",
        'E' => "48080242 0535",
        'F' => "480802 0535",
        'G' => "47381807031232434525",
        'H' => "0802 4842 0545",
        'I' => "2822 1838 1232",
        'J' => "4843321203",
        'K' => "0802 4804 1542",
        'L' => "080242",
        'M' => "0208254842",
        'N' => "02084248",
        'O' => "120307183847433212",
        'P' => "02083847463505",
        'Q' => "120307183847433212 2442",
        'R' => "02083847463505 2542",
        'S' => "473818070615354443321203",
        'T' => "0848 2822",
        'U' => "080312324348",
        'V' => "082248",
        'W' => "0812253248",
        'X' => "0842 0248",
        'Y' => "082548 2522",
        _ => "08480242",
    }
}

fn sign(letter: char) -> &'static str {
    match letter {
        '-' | '−' => "0545",
        '+' => "0545 2327",
        '.' => "2222",
        ',' => "2221",
        ':' => "2323 2626",
        '\'' => "2827",
        '=' => "0444 0646",
        '(' => "38272332",
        ')' => "18272312",
        '[' => "38282232",
        ']' => "18282212",
        '<' => "470543",
        '>' => "074503",
        '/' => "0248",
        '^' => "172837",
        '*' => "1436 1634",
        '_' => "0141",
        '|' => "2128",
        ' ' => "",
        _ => "0208484202", // a box for what is not known
    }
}
