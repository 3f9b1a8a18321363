//! Products that may panic, because a user wrote them: the panic becomes an error that names the map, and whoever
//! called the product stays whole.

use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a product of the map with this name. What it was writing holds anything after an error.
pub fn guarded(map: &'static str, product: impl FnOnce()) -> Result<()> {
    catch_unwind(AssertUnwindSafe(product)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let said = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Error::Product { map, said: said.unwrap_or_else(|| "it did not say why".into()) }
    })
}
