//! Tables in plain text: columns as wide as they must be, numbers to the right.

use super::style::Style;

/// A table with headings.
pub struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table.
    pub fn new(headings: &[&'static str]) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new() }
    }

    /// Adds a row, one text for each heading.
    pub fn row(&mut self, cells: Vec<String>) {
        debug_assert_eq!(cells.len(), self.headings.len());
        self.rows.push(cells);
    }

    /// Columns whose cells all start like a number (or are absent, `-`) stand to the right.
    fn is_numeric(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row[column] == "-" || row[column].starts_with(|c: char| c.is_ascii_digit()))
    }

    /// The table as text, without a last line end.
    pub fn render(&self, style: Style) -> String {
        let columns = 0..self.headings.len();
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.chain([self.headings[column].chars().count()]).max().unwrap_or(0)
        };
        let line = |cells: &[String]| {
            let padded = columns.clone().map(|column| match self.is_numeric(column) {
                true => format!("{:>1$}", cells[column], width(column)),
                false => format!("{:<1$}", cells[column], width(column)),
            });
            padded.collect::<Vec<_>>().join("  ").trim_end().to_string()
        };
        let headings: Vec<String> = self.headings.iter().map(|&heading| heading.into()).collect();
        let mut lines = vec![style.bold(&line(&headings))];
        lines.extend(self.rows.iter().map(|row| line(row)));
        lines.join("\n")
    }
}

/// Labels and values, one pair a line.
pub fn pairs(pairs: &[(&str, String)], style: Style) -> String {
    let width = pairs.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    let line = |(label, value): &(&str, String)| {
        format!("{}  {value}", style.dim(&format!("{label:<width$}"))).trim_end().to_string()
    };
    pairs.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A count with thin groups: 1 234 567.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_by_thousands() {
        let texts = [0, 7, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1 000", "1 234 567"]);
    }

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut table = Table::new(&["format", "ms"]);
        table.row(vec!["csr".into(), "10.5".into()]);
        table.row(vec!["sell:8:256".into(), "9.1".into()]);
        let text = table.render(Style::new(crate::args::Color::Never, true));
        assert_eq!(text, "format        ms\ncsr         10.5\nsell:8:256   9.1");
    }
}
