//! Lists and buffers on the heap.

use super::Generator;
use super::scope::{Array, Scope};

const PUSH: &str = "\
static struct node *push(struct node *list, int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  node->tag = (signed char)value;
  node->next = list;
  return node;
}";

const POP: &str = "\
static struct node *pop(struct node *list) {
  struct node *rest = list->next;
  free(list);
  return rest;
}";

const DROP: [&str; 2] = [
    "\
static void drop(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}",
    "\
static void drop(struct node *list) {
  if (!list) return;
  drop(list->next);
  free(list);
}",
];

const SUM: [&str; 2] = [
    "\
static int sum(const struct node *list) {
  int total = 0;
  for (; list; list = list->next)
    total += list->value & 31;
  return total;
}",
    "\
static int sum(const struct node *list) {
  return list ? (list->value & 31) + sum(list->next) : 0;
}",
];

const REVERSE: &str = "\
static struct node *reverse(struct node *list) {
  struct node *done = 0;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}";

const REMOVE: &str = "\
static struct node *without(struct node *list, int value) {
  struct node **link = &list;
  while (*link) {
    struct node *here = *link;
    if (here->value == value) {
      *link = here->next;
      free(here);
    } else {
      link = &here->next;
    }
  }
  return list;
}";

impl Generator {
    /// The functions on lists; what a program does not call, nobody looks at.
    pub fn list_functions(&mut self) {
        let drop = *self.random.of(&DROP);
        let sum = *self.random.of(&SUM);
        for text in [PUSH, POP, drop, sum, REVERSE, REMOVE] {
            for line in text.lines() {
                self.line(line);
            }
        }
    }

    /// Something happens to a list.
    pub fn list_statement(&mut self, scope: &Scope) {
        let list = self.random.of(&scope.lists).clone();
        let tested = match self.forgets() {
            true => String::new(),
            false => format!("if ({list}) "),
        };
        match self.random.below(10) {
            0..=3 => {
                let value = self.expression(scope, 1);
                self.line(&format!("{list} = push({list}, {value});"));
            }
            4 => self.line(&format!("{tested}{list} = pop({list});")),
            5 => self.line(&format!("{list} = reverse({list});")),
            6 => {
                let value = self.expression(scope, 0);
                self.line(&format!("{list} = without({list}, {value});"));
            }
            7 => {
                let value = self.expression(scope, 0);
                self.line(&format!("{tested}{list}->value = {value};"));
            }
            8 => {
                if let Some(target) = self.assignable(scope) {
                    self.line(&format!("{tested}{target} = {list}->value + {list}->tag;"));
                }
            }
            _ => self.walk(scope, &list),
        }
    }

    /// A loop over a list.
    fn walk(&mut self, scope: &Scope, list: &str) {
        let Some(target) = self.assignable(scope) else {
            return;
        };
        let node = self.name("node");
        let walk = format!("struct node *{node} = {list}; {node}; {node} = {node}->next");
        match self.random.below(3) {
            0 => self.line(&format!("for ({walk}) {target} += {node}->tag & 7;")),
            1 => self.line(&format!("{target} = sum({list});")),
            _ => {
                let value = self.expression(scope, 0);
                self.open(&format!("for ({walk}) {{"));
                self.line(&format!("if ({node}->value > {value}) {target} ^= 1;"));
                self.line(&format!("{node}->value = ({node}->value & 63) + 1;"));
                self.close();
            }
        }
    }

    /// Memory of a size that is known, or not; its elements are set.
    pub fn buffer(&mut self, scope: &mut Scope) {
        let (name, counter) = (self.name("buffer"), self.name("i"));
        let length = 1 + self.random.below(4);
        let size = match self.random.chance(40) && !self.forgets() {
            true => length.to_string(),
            false => {
                let more = self.expression(scope, 0);
                format!("(unsigned long)({length} + (({more}) & 3))")
            }
        };
        self.line(&format!("int *{name} = malloc({size} * sizeof *{name});"));
        let value = self.expression(scope, 0);
        let loops = format!("for (int {counter} = 0; {counter} < {length}; {counter}++)");
        self.line(&format!("{loops} {name}[{counter}] = {value} ^ {counter};"));
        scope.buffers.push(name.clone());
        scope.arrays.push(Array { name, length });
    }

    /// Everything on the heap is given back.
    pub fn release(&mut self, scope: &Scope) {
        for buffer in &scope.buffers {
            if !self.forgets() {
                self.line(&format!("free({buffer});"));
            }
            if self.forgets() {
                self.line(&format!("{buffer}[0] = 1;"));
            }
        }
        for list in &scope.lists {
            if !self.forgets() {
                self.line(&format!("drop({list});"));
            }
            if self.forgets() {
                self.line(&format!("if ({list}) {list}->value = 0;"));
            }
        }
    }
}
