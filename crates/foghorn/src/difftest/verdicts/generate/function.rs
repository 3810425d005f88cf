//! Functions besides `main`, and what is declared outside and at its start.

use super::Generator;
use super::scope::{Array, SCALARS, Scope};

/// What a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// Two numbers.
    Numbers,
    /// How often it calls itself, and a number.
    Depth,
    /// So many elements, and a number.
    Memory(usize),
    /// A structure by value, and a number.
    Pair,
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Signature {
    pub name: String,
    pub parameters: Parameters,
}

impl Generator {
    pub fn globals(&mut self, scope: &mut Scope) {
        for _ in 0..self.random.below(3) {
            let name = self.name("global");
            let ty = *self.random.of(&SCALARS);
            let value = self.random.between(0, 9);
            self.line(&format!("static {ty} {name} = {value};"));
            scope.add_scalar(&name, ty, true);
        }
        if self.random.chance(50) {
            let name = self.name("table");
            let length = 2 + self.random.below(4);
            let values: Vec<_> = (0..length).map(|_| self.literal()).collect();
            let values = values.join(", ");
            self.line(&format!("static int {name}[{length}] = {{{values}}};"));
            scope.arrays.push(Array { name, length });
        }
    }

    /// Variables of `main`, of each kind some.
    pub fn locals(&mut self, scope: &mut Scope) {
        for _ in 0..2 + self.random.below(3) {
            let name = self.name("x");
            let ty = *self.random.of(&SCALARS);
            let value = self.initial(scope);
            self.line(&format!("{ty} {name} = {value};"));
            scope.add_scalar(&name, ty, true);
        }
        if self.random.chance(60) {
            let name = self.name("array");
            let length = 2 + self.random.below(4);
            self.line(&format!("int {name}[{length}] = {{{}}};", self.names));
            scope.arrays.push(Array { name, length });
        }
        if !self.is_plain {
            self.structured_locals(scope);
        }
        if self.random.chance(25) {
            let condition = self.condition(scope, 0);
            self.line(&format!("__VERIFIER_assume({condition});"));
        }
    }

    /// A structure, a union, a list and a pointer, each in some programs.
    fn structured_locals(&mut self, scope: &mut Scope) {
        if self.random.chance(35) {
            let name = self.name("pair");
            self.line(&format!("struct pair {name} = {{1, 2, {{3, 4}}}};"));
            scope.pairs.push(name);
        }
        if self.random.chance(20) {
            let name = self.name("mix");
            let whole = self.literal();
            self.line(&format!("union mix {name} = {{{whole}}};"));
            scope.mixes.push(name);
        }
        if self.random.chance(50) {
            let name = self.name("list");
            self.line(&format!("struct node *{name} = 0;"));
            scope.lists.push(name);
        }
        self.pointer(scope);
    }

    /// The first value of a variable: an input as long as there are some.
    fn initial(&mut self, scope: &Scope) -> String {
        self.input().unwrap_or_else(|| self.expression(scope, 1))
    }

    /// An input, if there are some left.
    pub fn input(&mut self) -> Option<String> {
        if self.inputs == 0 || self.loops > 0 || !self.random.chance(75) {
            return None;
        }
        self.inputs -= 1;
        Some(match self.random.below(6) {
            0 => "flag()".to_owned(),
            1 => "(int)three_bits()".to_owned(),
            2 => "(int)three_bits() - 4".to_owned(),
            3 => "(int)two_bits() - 1".to_owned(),
            _ => "(int)two_bits()".to_owned(),
        })
    }

    /// A pointer to something that lives.
    pub fn pointer(&mut self, scope: &mut Scope) {
        if let Some(target) = self.target(scope) {
            let name = self.name("p");
            self.line(&format!("int *{name} = {target};"));
            scope.pointers.push(name);
        }
    }

