//! What distinguishes one system of clauses for a program from another.

use std::fmt;
use std::str::FromStr;

macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)* }

        impl $name {
            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str(self.name()) }
        }

        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($text => Ok($name::$variant),)*
                    other => Err(format!("'{other}' is none of {}", [$($text),*].join(", "))),
                }
            }
        }
    };
}

choice! {
    /// Where the program is cut.
    StepSize {
        /// At every block.
        Small = "small",
        /// At heads of loops, entries and returns of procedures, and where too many paths meet.
        Large = "large",
    }
}

choice! {
    /// How memory is part of a predicate.
    MemoryForm {
        /// One arbitrary object carries its own contents, life and size.
        Cells = "cells",
        /// An array for each region.
        Arrays = "arrays",
    }
}

choice! {
    /// How machine integers are terms.
    IntegerForm {
        /// Exactly over linear arithmetic, with a carry where a wrap-around cannot be excluded.
        Linear = "lia",
        /// Bit-vectors.
        Bits = "bits",
    }
}

choice! {
    /// What becomes of calls.
    ProcedureForm {
        /// Functions that are not recursive are inlined, recursive ones have summaries.
        Inline = "inline",
        /// Every function of the program has a summary.
        Summaries = "summaries",
        /// Every function has a summary in which nothing fails; calls that fail are jumps into a copy in the entry.
        Mixed = "mixed",
    }
}

choice! {
    /// What of memory is followed (§3.1 of the SeaHorn paper).
    Track {
        /// Nothing: what is loaded is any value.
        Registers = "reg",
        /// Contents that are pointers.
        Pointers = "ptr",
        /// All contents.
        Memory = "mem",
    }
}

/// One way to make clauses of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form {
    pub step: StepSize,
    pub memory: MemoryForm,
    pub integers: IntegerForm,
    pub procedures: ProcedureForm,
    pub track: Track,
}

impl Default for Form {
    fn default() -> Self {
        Form {
            step: StepSize::Large,
            memory: MemoryForm::Cells,
            integers: IntegerForm::Linear,
            procedures: ProcedureForm::Inline,
            track: Track::Memory,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Form {
            step,
            memory,
            integers,
            procedures,
            track,
        } = self;
        write!(
            f,
            "{step} step, {memory}, {integers}, {procedures}, {track}"
        )
    }
}
