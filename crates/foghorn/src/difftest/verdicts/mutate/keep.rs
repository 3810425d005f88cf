//! Mutations that keep the meaning.

use super::Edit;
use super::structure::Structure;
use super::token::{Kind, Token};
use crate::difftest::verdicts::random::Random;
use std::collections::BTreeSet;
use std::ops::Range;

/// One change that means nothing, if there is a place for it.
pub fn keep(tokens: &[Token], structure: &Structure, random: &mut Random) -> Option<Edit> {
    let file = File { tokens, structure };
    match random.below(7) {
        0 => file.rename(random),
        1 | 2 => file.insert_dead_code(random),
        3 => file.peel(random),
        4 => file.outline_number(random),
        5 => file.wrap_main(),
        _ => file.reorder(random),
    }
}

/// Words that have a meaning of their own.
const KEYWORDS: [&str; 38] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "main", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "_Bool", "bool", "argv",
];

/// Statements that do nothing.
const DEAD: [&str; 5] = [
    "if (0) { assert_nothing: ; }",
    "{ int unused = 3; unused += 1; (void)unused; }",
    "if (0) { volatile int unused = 0; unused = 1 / (unused + 1); }",
    "for (int unused = 0; unused < 2; unused++) { }",
    "{ int unused[2] = {1, 2}; int *other = &unused[1]; *other = unused[0]; }",
];

struct File<'t> {
    tokens: &'t [Token],
    structure: &'t Structure,
}

