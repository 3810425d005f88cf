//! What a statement can name.

/// The types of scalar variables.
pub const SCALARS: [&str; 8] = [
    "int",
    "int",
    "unsigned",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "long",
];

/// A scalar.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub name: String,
    /// Loop counters and parameters that recursion needs are only read.
    pub writable: bool,
    /// Whether `&name` is an `int *`.
    pub is_int: bool,
}

/// An array of `int`, or the memory behind a pointer that is as long.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub length: usize,
}

/// Variables in scope, by kind.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub scalars: Vec<Scalar>,
    pub arrays: Vec<Array>,
    /// Pointers to a living `int`.
    pub pointers: Vec<String>,
    /// Pointers to the first node of a list, or null.
    pub lists: Vec<String>,
    /// Variables of `struct pair`.
    pub pairs: Vec<String>,
    /// Variables of `union mix`.
    pub mixes: Vec<String>,
    /// Memory from `malloc` that is to be freed at the end.
    pub buffers: Vec<String>,
}

impl Scope {
    pub fn add_scalar(&mut self, name: &str, ty: &str, writable: bool) {
        self.scalars.push(Scalar {
            name: name.to_owned(),
            writable,
            is_int: ty == "int",
        });
    }

    /// Scalars that may be assigned.
    pub fn writable(&self) -> Vec<&Scalar> {
        self.scalars
            .iter()
            .filter(|scalar| scalar.writable)
            .collect()
    }

    /// Variables whose address is an `int *`.
    pub fn addressable(&self) -> Vec<&Scalar> {
        let scalars = self.scalars.iter();
        scalars
            .filter(|scalar| scalar.writable && scalar.is_int)
            .collect()
    }
}
