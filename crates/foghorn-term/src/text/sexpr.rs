//! S-expressions in a flat arena: no recursion to read one, none to drop one.

use super::ParseError;

pub(super) enum Node<'a> {
    Atom(&'a str),
    /// A name between bars: never an operator.
    Quoted(&'a str),
    List(Vec<usize>),
}

pub(super) struct SExprs<'a> {
    pub nodes: Vec<Node<'a>>,
    pub roots: Vec<usize>,
}

impl<'a> SExprs<'a> {
    pub fn read(text: &'a str) -> Result<Self, ParseError> {
        let mut nodes = Vec::new();
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = match first {
                c if c.is_whitespace() => c.len_utf8(),
                ';' => rest.find('\n').unwrap_or(rest.len()),
                '(' => {
                    open.push(Vec::new());
                    1
                }
                ')' => {
                    let list = open.pop().filter(|_| !open.is_empty());
                    let list = list.ok_or_else(|| ParseError::new("unexpected `)`"))?;
                    Self::add(&mut nodes, &mut open, Node::List(list));
                    1
                }
                '|' => {
                    let end = rest[1..]
                        .find('|')
                        .ok_or_else(|| ParseError::new("`|` is not closed"))?;
                    Self::add(&mut nodes, &mut open, Node::Quoted(&rest[1..=end]));
                    end + 2
                }
                _ => {
                    let stop = |c: char| c.is_whitespace() || "();|".contains(c);
                    let end = rest.find(stop).unwrap_or(rest.len());
                    Self::add(&mut nodes, &mut open, Node::Atom(&rest[..end]));
                    end
                }
            };
            rest = &rest[length..];
        }
        match open.pop() {
            Some(roots) if open.is_empty() => Ok(SExprs { nodes, roots }),
            Some(_) | None => Err(ParseError::new("`(` is not closed")),
        }
    }

    fn add(nodes: &mut Vec<Node<'a>>, open: &mut [Vec<usize>], node: Node<'a>) {
        let id = nodes.len();
        nodes.push(node);
        open.last_mut()
            .expect("invariant: the outermost list is open")
            .push(id);
    }

    /// The atom here, if it is one.
    pub fn atom(&self, id: usize) -> Option<&'a str> {
        match self.nodes[id] {
            Node::Atom(text) => Some(text),
            Node::Quoted(_) | Node::List(_) => None,
        }
    }

    /// The name here, between bars or not.
    pub fn name(&self, id: usize) -> Result<&'a str, ParseError> {
        match self.nodes[id] {
            Node::Atom(text) | Node::Quoted(text) => Ok(text),
            Node::List(_) => Err(ParseError::new("a name is expected, not a list")),
        }
    }

    /// The list here.
    pub fn list(&self, id: usize) -> Result<&[usize], ParseError> {
        match &self.nodes[id] {
            Node::List(items) => Ok(items),
            Node::Atom(text) | Node::Quoted(text) => {
                Err(ParseError::new(format!("a list is expected, not `{text}`")))
            }
        }
    }

    /// The number here.
    pub fn number(&self, id: usize) -> Result<u32, ParseError> {
        let text = self.name(id)?;
        text.parse()
            .map_err(|_| ParseError::new(format!("`{text}` is no number")))
    }
}
