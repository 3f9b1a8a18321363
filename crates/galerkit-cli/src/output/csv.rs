//! Comma-separated values: histories and benchmark tables.

/// One line for each iteration; residuals relative to ||b||.
pub fn history(history: &[f64]) -> String {
    let mut text = String::from("iteration,relative_residual\n");
    for (iteration, residual) in history.iter().enumerate() {
        text += &format!("{iteration},{residual:e}\n");
    }
    text
}

/// Headings and rows; a cell with a comma or a quote is quoted.
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let quoted = |cell: &str| match cell.contains([',', '"', '\n']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.into(),
    };
    let mut text = headings.join(",") + "\n";
    for row in rows {
        text += &(row.iter().map(|cell| quoted(cell)).collect::<Vec<String>>().join(",") + "\n");
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_with_commas_and_quotes_survive() {
        let text = super::table(&["a", "b"], &[vec!["1,2".into(), "say \"x\"".into()]]);
        assert_eq!(text, "a,b\n\"1,2\",\"say \"\"x\"\"\"\n");
    }
}