impl File<'_> {
    fn token(&self, position: usize) -> Option<&Token> {
        let index = self.structure.words.get(position)?;
        Some(&self.tokens[*index])
    }

    fn text(&self, position: usize) -> &str {
        self.token(position).map_or("", |token| token.text.as_str())
    }

    /// The text of positions, blanks between them included.
    fn slice(&self, range: Range<usize>) -> String {
        if range.is_empty() {
            return String::new();
        }
        let words = &self.structure.words;
        let tokens = &self.tokens[words[range.start]..=words[range.end - 1]];
        // A comment at the end of a line would swallow what follows on it.
        tokens
            .iter()
            .map(|token| match token.kind {
                Kind::Blank => " ",
                _ => token.text.as_str(),
            })
            .collect()
    }

    /// Whether a directive stands between these positions.
    fn has_directive(&self, range: &Range<usize>) -> bool {
        let words = &self.structure.words;
        let tokens = &self.tokens[words[range.start]..=words[range.end - 1]];
        tokens.iter().any(|token| token.kind == Kind::Directive)
    }

    /// An edit that puts a text in the place of these positions.
    fn replace(&self, what: &str, range: Range<usize>, text: String) -> Edit {
        let words = &self.structure.words;
        let (first, last) = (words[range.start], words[range.end - 1]);
        let mut replacements = vec![(first, text)];
        replacements.extend((first + 1..=last).map(|index| (index, String::new())));
        Edit {
            what: what.to_owned(),
            replacements,
        }
    }

    /// A name gets another one everywhere: a variable that is declared in a function, of a name that
    /// is never a member, a label, a macro or a function.
    fn rename(&self, random: &mut Random) -> Option<Edit> {
        let directives: String = self
            .tokens
            .iter()
            .filter(|token| token.kind == Kind::Directive)
            .map(|token| token.text.as_str())
            .collect();
        let positions = 0..self.structure.words.len();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        let mut excluded: BTreeSet<&str> = KEYWORDS.into_iter().collect();
        for position in positions {
            let Some(token) = self.token(position) else {
                continue;
            };
            if token.kind != Kind::Word {
                continue;
            }
            let before = position.checked_sub(1).map_or("", |it| self.text(it));
            let after = self.text(position + 1);
            let in_function = self.structure.is_in_function(position);
            let is_declared =
                matches!(before, "int" | "unsigned" | "char" | "long" | "short" | "*");
            if matches!(before, "." | "->" | "goto" | "struct" | "union" | "enum")
                || matches!(after, "(" | ":")
                || !in_function
                || directives.contains(&token.text)
            {
                excluded.insert(&token.text);
            } else if is_declared && matches!(after, "=" | ";" | ",") {
                names.insert(&token.text);
            }
        }
        let names: Vec<&str> = names.difference(&excluded).copied().collect();
        if names.is_empty() {
            return None;
        }
        let name = *random.of(&names);
        let replacements = self.tokens.iter().enumerate();
        let replacements = replacements
            .filter(|(_, token)| token.kind == Kind::Word && token.text == name)
            .map(|(index, _)| (index, format!("{name}_renamed")));
        Some(Edit {
            what: format!("{name} is renamed"),
            replacements: replacements.collect(),
        })
    }

    fn insert_dead_code(&self, random: &mut Random) -> Option<Edit> {
        let places: Vec<usize> = self.structure.statements().collect();
        if places.is_empty() {
            return None;
        }
        let position = *random.of(&places);
        // A label needs a name of its own, which the place gives.
        let code = random
            .of(&DEAD)
            .replace("assert_nothing", &format!("nothing_{position}"));
        let text = format!("{code} {}", self.text(position));
        Some(Edit {
            what: "dead code".to_owned(),
            replacements: vec![(self.structure.words[position], text)],
        })
    }

    /// The first iteration of a loop stands before it.
    fn peel(&self, random: &mut Random) -> Option<Edit> {
        let loops: Vec<usize> = self
            .structure
            .statements()
            .filter(|&position| self.text(position) == "for")
            .chain((1..self.structure.words.len()).filter(|&position| {
                // A `while` at the start of a statement is a loop unless it ends a `do`.
                self.text(position) == "while"
                    && self.text(position - 1) == ";"
                    && self.structure.is_in_function(position)
            }))
            .collect();
        if loops.is_empty() {
            return None;
        }
        let begin = *random.of(&loops);
        let close = self.structure.partner(begin + 1)?;
        if self.text(close + 1) != "{" {
            return None;
        }
        let end = self.structure.partner(close + 1)?;
        let leaves = [
            "break", "continue", "goto", "case", "default", ":", "static",
        ];
        let body = close + 1..end + 1;
        if body.clone().any(|it| leaves.contains(&self.text(it))) || self.has_directive(&body) {
            return None;
        }
        let body = self.slice(body);
        let text = match self.text(begin) {
            "while" => {
                let condition = self.slice(begin + 2..close);
                format!("if ({condition}) {{ {body} while ({condition}) {body} }}")
            }
            _for => {
                let (first, second) = self.semicolons(begin + 2, close)?;
                let initial = self.slice(begin + 2..first);
                let condition = self.slice(first + 1..second);
                let step = self.slice(second + 1..close);
                if condition.is_empty() {
                    return None;
                }
                format!(
                    "{{ {initial}; if ({condition}) {{ {body} {step}; \
                     for (; {condition}; {step}) {body} }} }}"
                )
            }
        };
        Some(self.replace("a loop is peeled", begin..end + 1, text))
    }

    /// The two semicolons of a `for`.
    fn semicolons(&self, begin: usize, end: usize) -> Option<(usize, usize)> {
        let found: Vec<usize> = (begin..end).filter(|&it| self.text(it) == ";").collect();
        match found[..] {
            [first, second] => Some((first, second)),
            _ => None,
        }
    }

    /// A number is what a function gives.
    fn outline_number(&self, random: &mut Random) -> Option<Edit> {
        let before = [
            "=", "<", "<=", ">", ">=", "+", "-", "==", "!=", "return", "+=", "-=",
        ];
        let places: Vec<usize> = (1..self.structure.words.len())
            .filter(|&position| {
                self.structure.is_in_function(position)
                    && self.token(position).is_some_and(|token| {
                        token.kind == Kind::Number && token.text.parse::<i32>().is_ok()
                    })
                    && before.contains(&self.text(position - 1))
                    && self.is_evaluated(position)
            })
            .collect();
        if places.is_empty() {
            return None;
        }
        let position = *random.of(&places);
        let (number, name) = (self.text(position), format!("outlined_{position}"));
        let function = format!("static int {name}(void) {{ return {number}; }}\n");
        Some(Edit {
            what: format!("{number} is outlined"),
            replacements: vec![
                (self.structure.words[position], format!("{name}()")),
                // The function stands before the first token that is no comment and no directive.
                (
                    self.structure.words[0],
                    format!("{function}{}", self.text(0)),
                ),
            ],
        })
    }

    /// Whether an expression at that place is evaluated in execution: it is no length of an array, no
    /// label of a case, no initial value of something static.
    fn is_evaluated(&self, position: usize) -> bool {
        let backwards = (0..position).rev();
        for earlier in backwards {
            match self.text(earlier) {
                ";" | "{" | "}" => return self.text(earlier + 1) != "static",
                "[" | "case" | "static" | "enum" | "_Static_assert" | "const" | "extern" => {
                    return false;
                }
                _ => {}
            }
        }
        false
    }

    /// The program is a function that `main` calls.
    fn wrap_main(&self) -> Option<Edit> {
        let positions = 0..self.structure.words.len();
        let mut places = positions.filter(|&position| self.text(position) == "main");
        let position = places.next()?;
        let header = self.slice(position + 1..position + 4);
        let plain = header == "(void)" && self.text(position + 4) == "{";
        let typed = position
            .checked_sub(1)
            .is_some_and(|it| self.text(it) == "int");
        if !plain || !typed || places.next().is_some() {
            return None;
        }
        let last = self.structure.words.len() - 1;
        let end = format!(
            "{}\nint main(void) {{ return wrapped_main(); }}\n",
            self.text(last)
        );
        Some(Edit {
            what: "main is wrapped".to_owned(),
            replacements: vec![
                (self.structure.words[position], "wrapped_main".to_owned()),
                (self.structure.words[last], end),
            ],
        })
    }

    /// Two statements that have nothing in common change places: declarations and assignments of
    /// variables, without calls and memory.
    fn reorder(&self, random: &mut Random) -> Option<Edit> {
        let pairs: Vec<(usize, usize, usize)> = self
            .structure
            .statements()
            .filter_map(|first| {
                let end = self.structure.end_of_simple(self.tokens, first)?;
                let last = self.structure.end_of_simple(self.tokens, end + 1)?;
                let (one, other) = (first..end + 1, end + 1..last + 1);
                let independent = self.is_plain(&one)
                    && self.is_plain(&other)
                    && self.names(&one).is_disjoint(&self.names(&other))
                    && !self.has_directive(&(first..last + 1));
                independent.then_some((first, end, last))
            })
            .collect();
        if pairs.is_empty() {
            return None;
        }
        let &(first, end, last) = random.of(&pairs);
        let text = format!(
            "{} {}",
            self.slice(end + 1..last + 1),
            self.slice(first..end + 1)
        );
        Some(self.replace("two statements change places", first..last + 1, text))
    }

    /// Whether a statement only computes with variables, and cannot fail.
    fn is_plain(&self, range: &Range<usize>) -> bool {
        let failing = [
            "(", "[", "*", "->", ".", "&", "/", "%", "<<", ">>", "+", "-", "++", "--", "+=", "-=",
            "*=", "/=", "%=", "<<=", ">>=", "return", "break", "continue", "goto", "static",
            "extern", "volatile", "typedef", "struct", "union", "enum", "if", "while", "for", "do",
            "else", "switch", ",",
        ];
        let mut assigns = false;
        for position in range.clone() {
            let text = self.text(position);
            assigns |= text == "=";
            if failing.contains(&text) {
                return false;
            }
        }
        assigns
    }

    /// The names that a statement mentions, types left out.
    fn names(&self, range: &Range<usize>) -> BTreeSet<&str> {
        let tokens = range.clone().filter_map(|position| self.token(position));
        let words = tokens.filter(|token| token.kind == Kind::Word);
        let names = words.map(|token| token.text.as_str());
        names.filter(|name| !KEYWORDS.contains(name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::{join, tokenize};
    use super::*;

    const PROGRAM: &str = "#include <assert.h>\nint main(void) {\n  int a = 1;\n  int b = 2;\n  for (int i = 0; i < 3; i++) { a = i; }\n  while (b > 0) { b--; }\n  assert(a == 2);\n  return b;\n}\n";

    fn all() -> BTreeSet<String> {
        let tokens = tokenize(PROGRAM);
        let structure = Structure::of(&tokens).expect("brackets match");
        (0..400)
            .filter_map(|seed| keep(&tokens, &structure, &mut Random::new(seed)))
            .map(|edit| join(&edit.apply(&tokens)))
            .collect()
    }

    #[test]
    fn every_mutation_has_a_place() {
        let all = all();
        let some = |text: &str| all.iter().any(|program| program.contains(text));
        assert!(some("b_renamed > 0"));
        assert!(some("nothing_"));
        assert!(some(
            "{ int i = 0; if (i < 3) { { a = i; } i++; for (; i < 3; i++) { a = i; } } }"
        ));
        assert!(some("int b = 2; int a = 1;"));
        assert!(some("static int outlined_"));
        assert!(some("int wrapped_main(void) {"));
    }
}
