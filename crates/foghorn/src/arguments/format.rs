//! How an answer is written for other tools, and what is said of kinds of failures.

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Short,
    Json,
    Sarif,
    Junit,
    Github,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Short,
            Self::Json,
            Self::Sarif,
            Self::Junit,
            Self::Github,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self {
            Self::Short => "short",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
        }))
    }
}

/// `FORMAT` or `FORMAT=OUT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatArgument {
    pub format: Format,
    /// `None` for standard output.
    pub out: Option<PathBuf>,
}

pub fn parse_format(text: &str) -> Result<FormatArgument, String> {
    let (name, out) = match text.split_once('=') {
        Some((_, "")) => return Err(format!("'{text}': a file has to stand behind '='")),
        Some((name, "-")) => (name, None),
        Some((name, out)) => (name, Some(PathBuf::from(out))),
        None => (text, None),
    };
    let format = Format::from_str(name, true).map_err(|_| {
        let names = Format::value_variants()
            .iter()
            .filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|it| it.get_name().to_owned()).collect();
        format!("'{name}' is no format; one of: {}", names.join(", "))
    })?;
    Ok(FormatArgument { format, out })
}

/// Say what a kind of failure means, with an example, what to do about it and its CWE number
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  foghorn explain                          every kind in a line
  foghorn explain use-after-free
  foghorn explain memory-safety            the kinds of a group
  foghorn explain main/division@8:52       by the id of a check")]
pub struct ExplainArguments {
    /// A kind, a group of --check, or the id of a check
    #[arg(value_name = "WHAT")]
    pub what: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_may_name_a_file() {
        let parse = |text| parse_format(text).map(|it| (it.format, it.out));
        assert_eq!(parse("short"), Ok((Format::Short, None)));
        assert_eq!(parse("sarif=-"), Ok((Format::Sarif, None)));
        let out = Some(PathBuf::from("a=b.xml"));
        assert_eq!(parse("junit=a=b.xml"), Ok((Format::Junit, out)));
        assert!(parse("junit=").is_err());
        let error = parse("xml").expect_err("no format");
        assert!(error.contains("sarif"), "{error}");
    }
}
