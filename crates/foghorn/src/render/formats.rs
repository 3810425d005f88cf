//! The answer in the formats of other tools, to standard output or to files.

use crate::arguments::{Format, FormatArgument};
use anyhow::{Context, bail};
use foghorn_witness::VerificationReport;
use foghorn_witness::formats::{github, junit, sarif, short};

/// Whether one of them takes standard output, where nothing else is printed then.
pub fn takes_standard_output(formats: &[FormatArgument]) -> bool {
    formats.iter().any(|it| it.out.is_none())
}

/// An error if two of them want standard output, which `is_taken` already says somebody has.
pub fn demand_one_reader(formats: &[FormatArgument], is_taken: bool) -> anyhow::Result<()> {
    let count = formats.iter().filter(|it| it.out.is_none()).count();
    if count + usize::from(is_taken) > 1 {
        bail!("only one format can go to standard output; --format FORMAT=FILE writes the others");
    }
    Ok(())
}

/// Writes them all; the first file that cannot be written is the error, and costs none of the others.
pub fn write(formats: &[FormatArgument], report: &VerificationReport) -> anyhow::Result<()> {
    let mut result = Ok(());
    for it in formats {
        let text = render(it.format, report)?;
        match &it.out {
            None => print!("{text}"),
            Some(path) => {
                let written = std::fs::write(path, text);
                let written = written.with_context(|| format!("cannot write {}", path.display()));
                result = result.and(written);
            }
        }
    }
    result
}

fn render(format: Format, report: &VerificationReport) -> anyhow::Result<String> {
    Ok(match format {
        Format::Short => short::short(report),
        Format::Json => serde_json::to_string_pretty(report)? + "\n",
        Format::Sarif => sarif::sarif(report),
        Format::Junit => junit::junit(report),
        Format::Github => github::annotations(report),
    })
}
