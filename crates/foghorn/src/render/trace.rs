//! A failing run as a person reads it: the lines it went through, with what happened in each.

use super::source::Sources;
use super::style::{Role, Style};
use foghorn_witness::trace::{
    Event, Input, InputSource, Omission, Step, StreamEnd, StreamText, Trace,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The whole run, a block of lines for each stretch of one function.
pub fn trace(trace: &Trace, sources: &mut Sources, style: Style) -> String {
    let mut text = String::new();
    let mut place: Option<(&str, &str, usize)> = None;
    let mut line = None;
    for step in &trace.steps {
        let location = &step.location;
        let here = (&*location.function, &*location.file, step.depth);
        if place != Some(here) {
            let returned = place.is_some_and(|(_, _, depth)| depth > step.depth);
            text += &heading(step, returned, style);
            (place, line) = (Some(here), None);
        }
        if location.line != 0 && line != Some(location.line) {
            let source = sources.line(&location.file, location.line).unwrap_or("");
            // Writing to a string does not fail.
            let _ = writeln!(text, "  {:>5} | {}", location.line, source.trim());
            line = Some(location.line);
        }
        if let Some(what) = happening(step) {
            let _ = writeln!(text, "        |   {}", style.paint(Role::Faint, what));
        }
    }
    let failure = &trace.failure;
    let location = &failure.location;
    if location.line != 0 {
        let source = sources.line(&location.file, location.line).unwrap_or("");
        let what = style.paint(Role::Bad, format!("fails: {}", failure.kind));
        let here = place.is_some_and(|(function, file, _)| {
            function == location.function && file == location.file
        });
        if !here || line != Some(location.line) {
            let _ = writeln!(text, "  {:>5} | {}", location.line, source.trim());
        }
        let _ = writeln!(text, "        |   {what}");
    }
    for stream in &trace.streams {
        text += &read(stream);
    }
    text += &changed_by(trace);
    text
}

/// Which functions without a body the run needs, and how to do without.
fn changed_by(trace: &Trace) -> String {
    let functions: BTreeSet<&str> = trace
        .steps
        .iter()
        .filter_map(|step| match &step.event {
            Event::Change { by, .. } => Some(&**by),
            _other => None,
        })
        .collect();
    let mut text = String::new();
    for function in functions {
        let _ = writeln!(
            text,
            "  {function}() has no body; --external-function '{function}=pure' rules its changes out"
        );
    }
    text
}

/// What the run read from one source.
fn read(stream: &StreamText) -> String {
    let end = match stream.end {
        Some(StreamEnd::End) => ", then its end",
        Some(StreamEnd::Error) => ", then an error",
        None => "",
    };
    format!("  {}: \"{}\"{end}\n", stream.source, stream.text)
}

fn heading(step: &Step, returned: bool, style: Style) -> String {
    let back = if returned { "back in" } else { "in" };
    let function = style.paint(Role::Strong, &step.location.function);
    format!("  {back} {function}, {}\n", step.location.file)
}

/// What a step says beyond its line; `None` if the line itself says it.
fn happening(step: &Step) -> Option<String> {
    Some(match &step.event {
        Event::Start => return None,
        Event::Call { callee } => format!("calls {callee}"),
        Event::Return { callee } => format!("{callee} returns"),
        Event::Assign {
            variable,
            ty,
            value,
        } => format!("{variable} = {}", readable(ty, value)),
        Event::Store { target, ty, value } => format!("{target} = {}", readable(ty, value)),
        Event::Change {
            by,
            target,
            ty,
            value,
        } => format!("{by}() sets {target} = {}", readable(ty, value)),
        Event::Input(input) => asked(input),
        Event::Allocate { object, bytes } => format!("{object} is allocated: {bytes} bytes"),
        Event::Free { object } => format!("{object} is freed"),
        Event::Branch { to_line } => format!("goes to line {to_line}"),
        Event::Iteration { number } => format!("iteration {number}"),
        Event::Omitted { what, count } => match what {
            Omission::Iterations => format!("… {count} more iterations …"),
            Omission::Calls => format!("… {count} more calls …"),
            Omission::Steps => format!("… {count} more steps …"),
        },
    })
}

/// A value that came from outside, and how.
fn asked(input: &Input) -> String {
    let value = readable(&input.ty, &input.value);
    let name = &input.name;
    match input.source {
        InputSource::Input => format!("{name}() returns {value}"),
        InputSource::Stream => format!("{name} gives {}", input.value),
        InputSource::External => format!("{name}, which has no definition, gives {value}"),
        InputSource::Change => format!("{name}, which has no definition, sets {value}"),
        InputSource::Uninitialised => format!("{name} was never written: it holds {value}"),
        InputSource::Undefined => format!("an undefined value is {value}"),
        InputSource::OverApproximated => format!("{name} (not modelled precisely) gives {value}"),
    }
}

/// A byte that is a printable character is also shown as one.
pub fn readable(ty: &str, value: &str) -> String {
    match value.parse::<u8>().map(char::from) {
        Ok(c @ ' '..='~') if ty == "i8" => format!("{value} '{c}'"),
        Ok(_) | Err(_) => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foghorn_core::CheckKind;
    use foghorn_witness::outside::OutsideReport;
    use foghorn_witness::trace::{FailedCheck, Location};

    fn step(line: u32, function: &str, depth: usize, event: Event) -> Step {
        let location = Location {
            file: "/nonexistent/a.c".to_owned(),
            line,
            column: 1,
            function: function.to_owned(),
        };
        Step {
            location,
            depth,
            event,
        }
    }

    #[test]
    fn steps_of_one_line_stand_below_it() {
        let assign = |variable: &str, ty: &str, value: &str| Event::Assign {
            variable: variable.to_owned(),
            ty: ty.to_owned(),
            value: value.to_owned(),
        };
        let callee = "f".to_owned();
        let told = Trace {
            inputs: vec![],
            streams: vec![],
            steps: vec![
                step(3, "main", 1, Event::Start),
                step(4, "main", 1, assign("c", "i8", "65")),
                step(4, "main", 1, assign("n", "i32", "-1")),
                step(5, "main", 1, Event::Call { callee }),
                step(9, "f", 2, assign("x", "i32", "7")),
                step(6, "main", 1, Event::Branch { to_line: 8 }),
            ],
            failure: FailedCheck {
                location: Location::default(),
                kind: CheckKind::Assertion,
                message: String::new(),
                object: None,
                layout: vec![],
                variables: vec![],
                stack: vec![],
            },
            outside: OutsideReport::default(),
        };
        let expected = "  in main, /nonexistent/a.c\n      3 | \n      4 | \n        \
                        |   c = 65 'A'\n        |   n = -1\n      5 | \n        |   calls f\n  \
                        in f, /nonexistent/a.c\n      9 | \n        |   x = 7\n  \
                        back in main, /nonexistent/a.c\n      6 | \n        |   goes to line 8\n";
        assert_eq!(
            trace(&told, &mut Sources::default(), Style::Plain),
            expected
        );
    }
}
