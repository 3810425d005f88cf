//! The line that moves while an engine works; only on a terminal.

use foghorn_engine::Progress;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line is drawn again at most.
const INTERVAL: Duration = Duration::from_millis(100);

/// One line of a terminal that is drawn over and over.
pub struct ProgressLine<W: Write> {
    out: W,
    shown: bool,
    started: Instant,
    /// When it was last drawn; `None` before the first time.
    drawn: Option<Instant>,
}

impl ProgressLine<std::io::Stderr> {
    /// On standard error, and only if somebody looks at it.
    pub fn on_stderr() -> Self {
        let stderr = std::io::stderr();
        let shown = stderr.is_terminal();
        ProgressLine::new(stderr, shown)
    }
}

impl<W: Write> ProgressLine<W> {
    pub fn new(out: W, shown: bool) -> Self {
        ProgressLine {
            out,
            shown,
            started: Instant::now(),
            drawn: None,
        }
    }

    /// Shows where the engine is; news that come too fast are passed over.
    pub fn update(&mut self, progress: &Progress) {
        let early = self.drawn.is_some_and(|at| at.elapsed() < INTERVAL);
        if !self.shown || early {
            return;
        }
        self.drawn = Some(Instant::now());
        let text = line(progress, self.started.elapsed());
        // A terminal that does not take it shows nothing, and that is all.
        let _ = write!(self.out, "\r\x1b[2K{text}").and_then(|()| self.out.flush());
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.shown && self.drawn.take().is_some() {
            let _ = write!(self.out, "\r\x1b[2K").and_then(|()| self.out.flush());
        }
    }
}

impl<W: Write> Drop for ProgressLine<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let mut text = format!("{:.1} s  {}", elapsed.as_secs_f64(), progress.phase);
    if let Some(bound) = progress.bound {
        text += &format!(", bound {bound}");
    }
    match progress.open_checks {
        Some(1) => text += ", 1 check open",
        Some(count) => text += &format!(", {count} checks open"),
        None => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(shown: bool) -> String {
        let mut out = vec![];
        let mut display = ProgressLine::new(&mut out, shown);
        let progress = Progress {
            phase: "solving".to_owned(),
            bound: Some(4),
            open_checks: Some(2),
        };
        display.update(&progress);
        display.update(&progress);
        drop(display);
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn drawn_at_most_so_often_and_taken_away() {
        let text = drawn(true);
        assert_eq!(
            text,
            "\r\x1b[2K0.0 s  solving, bound 4, 2 checks open\r\x1b[2K"
        );
    }

    #[test]
    fn nothing_without_a_terminal() {
        assert_eq!(drawn(false), "");
    }
}
