//! Where statements begin, and which brackets belong together.

use super::token::{Kind, Token};

/// What is known of a tokenized file.
#[derive(Clone, Debug)]
pub struct Structure {
    /// The indices of tokens that are neither blanks nor directives.
    pub words: Vec<usize>,
    /// By position in `words`: the position of the bracket that closes or opens this one.
    partner: Vec<Option<usize>>,
    /// By position in `words`: whether it is within the body of a function.
    in_function: Vec<bool>,
    /// By position in `words`: whether another statement may stand before it.
    begins_statement: Vec<bool>,
}

impl Structure {
    /// `None` if brackets do not match.
    pub fn of(tokens: &[Token]) -> Option<Self> {
        let relevant = |kind| !matches!(kind, Kind::Blank | Kind::Directive);
        let words: Vec<usize> = (0..tokens.len())
            .filter(|&index| relevant(tokens[index].kind))
            .collect();
        let text = |position: usize| tokens[words[position]].text.as_str();
        let mut partner = vec![None; words.len()];
        let mut in_function = vec![false; words.len()];
        let mut begins_statement = vec![false; words.len()];
        // Each open bracket, and whether statements stand directly within it.
        let mut open: Vec<(usize, bool)> = vec![];
        for position in 0..words.len() {
            let before = position.checked_sub(1).map(text);
            let statements = open.last().is_some_and(|(_, statements)| *statements);
            in_function[position] = open.iter().any(|(_, statements)| *statements);
            let here = text(position);
            begins_statement[position] = statements
                && matches!(before, Some(";" | "{"))
                && !matches!(here, "else" | "while" | "case" | "default" | "}");
            match here {
                "(" | "[" => open.push((position, false)),
                "{" => {
                    let is_body = open.is_empty() && before == Some(")");
                    let is_block = statements
                        && matches!(before, Some(")" | "else" | "do" | ";" | "{" | "}" | ":"));
                    open.push((position, is_body || is_block));
                }
                ")" | "]" | "}" => {
                    let (begin, _) = open.pop()?;
                    if !matches!((text(begin), here), ("(", ")") | ("[", "]") | ("{", "}")) {
                        return None;
                    }
                    partner[begin] = Some(position);
                    partner[position] = Some(begin);
                }
                _ => {}
            }
        }
        open.is_empty().then_some(Structure {
            words,
            partner,
            in_function,
            begins_statement,
        })
    }

    /// The other bracket.
    pub fn partner(&self, position: usize) -> Option<usize> {
        self.partner.get(position).copied().flatten()
    }

    pub fn is_in_function(&self, position: usize) -> bool {
        self.in_function[position]
    }

    /// The positions before which a statement may be inserted.
    pub fn statements(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len()).filter(|&position| self.begins_statement[position])
    }

    /// The position of the `;` that ends the simple statement which begins here: no braces, no
    /// nested statements.
    pub fn end_of_simple(&self, tokens: &[Token], begin: usize) -> Option<usize> {
        let mut position = begin;
        loop {
            let text = tokens[*self.words.get(position)?].text.as_str();
            match text {
                ";" => return Some(position),
                "{" | "}" | ":" | "?" => return None,
                "(" | "[" => position = self.partner(position)? + 1,
                _ => position += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::tokenize;
    use super::*;

    #[test]
    fn statements_begin_within_functions_only() {
        let text = "struct s { int a; int b; }; int t[] = {1, 2};\n\
                    int f(int n) { int x = 1; for (int i = 0; i < n; i++) x++; if (x) n = 1; else n = 2; do n--; while (n); return x; }";
        let tokens = tokenize(text);
        let structure = Structure::of(&tokens).expect("brackets match");
        let begins: Vec<&str> = structure
            .statements()
            .map(|position| tokens[structure.words[position]].text.as_str())
            .collect();
        assert_eq!(begins, ["int", "for", "if", "do", "return"]);
    }

    #[test]
    fn brackets_that_do_not_match_are_refused() {
        for text in ["int f(void) { return (1; }", "}", "int f(void) {"] {
            assert!(Structure::of(&tokenize(text)).is_none(), "{text}");
        }
    }
}
