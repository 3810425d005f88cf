//! Statements.

use super::scope::{SCALARS, Scope};
use super::{Generator, Line, MOST_PROBES};

impl Generator {
    /// So many statements; what they declare is in scope up to the end of the block.
    pub fn block(&mut self, scope: &mut Scope, count: usize) {
        for _ in 0..count {
            if self.statements == 0 {
                break;
            }
            self.statements -= 1;
            self.statement(scope);
            if self.random.chance(22) {
                self.probe(scope);
            }
        }
    }

    /// A block that ends here: heap memory that it takes is given back.
    fn inner_block(&mut self, scope: &Scope, count: usize) {
        let mut inner = scope.clone();
        inner.buffers.clear();
        self.block(&mut inner, count);
        inner.lists.clear();
        self.release(&inner);
    }

    /// A place where something is asserted, once it is known what holds.
    pub fn probe(&mut self, scope: &Scope) {
        if self.probes() >= MOST_PROBES {
            return;
        }
        let expression = match self.random.below(4) {
            0 => format!("{} - {}", self.variable(scope), self.variable(scope)),
            1 => format!("{} + 2L * {}", self.variable(scope), self.variable(scope)),
            _ => self.variable(scope),
        };
        // Differences are not to overflow: what is probed is not what fails.
        let expression = format!("(long){expression}");
        self.lines.push(Line::Probe(self.indent, expression));
    }

