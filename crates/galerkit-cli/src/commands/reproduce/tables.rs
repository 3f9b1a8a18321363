//! Table 2 beside ours, and the speed-ups.

use super::{MODERATE, Plan, count};
use crate::output::style::Style;
use crate::output::table::{Table, grouped};
use galerkit_bench::reproduce::vpgcr::{Case, Form, N, Row, Study, TOLERANCES, Verdict, published};

/// The columns of table 2.
const COLUMNS: [(Form, f64); 4] =
    [(Form::Standard, 1e-3), (Form::Hybrid, 1e-3), (Form::Standard, 1e-1), (Form::Hybrid, 1e-1)];

/// Everything, as text.
pub(super) fn all(study: &Study, plan: &Plan, style: Style) -> String {
    [
        style.bold("Source 001, table 2: sweeps and, in parentheses, outer iterations less one; n = 2048"),
        counts(study, plan).render(style),
        conclusion(study, style),
        String::new(),
        style.bold("Times in the outer loop and speed-ups"),
        times(study, plan).render(style),
        String::new(),
        summary(study, plan).join("\n"),
    ]
    .join("\n")
}

fn counts(study: &Study, plan: &Plan) -> Table {
    let mut table = Table::new(&["gamma", "", "S(1e-3)", "H(1e-3)", "S(1e-1)", "H(1e-1)"]);
    for &gamma in &plan.gammas {
        let cases = COLUMNS.map(|(form, eps)| Case { n: N, gamma, form, eps });
        let printed = |case: &Case| {
            published(case).map_or("-".into(), |entry| format!("{} ({})", grouped(entry.inner as u64), entry.outer))
        };
        let line = |name: String, cells: [String; 4]| [vec![format!("{gamma:.1}"), name], cells.to_vec()].concat();
        table.row(line("published".into(), cases.each_ref().map(printed)));
        for place in plan.places.iter().map(|place| place.to_string()) {
            let cells = cases.each_ref().map(|case| study.row(&place, case).map_or("-".into(), cell));
            table.row(line(place, cells));
        }
    }
    table
}

/// Ours, with a sign for how it stands to the published one.
fn cell(row: &Row) -> String {
    let sign = match row.verdict {
        Some(Verdict::Equal) => " =",
        Some(Verdict::Within) => " ~",
        Some(Verdict::Outside) => " !",
        None => "",
    };
    format!("{} ({}){sign}", grouped(row.inner as u64), row.outer.saturating_sub(1))
}

fn conclusion(study: &Study, style: Style) -> String {
    let [equal, within, outside] = [Verdict::Equal, Verdict::Within, Verdict::Outside].map(|v| count(study, v));
    let text = format!(
        "{equal} entries equal (=), {within} within the bounds of rounding at gamma = 1 (~), {outside} outside (!)"
    );
    if study.rows().iter().all(Row::good) { style.good(&text) } else { style.bad(&text) }
}

fn times(study: &Study, plan: &Plan) -> Table {
    let mut table =
        Table::new(&["n", "gamma", "eps", "", "S ms", "H ms", "H over S", "S over 1 core's S", "H over 1 core's S"]);
    for standard in plan.cases.iter().filter(|case| case.form == Form::Standard) {
        let hybrid = Case { form: Form::Hybrid, ..*standard };
        for place in plan.places.iter().map(|place| place.to_string()) {
            let milliseconds =
                |case| study.row(&place, case).map_or("-".into(), |row| format!("{:.3}", row.seconds * 1e3));
            let over = |slow: (&str, &Case), fast: &Case| times_faster(study.speedup(slow, (&place, fast)));
            let first = plan.places[0].to_string();
            table.row(vec![
                standard.n.to_string(),
                format!("{:.1}", standard.gamma),
                format!("{:.0e}", standard.eps),
                place.clone(),
                milliseconds(standard),
                milliseconds(&hybrid),
                over((&place, standard), &hybrid),
                over((&first, standard), standard),
                over((&first, standard), &hybrid),
            ]);
        }
    }
    table
}

fn times_faster(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
}

/// The best of what is claimed: hybrid over standard, device over one core.
fn summary(study: &Study, plan: &Plan) -> Vec<String> {
    let (first, device) = (plan.places[0].to_string(), plan.device().to_string());
    let sizes = [Some((N, plan.steepest())), plan.second.map(|n| (n, MODERATE))];
    let line = |(n, gamma): (usize, f64)| {
        let best = |from: &str, slow: Form, to: &str, fast: Form| {
            let of = |eps| {
                let case = |form| Case { n, gamma, form, eps };
                study.speedup((from, &case(slow)), (to, &case(fast)))
            };
            times_faster(TOLERANCES.into_iter().filter_map(of).reduce(f64::max))
        };
        let (S, H) = (Form::Standard, Form::Hybrid);
        format!(
            "n = {n}, gamma = {gamma}, at best over eps: hybrid over standard {} on {first}, {} on {device}; {device} over \
             {first}: standard {}, hybrid {}, hybrid over standard {}",
            best(&first, S, &first, H),
            best(&device, S, &device, H),
            best(&first, S, &device, S),
            best(&first, H, &device, H),
            best(&first, S, &device, H),
        )
    };
    sizes.into_iter().flatten().map(line).collect()
}
