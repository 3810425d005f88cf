//! What functions without a body do to pointers: one table.
//!
//! The front end links C models of the library and gives other functions a body that changes what
//! they may change, so few names are left. A function that is not in the table is taken as the
//! interpreter takes it: it changes no memory, and a pointer that it returns is the environment's.

/// What a call does, besides marking what it is given as external.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The first result is the n-th argument, moved by an unknown number of bytes or not at all.
    ReturnsArgument { argument: usize, moved: bool },
    /// The first result is a new heap object.
    Allocates,
    /// Bytes are copied from the second to the first argument, by a number in the third.
    Copies,
}

/// Name and effects.
pub const SPECIFICATIONS: &[(&str, &[Effect])] = &[
    ("malloc", &[Effect::Allocates]),
    ("calloc", &[Effect::Allocates]),
    ("aligned_alloc", &[Effect::Allocates]),
    ("memalign", &[Effect::Allocates]),
    ("valloc", &[Effect::Allocates]),
    ("kmalloc", &[Effect::Allocates]),
    ("kzalloc", &[Effect::Allocates]),
    ("vmalloc", &[Effect::Allocates]),
    ("strdup", &[Effect::Allocates]),
    ("strndup", &[Effect::Allocates]),
    (
        "realloc",
        &[
            Effect::Allocates,
            Effect::ReturnsArgument {
                argument: 0,
                moved: false,
            },
        ],
    ),
    (
        "memcpy",
        &[
            Effect::Copies,
            Effect::ReturnsArgument {
                argument: 0,
                moved: false,
            },
        ],
    ),
    (
        "memmove",
        &[
            Effect::Copies,
            Effect::ReturnsArgument {
                argument: 0,
                moved: false,
            },
        ],
    ),
    (
        "memset",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
    (
        "strcpy",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
    (
        "strncpy",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
    (
        "strcat",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
    (
        "strncat",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
    (
        "strchr",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: true,
        }],
    ),
    (
        "strrchr",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: true,
        }],
    ),
    (
        "strstr",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: true,
        }],
    ),
    (
        "strpbrk",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: true,
        }],
    ),
    (
        "memchr",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: true,
        }],
    ),
    (
        "fgets",
        &[Effect::ReturnsArgument {
            argument: 0,
            moved: false,
        }],
    ),
];

/// The effects of a function without a body.
pub fn effects(name: &str) -> &'static [Effect] {
    let found = SPECIFICATIONS.iter().find(|(known, _)| *known == name);
    found.map_or(&[], |(_, effects)| effects)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = SPECIFICATIONS.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SPECIFICATIONS.len());
        assert_eq!(effects("malloc"), [Effect::Allocates]);
        assert_eq!(effects("nothing"), []);
    }
}