    /// Something that can be assigned to.
    pub fn assignable(&mut self, scope: &Scope) -> Option<String> {
        for _ in 0..6 {
            let found = match self.random.below(9) {
                0..=3 => {
                    let scalars = scope.writable();
                    match scalars.is_empty() {
                        true => None,
                        false => Some(self.random.of(&scalars).name.clone()),
                    }
                }
                4 | 5 if !scope.arrays.is_empty() => {
                    let array = self.random.of(&scope.arrays).clone();
                    let index = self.index(scope, array.length);
                    Some(format!("{}[{index}]", array.name))
                }
                6 if !scope.pointers.is_empty() => {
                    Some(format!("*{}", self.random.of(&scope.pointers)))
                }
                7 if !scope.pairs.is_empty() => Some(self.field(scope)),
                8 if !scope.mixes.is_empty() => Some(self.part(scope)),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn statement(&mut self, scope: &mut Scope) {
        match self.random.below(30) {
            0..=8 => self.assignment(scope),
            9..=12 => self.branch(scope),
            13..=16 => self.for_loop(scope),
            17 => self.while_loop(scope),
            18 => self.switch(scope),
            19 if !self.is_plain => self.retarget(scope),
            20..=22 if !scope.lists.is_empty() => self.list_statement(scope),
            23 if self.loops == 0 && !self.is_plain => self.buffer(scope),
            24 if !scope.pairs.is_empty() => self.copy(scope),
            25 => self.declaration(scope),
            26 => self.call_by_pointer(scope),
            27 if self.loops == 0 => self.backward_jump(scope),
            28 => self.assumption(scope),
            _ => self.call_statement(scope),
        }
    }

    fn assignment(&mut self, scope: &Scope) {
        let Some(target) = self.assignable(scope) else {
            return;
        };
        let value = self.expression(scope, 2);
        let statement = match self.random.below(10) {
            0 | 1 => format!("{target} += {value};"),
            2 => format!("{target} -= {value};"),
            3 => format!("{target} ^= {value};"),
            4 => format!("({target})++;"),
            5 => format!("({target})--;"),
            _ => format!("{target} = {value};"),
        };
        self.line(&statement);
    }

    fn assumption(&mut self, scope: &Scope) {
        let condition = self.condition(scope, 0);
        self.line(&format!("__VERIFIER_assume({condition});"));
    }

    fn declaration(&mut self, scope: &mut Scope) {
        let name = self.name("y");
        let ty = *self.random.of(&SCALARS);
        let value = match self.input() {
            Some(input) => input,
            None => self.expression(scope, 2),
        };
        self.line(&format!("{ty} {name} = {value};"));
        scope.add_scalar(&name, ty, true);
    }

    fn branch(&mut self, scope: &Scope) {
        let condition = self.condition(scope, 1);
        self.open(&format!("if ({condition}) {{"));
        let count = 1 + self.random.below(2);
        self.inner_block(scope, count);
        self.close();
        if self.random.chance(40) {
            self.open("else {");
            self.inner_block(scope, 1);
            self.close();
        }
    }

    /// The bound of a loop: a small number, or an input or another variable cut to a small one.
    fn bound(&mut self, scope: &Scope) -> String {
        match self.random.below(3) {
            0 => (1 + self.random.below(4)).to_string(),
            1 => format!("({} & 3)", self.variable(scope)),
            _ => format!("(int)((unsigned)({}) % 5u)", self.variable(scope)),
        }
    }

    fn for_loop(&mut self, scope: &Scope) {
        if self.loops >= 2 {
            return self.assignment(scope);
        }
        let counter = self.name("i");
        let bound = self.bound(scope);
        // A bound that the body changes is evaluated once.
        let limit = self.name("n");
        let ty = *self.random.of(&["int", "int", "unsigned", "short"]);
        let step = match self.random.below(4) {
            0 => format!("{counter} += 2"),
            _ => format!("{counter}++"),
        };
        self.line(&format!("const int {limit} = {bound};"));
        let header = match self.random.below(4) {
            0 => format!("for (int {counter} = {limit}; {counter} > 0; {counter}--) {{"),
            _ => format!("for ({ty} {counter} = 0; {counter} < ({ty}){limit}; {step}) {{"),
        };
        self.open(&header);
        let mut inner = scope.clone();
        inner.add_scalar(&counter, "", false);
        self.loop_body(&inner, true);
        self.close();
    }

    fn while_loop(&mut self, scope: &Scope) {
        if self.loops >= 2 {
            return self.assignment(scope);
        }
        let counter = self.name("w");
        let bound = self.bound(scope);
        self.line(&format!("int {counter} = {bound};"));
        let mut inner = scope.clone();
        inner.add_scalar(&counter, "", false);
        let backwards = self.random.chance(35);
        match backwards {
            true => self.open("do {"),
            false => self.open(&format!("while ({counter} > 0) {{")),
        }
        self.line(&format!("{counter}--;"));
        self.loop_body(&inner, true);
        match backwards {
            true => {
                self.indent -= 1;
                self.line(&format!("}} while ({counter} > 0);"));
            }
            false => self.close(),
        }
    }

    fn loop_body(&mut self, inner: &Scope, can_leave: bool) {
        self.loops += 1;
        if can_leave && self.random.chance(20) {
            let condition = self.condition(inner, 1);
            let leave = *self.random.of(&["break", "continue"]);
            self.line(&format!("if ({condition}) {leave};"));
        }
        let count = 1 + self.random.below(3);
        self.inner_block(inner, count);
        self.loops -= 1;
    }

    fn switch(&mut self, scope: &Scope) {
        let value = self.expression(scope, 1);
        self.open(&format!("switch (({value}) & 3) {{"));
        for case in 0..2 + self.random.below(2) {
            self.open(&format!("case {case}: {{"));
            self.inner_block(scope, 1);
            self.close();
            if self.random.chance(70) {
                self.line("break;");
            }
        }
        self.open("default: {");
        self.inner_block(scope, 1);
        self.close();
        self.close();
    }

    /// A pointer points elsewhere.
    fn retarget(&mut self, scope: &mut Scope) {
        if scope.pointers.is_empty() {
            return self.pointer(scope);
        }
        let pointer = self.random.of(&scope.pointers).clone();
        // The first array is the outermost; what is declared in this block may die before the pointer.
        let Some(array) = scope.arrays.first().cloned() else {
            return;
        };
        if array.name.starts_with("buffer") && !self.forgets() {
            return;
        }
        let index = self.index(scope, array.length);
        self.line(&format!("{pointer} = &{}[{index}];", array.name));
    }

    /// A structure is copied, whole or in part.
    fn copy(&mut self, scope: &mut Scope) {
        let from = self.random.of(&scope.pairs).clone();
        let name = self.name("pair");
        match self.random.below(3) {
            0 => self.line(&format!("struct pair {name} = {from};")),
            1 => {
                self.line(&format!("struct pair {name};"));
                self.line(&format!("memcpy(&{name}, &{from}, sizeof {name});"));
            }
            _ => {
                self.line(&format!("struct pair {name} = {{0}};"));
                self.line(&format!("memcpy({name}.bytes, {from}.bytes, 3);"));
            }
        }
        scope.pairs.push(name);
    }

    fn call_statement(&mut self, scope: &Scope) {
        let Some(call) = self.call(scope) else {
            return self.assignment(scope);
        };
        match self.assignable(scope) {
            Some(target) => self.line(&format!("{target} = {call};")),
            None => self.line(&format!("{call};")),
        }
    }

    /// A call of one of two functions.
    fn call_by_pointer(&mut self, scope: &Scope) {
        use super::function::Parameters;
        let functions = self.functions.iter();
        let fitting = functions.filter(|it| it.parameters == Parameters::Depth);
        let names: Vec<_> = fitting.map(|it| it.name.clone()).collect();
        let Some(target) = self.assignable(scope) else {
            return;
        };
        if names.is_empty() {
            return self.call_statement(scope);
        }
        let operation = self.name("operation");
        let (first, second) = (
            self.random.of(&names).clone(),
            self.random.of(&names).clone(),
        );
        let (condition, argument) = (self.condition(scope, 0), self.expression(scope, 0));
        let depth = self.expression(scope, 0);
        let choice = format!("({condition}) ? {first} : {second}");
        self.line(&format!("int (*{operation})(int, int) = {choice};"));
        self.line(&format!(
            "{target} = {operation}(({depth}) & 1, {argument});"
        ));
    }

    /// A loop without a loop statement.
    fn backward_jump(&mut self, scope: &Scope) {
        let (label, counter) = (self.name("again"), self.name("c"));
        let bound = self.bound(scope);
        self.line(&format!("int {counter} = {bound};"));
        self.line(&format!("{label}:;"));
        let mut inner = scope.clone();
        inner.add_scalar(&counter, "", false);
        self.loops += 1;
        self.open("{");
        self.inner_block(&inner, 1);
        self.close();
        self.loops -= 1;
        self.line(&format!("if ({counter}-- > 0) goto {label};"));
    }
}