    /// The address of an `int` that lives as long as the scope.
    pub fn target(&mut self, scope: &Scope) -> Option<String> {
        let scalars = scope.addressable();
        if !scope.arrays.is_empty() && (scalars.is_empty() || self.random.chance(50)) {
            let array = self.random.of(&scope.arrays).clone();
            let index = self.index(scope, array.length);
            return Some(format!("&{}[{index}]", array.name));
        }
        if scalars.is_empty() {
            return None;
        }
        let (first, second) = (self.random.of(&scalars), self.random.of(&scalars));
        let (first, second) = (first.name.clone(), second.name.clone());
        if first == second {
            return Some(format!("&{first}"));
        }
        let condition = self.condition(scope, 0);
        Some(format!("({condition}) ? &{first} : &{second}"))
    }

    pub fn function(&mut self, globals: &Scope) {
        let name = self.name("f");
        let mut scope = globals.clone();
        // Each function has inputs of its own only through its parameters.
        let inputs = std::mem::take(&mut self.inputs);
        let kinds = if self.is_plain { 3 } else { 5 };
        let signature = match self.random.below(kinds) {
            0 | 1 => self.on_numbers(name, &mut scope),
            2 => self.recursive(&scope),
            3 => self.on_memory(name, &mut scope),
            _ => self.on_pair(name, &mut scope),
        };
        self.inputs = inputs;
        self.functions.push(signature);
    }

    fn on_numbers(&mut self, name: String, scope: &mut Scope) -> Signature {
        let ty = *self.random.of(&SCALARS);
        self.open(&format!("static int {name}(int a, {ty} b) {{"));
        scope.add_scalar("a", "int", true);
        scope.add_scalar("b", ty, true);
        let count = 1 + self.random.below(3);
        self.block(scope, count);
        let result = self.expression(scope, 1);
        self.line(&format!("return {result};"));
        self.close();
        Signature {
            name,
            parameters: Parameters::Numbers,
        }
    }

    fn recursive(&mut self, globals: &Scope) -> Signature {
        let name = self.name("recurse");
        let mut scope = globals.clone();
        self.open(&format!("static int {name}(int depth, int a) {{"));
        scope.add_scalar("depth", "int", false);
        scope.add_scalar("a", "int", true);
        let last = self.expression(&scope, 1);
        self.line(&format!("if (depth <= 0) return {last};"));
        self.block(&mut scope, 1);
        let next = self.expression(&scope, 1);
        match self.random.below(3) {
            0 => self.line(&format!("return {name}(depth - 1, {next});")),
            1 => {
                let more = self.variable(&scope);
                self.line(&format!(
                    "return {name}(depth - 1, {next}) + (({more}) & 7);"
                ));
            }
            _ => {
                self.line(&format!("int b = {name}(depth - 1, {next});"));
                self.line(&format!(
                    "return depth > 1 ? {name}(depth - 2, b & 15) : b;"
                ));
            }
        }
        self.close();
        Signature {
            name,
            parameters: Parameters::Depth,
        }
    }

    fn on_memory(&mut self, name: String, scope: &mut Scope) -> Signature {
        let length = 2 + self.random.below(3);
        self.open(&format!("static int {name}(int *memory, int a) {{"));
        scope.add_scalar("a", "int", true);
        scope.arrays.push(Array {
            name: "memory".to_owned(),
            length,
        });
        let count = 1 + self.random.below(3);
        self.block(scope, count);
        let result = self.expression(scope, 1);
        self.line(&format!("return {result};"));
        self.close();
        Signature {
            name,
            parameters: Parameters::Memory(length),
        }
    }

    fn on_pair(&mut self, name: String, scope: &mut Scope) -> Signature {
        self.open(&format!("static int {name}(struct pair pair, int a) {{"));
        scope.add_scalar("a", "int", true);
        scope.pairs.push("pair".to_owned());
        self.block(scope, 2);
        let result = self.field(scope);
        self.line(&format!("return {result};"));
        self.close();
        Signature {
            name,
            parameters: Parameters::Pair,
        }
    }
}
