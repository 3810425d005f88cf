//! Bounds that were given to loops by name: a name that no loop has is a mistake, not a wish.

use crate::command::Failure;
use foghorn_ir::Module;
use foghorn_transform::loops::loops;

/// Names that an error lists.
const LISTED: usize = 12;

/// The names of loops in a list of `LOOP=N`.
pub fn names(list: &[String]) -> Vec<String> {
    let pairs = list.iter().filter_map(|item| item.split_once('='));
    pairs.map(|(name, _)| name.to_owned()).collect()
}

/// Refuses the first name that is neither a loop's nor one of `others`.
pub fn check_names<'a>(
    module: &Module,
    names: impl Iterator<Item = &'a str>,
    others: &[&str],
) -> Result<(), Failure> {
    let loops = loops(module);
    let of_models = |name: &&str| {
        let own = loops.iter().find(|found| found.name == **name);
        own.is_some_and(|found| module.functions[found.function].is_model)
    };
    let known: Vec<&str> = loops.iter().map(|found| &*found.name).collect();
    for name in names {
        if known.contains(&name) || others.contains(&name) {
            continue;
        }
        let known = known.iter().filter(|name| !of_models(name));
        let listed: Vec<&str> = others.iter().chain(known).copied().collect();
        return Err(Failure::usage(anyhow::anyhow!(
            "--unwind-set: there is no loop '{name}'; {}",
            described(&listed)
        )));
    }
    Ok(())
}

fn described(names: &[&str]) -> String {
    match names {
        [] => "the program has none".to_owned(),
        names if names.len() <= LISTED => format!("loops here: {}", names.join(", ")),
        names => format!(
            "loops here: {}, … (`foghorn loops FILE` lists all)",
            names[..LISTED].join(", ")
        ),
    }
}
