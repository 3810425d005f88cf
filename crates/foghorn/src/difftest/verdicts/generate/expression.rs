//! Expressions of type `int`, or of types that become it.

use super::Generator;
use super::function::Parameters;
use super::scope::Scope;

impl Generator {
    /// Something that can be read and has no effect.
    pub fn variable(&mut self, scope: &Scope) -> String {
        for _ in 0..4 {
            let found = match self.random.below(8) {
                0..=3 if !scope.scalars.is_empty() => {
                    Some(self.random.of(&scope.scalars).name.clone())
                }
                4 if !scope.arrays.is_empty() => {
                    let array = self.random.of(&scope.arrays).clone();
                    let index = self.random.below(array.length);
                    Some(format!("{}[{index}]", array.name))
                }
                5 if !scope.pointers.is_empty() => {
                    Some(format!("*{}", self.random.of(&scope.pointers)))
                }
                6 if !scope.pairs.is_empty() => Some(self.field(scope)),
                7 if !scope.mixes.is_empty() => Some(self.part(scope)),
                _ => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        self.literal()
    }

    /// A member of a structure.
    pub fn field(&mut self, scope: &Scope) -> String {
        let pair = self.random.of(&scope.pairs).clone();
        match self.random.below(4) {
            0 => format!("{pair}.left"),
            1 | 2 => format!("{pair}.right"),
            _ => format!("{pair}.bytes[{}]", self.random.below(4)),
        }
    }

    /// A member of a union.
    pub fn part(&mut self, scope: &Scope) -> String {
        let mix = self.random.of(&scope.mixes).clone();
        match self.random.below(3) {
            0 => format!("{mix}.whole"),
            1 => format!("{mix}.bytes[{}]", self.random.below(4)),
            _ => format!("{mix}.halves[{}]", self.random.below(2)),
        }
    }

    pub fn literal(&mut self) -> String {
        match self.random.below(24) {
            0 if self.carelessness > 0 => "2147483647".to_owned(),
            1 if self.carelessness > 0 => "(-2147483647 - 1)".to_owned(),
            2 => self.random.between(100, 300).to_string(),
            3..=6 => format!("({})", self.random.between(-5, -1)),
            _ => self.random.between(0, 9).to_string(),
        }
    }

    /// An index of an array of that length.
    pub fn index(&mut self, scope: &Scope, length: usize) -> String {
        if self.random.chance(35) {
            return self.random.below(length).to_string();
        }
        let any = self.expression(scope, 1);
        if self.forgets() {
            return any;
        }
        match self.random.below(3) {
            0 if length.is_power_of_two() => format!("({any}) & {}", length - 1),
            _ => format!("(unsigned)({any}) % {length}u"),
        }
    }

    /// An expression of that depth at most.
    pub fn expression(&mut self, scope: &Scope, depth: usize) -> String {
        if depth == 0 || self.random.chance(20) {
            return match self.random.chance(70) {
                true => self.variable(scope),
                false => self.literal(),
            };
        }
        match self.random.below(16) {
            0..=6 => self.arithmetic(scope, depth - 1),
            7 => {
                let condition = self.condition(scope, depth - 1);
                format!("({condition})")
            }
            8 => {
                let condition = self.condition(scope, depth - 1);
                let (yes, no) = (
                    self.expression(scope, depth - 1),
                    self.expression(scope, depth - 1),
                );
                format!("(({condition}) ? {yes} : {no})")
            }
            9 | 10 => {
                let inner = self.expression(scope, depth - 1);
                let types = ["signed char", "unsigned char", "short", "unsigned short"];
                format!("({})({inner})", self.random.of(&types))
            }
            11 if !scope.arrays.is_empty() => {
                let array = self.random.of(&scope.arrays).clone();
                let index = self.index(scope, array.length);
                format!("{}[{index}]", array.name)
            }
            12 | 13 => self.call(scope).unwrap_or_else(|| self.variable(scope)),
            _ => self.variable(scope),
        }
    }

    fn arithmetic(&mut self, scope: &Scope, depth: usize) -> String {
        let left = self.expression(scope, depth);
        match self.random.below(14) {
            0..=2 => format!("({left} + {})", self.expression(scope, depth)),
            3..=5 => format!("({left} - {})", self.expression(scope, depth)),
            6 => format!("({left} * {})", self.random.between(2, 3)),
            7 => {
                let operator = *self.random.of(&["&", "|", "^"]);
                format!("({left} {operator} {})", self.expression(scope, depth))
            }
            8 if self.forgets() => format!("({left} / {})", self.expression(scope, depth)),
            8 => format!("({left} / {})", self.divisor()),
            9 => format!("({left} % {})", self.divisor()),
            10 => {
                let amount = self.random.below(4);
                match self.forgets() {
                    true => format!("({left} << ({}))", self.variable(scope)),
                    false => format!("(({left} & 15) << {amount})"),
                }
            }
            11 | 12 => format!("({left} >> {})", self.random.below(5)),
            _ => {
                let sign = *self.random.of(&["-", "~", "!"]);
                format!("({sign}({left}))")
            }
        }
    }

    fn divisor(&mut self) -> String {
        match self.random.chance(20) {
            true => format!("({})", self.random.between(-4, -2)),
            false => self.random.between(2, 7).to_string(),
        }
    }

    pub fn condition(&mut self, scope: &Scope, depth: usize) -> String {
        let operator = *self.random.of(&["<", "<=", ">", ">=", "==", "!="]);
        let left = self.expression(scope, depth);
        match self.random.below(8) {
            0 => format!("{left} & 1"),
            1 => {
                let right = self.expression(scope, depth);
                let (third, fourth) = (self.variable(scope), self.literal());
                let connective = *self.random.of(&["&&", "||"]);
                format!("{left} {operator} {right} {connective} {third} != {fourth}")
            }
            2 => format!("{left} {operator} {}", self.expression(scope, depth)),
            _ => format!("{left} {operator} {}", self.literal()),
        }
    }

    /// A call of a function that was defined before.
    pub fn call(&mut self, scope: &Scope) -> Option<String> {
        if self.functions.is_empty() || self.loops > 1 {
            return None;
        }
        let function = self.random.of(&self.functions).clone();
        let first = self.expression(scope, 0);
        match function.parameters {
            Parameters::Numbers => {
                let second = self.expression(scope, 0);
                Some(format!("{}({first}, {second})", function.name))
            }
            Parameters::Depth => {
                let second = self.expression(scope, 0);
                Some(format!("{}(({first}) & 3, {second})", function.name))
            }
            Parameters::Memory(length) => {
                let long = scope.arrays.iter().filter(|it| it.length >= length);
                let names: Vec<_> = long.map(|array| array.name.clone()).collect();
                let name = names.get(self.random.below(names.len().max(1)))?;
                Some(format!("{}({name}, {first})", function.name))
            }
            Parameters::Pair => {
                let pair = scope.pairs.first()?;
                Some(format!("{}({pair}, {first})", function.name))
            }
        }
    }
}
