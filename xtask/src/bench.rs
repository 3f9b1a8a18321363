//! placeholder until the next commit
/// none
pub fn run(_: &[String]) -> anyhow::Result<bool> {
    Ok(true)
}
