//! An engine process that communicates in lines, the base of all engine protocols.
//!
//! The process can neither block us nor exhaust our memory: one thread reads its output into a short
//! queue, another writes our commands, long lines and floods are faults, and in every case the process
//! is killed and waited for. After a fault it is gone; [`EngineProcess::start`] starts it again.

use super::{program::Program, system};
use ludus_core::{Fault, PlayerError, TextError};
use std::{
    collections::VecDeque,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::Child,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// Longest line an engine may write, in bytes.
const MAX_LINE_BYTES: usize = 64 << 10;
/// Size of the queue of lines to be read; when it is full the engine has to wait.
const MAX_QUEUED_LINES: usize = 256;
/// Limits of one answer, and their growth with every second the engine takes.
const MAX_ANSWER_LINES: u64 = 100_000;
const MAX_ANSWER_LINES_PER_SECOND: u64 = 5_000;
const MAX_ANSWER_BYTES: u64 = 16 << 20;
const MAX_ANSWER_BYTES_PER_SECOND: u64 = 1 << 20;
/// Last lines of the engine quoted in the message of a fault, and characters of each.
const QUOTED_LINES: usize = 6;
const QUOTED_LINE_CHARACTERS: usize = 160;
/// Time an engine has to exit after `quit`.
const QUIT_GRACE: Duration = Duration::from_millis(500);
/// Time to wait for a dying process to exit and for the rest of its output: this long only on a very
/// busy machine, or if another process holds its outputs open.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);
/// Interval at which a waiting reader checks the stop flag.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Last round trips kept, of which the shortest counts.
const KEPT_ROUND_TRIPS: usize = 8;
/// Longest round trip that is credited: an engine must not hide its thinking time in it.
const MAX_ROUND_TRIP: Duration = Duration::from_millis(50);
/// Largest growth of a log in one run of an engine.
const MAX_LOG_BYTES: usize = 64 << 20;

/// An engine process that can be started again.
pub struct EngineProcess {
    program: Program,
    running: Option<Running>,
}

/// A running process, its threads and its last output.
struct Running {
    child: Child,
    commands: Option<Sender<Sent>>,
    /// The time the last line was sent.
    last_send_time: SendTime,
    /// The time the last line read arrived.
    arrival: Instant,
    /// Round trips of the last commands that need no thinking.
    round_trips: VecDeque<Duration>,
    output: Receiver<Output>,
    /// Dropped when the process is gone: until then the thread that started it must live.
    _starter_guard: Sender<()>,
    last_lines: VecDeque<String>,
    last_errors: LastErrors,
    /// Disconnects when all errors have been read.
    errors_end: Receiver<()>,
    log: Option<Log>,
    answer: AnswerSize,
    ended: bool,
}

enum Output {
    Line(String, Instant),
    TooLong,
}

/// A line on its way to the engine.
struct Sent {
    line: String,
    send_time: SendTime,
}

/// The time a line was sent: when it was written, or queued if it never was.
#[derive(Clone)]
pub struct SendTime {
    queued: Instant,
    written: Arc<OnceLock<Instant>>,
}

impl SendTime {
    fn now() -> SendTime {
        SendTime { queued: Instant::now(), written: Arc::default() }
    }

    fn instant(&self) -> Instant {
        self.written.get().copied().unwrap_or(self.queued)
    }
}

/// The amount of output since the last command.
struct AnswerSize {
    started: Instant,
    lines: u64,
    bytes: u64,
}

impl AnswerSize {
    fn new() -> AnswerSize {
        AnswerSize { started: Instant::now(), lines: 0, bytes: 0 }
    }

    /// Counts a line; false if the answer has become a flood.
    fn count(&mut self, line: &str) -> bool {
        self.lines += 1;
        self.bytes += line.len() as u64;
        let seconds = self.started.elapsed().as_secs();
        self.lines <= MAX_ANSWER_LINES + seconds * MAX_ANSWER_LINES_PER_SECOND
            && self.bytes <= MAX_ANSWER_BYTES + seconds * MAX_ANSWER_BYTES_PER_SECOND
    }
}

impl EngineProcess {
    /// An engine that is not running yet.
    pub fn new(program: Program) -> EngineProcess {
        EngineProcess { program, running: None }
    }

    /// Its command line.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Whether it was started and not stopped. The process may have exited since; the next read reports it.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The process id, if it is running.
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    /// Starts the process unless it is running.
    pub fn start(&mut self) -> Result<(), PlayerError> {
        if self.running.is_some() {
            return Ok(());
        }
        let log = match &self.program.log {
            Some(path) => Some(Log::open(path)?),
            None => None,
        };
        let running = Running::spawn(self.program.clone(), log).map_err(|error| {
            let expected = format!("a program that can be run ({error})");
            TextError::whole("engine path", &self.program.path, expected)
        })?;
        self.running = Some(running);
        Ok(())
    }

    /// Sends `quit`, which all protocols have, and makes sure the process is gone.
    pub fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.send("quit".to_owned());
        }
        self.running = None;
    }

    /// Sends one line that starts a new answer: unread output is dropped, and the size of the answer is
    /// counted from zero again.
    pub fn ask(&mut self, line: &str) -> Result<(), PlayerError> {
        if let Some(running) = &mut self.running {
            running.answer = AnswerSize::new();
            // At most one queue: an engine that never stops writing must not hold us here.
            for _ in 0..MAX_QUEUED_LINES {
                let Ok(Output::Line(line, _)) = running.output.try_recv() else { break };
                running.log_output(&line);
            }
        }
        self.send(line)
    }

    /// Sends one line without waiting: lines the engine does not read stay in our queue.
    pub fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        let line = line.replace(['\n', '\r'], " ");
        match &mut self.running {
            Some(running) => {
                running.send(line);
                Ok(())
            }
            None => Err(self.fault(Fault::Crash, "it is not running")),
        }
    }

    /// The time the last line was sent.
    pub fn last_send_time(&self) -> SendTime {
        self.running.as_ref().map_or_else(SendTime::now, |running| running.last_send_time.clone())
    }

    /// Records a round trip: the last line read answers a command sent at `sent` that needs no thinking.
    pub fn record_round_trip(&mut self, sent: &SendTime) {
        if let Some(running) = &mut self.running {
            if running.round_trips.len() == KEPT_ROUND_TRIPS {
                running.round_trips.pop_front();
            }
            let taken = running.arrival.saturating_duration_since(sent.instant());
            running.round_trips.push_back(taken.min(MAX_ROUND_TRIP));
        }
    }

    /// The time charged to the engine if the last line read answers a command sent at `sent`: the time
    /// taken less the shortest of the last round trips.
    pub fn charged_time(&self, sent: &SendTime) -> Duration {
        let Some(running) = &self.running else { return sent.instant().elapsed() };
        let round_trip = running.round_trips.iter().min().copied().unwrap_or_default();
        let taken = running.arrival.saturating_duration_since(sent.instant());
        taken.saturating_sub(round_trip)
    }

    /// The next line without its line break, or the fault if none comes before `deadline`.
    pub fn read_line(&mut self, deadline: Option<Instant>) -> Result<String, PlayerError> {
        let never = AtomicBool::new(false);
        let line = self.read_line_unless(deadline, &never)?;
        Ok(line.expect("only the stop flag returns no line"))
    }

    /// The next line, or `None` as soon as `stop` is set.
    pub fn read_line_unless(
        &mut self,
        deadline: Option<Instant>,
        stop: &AtomicBool,
    ) -> Result<Option<String>, PlayerError> {
        loop {
            let Some(running) = &mut self.running else {
                return Err(self.fault(Fault::Crash, "it is not running"));
            };
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            match running.output.recv_timeout(left.unwrap_or(POLL_INTERVAL).min(POLL_INTERVAL)) {
                Ok(Output::Line(line, arrival)) => {
                    running.log_output(&line);
                    running.arrival = arrival;
                    if running.answer.count(&line) {
                        return Ok(Some(line));
                    }
                    let AnswerSize { lines, bytes, started } = &running.answer;
                    let seconds = started.elapsed().as_secs_f64();
                    let what = format!("it wrote {lines} lines, {bytes} bytes in {seconds:.1} s");
                    return Err(self.fault(Fault::Flood, &what));
                }
                Ok(Output::TooLong) => {
                    let what = format!("it wrote a line of more than {MAX_LINE_BYTES} bytes");
                    return Err(self.fault(Fault::Flood, &what));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let what = running.exit_message();
                    return Err(self.fault(Fault::Crash, &what));
                }
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    let waited = running.answer.started.elapsed().as_secs_f64();
                    let what = format!("it did not answer within {waited:.1} s");
                    return Err(self.fault(Fault::Hang, &what));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the process and returns the fault: `what` happened, and the engine's last output.
    pub fn fault(&mut self, fault: Fault, what: &str) -> PlayerError {
        let mut detail = format!("{}: {what}", self.program.name());
        if let Some(mut running) = self.running.take() {
            running.end(Duration::ZERO);
            let quote = |lines: &VecDeque<String>| {
                let quoted: Vec<String> = lines.iter().map(|line| format!("{line:?}")).collect();
                quoted.join(", ")
            };
            if !running.last_lines.is_empty() {
                detail += &format!("; its last lines: {}", quote(&running.last_lines));
            }
            // The last errors may not be read yet; another process may hold the pipe open forever.
            let _ = running.errors_end.recv_timeout(EXIT_TIMEOUT);
            let errors = running.last_errors.lock();
            if !errors.is_empty() {
                detail += &format!("; its last errors: {}", quote(&errors));
            }
        }
        PlayerError::Fault(fault, detail)
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    /// Starts the process and its threads.
    fn spawn(program: Program, log: Option<Log>) -> io::Result<Running> {
        let (started, start) = mpsc::channel();
        let (lines, output) = mpsc::sync_channel(MAX_QUEUED_LINES);
        let (starter_guard, released) = mpsc::channel();
        // The child dies with the thread that started it, so that thread lives as long as the child.
        thread::Builder::new().name("engine output".to_owned()).spawn(move || {
            let mut child = program.command().spawn();
            let stdout = child.as_mut().ok().and_then(|child| child.stdout.take());
            if started.send(child).is_ok()
                && let Some(stdout) = stdout
            {
                forward_output(stdout, &lines);
                drop(lines);
                let _: Result<(), _> = released.recv();
            }
        })?;
        let no_thread = |_| io::Error::other("the thread that starts it ended");
        let mut child = start.recv().map_err(no_thread)??;
        let errors = LastErrors::default();
        let (errors_reader, errors_end) = mpsc::channel();
        let (commands, queue) = mpsc::channel();
        let threads = (|| {
            if let Some(mut stdin) = child.stdin.take() {
                let write = move || write_commands(&mut stdin, &queue);
                thread::Builder::new().name("engine input".to_owned()).spawn(write)?;
            }
            if let Some(stderr) = child.stderr.take() {
                let (errors, log) = (errors.clone(), log.clone());
                let collect = move || {
                    collect_errors(stderr, &errors, log.as_ref());
                    drop(errors_reader);
                };
                thread::Builder::new().name("engine errors".to_owned()).spawn(collect)?;
            }
            Ok(())
        })();
        let running = Running {
            child,
            commands: Some(commands),
            last_send_time: SendTime::now(),
            arrival: Instant::now(),
            round_trips: VecDeque::new(),
            output,
            _starter_guard: starter_guard,
            last_lines: VecDeque::new(),
            last_errors: errors,
            errors_end,
            log,
            answer: AnswerSize::new(),
            ended: false,
        };
        threads.map(|()| running)
    }

    fn send(&mut self, line: String) {
        if let Some(log) = &self.log {
            log.write("> ", &line);
        }
        self.last_send_time = SendTime::now();
        if let Some(commands) = &self.commands {
            // If the engine is gone so is the writer; the next read reports it.
            let _ = commands.send(Sent { line, send_time: self.last_send_time.clone() });
        }
    }

    fn log_output(&mut self, line: &str) {
        if let Some(log) = &self.log {
            log.write("< ", line);
        }
        remember(&mut self.last_lines, line);
    }

    /// The message about a process whose output has ended.
    fn exit_message(&mut self) -> String {
        match self.wait(EXIT_TIMEOUT) {
            Some(status) if status.success() => "it ended".to_owned(),
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        }
    }

    /// Waits up to `timeout` for the process to exit, while its output is read and dropped.
    fn wait(&mut self, timeout: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            if let Err(RecvTimeoutError::Disconnected) =
                self.output.recv_timeout(left.min(Duration::from_millis(2)))
            {
                thread::sleep(left.min(Duration::from_millis(2)));
            }
        }
    }

    /// Ends the process, which has `grace` to exit by itself before it is killed.
    fn end(&mut self, grace: Duration) {
        // Only once: its process id may be reused by then.
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.commands = None;
        self.wait(grace);
        system::kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end(QUIT_GRACE);
    }
}

/// Forwards the engine's output until it ends, has a line that is too long, or the receiver is gone.
fn forward_output(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let output = match bounded_line(&mut reader) {
            Ok(Some((line, LineRead::Complete))) => Output::Line(line, Instant::now()),
            Ok(Some((_, LineRead::Cut))) => Output::TooLong,
            Ok(None) | Err(_) => return,
        };
        let last = matches!(output, Output::TooLong);
        if lines.send(output).is_err() || last {
            return;
        }
    }
}

fn write_commands(stdin: &mut impl Write, queue: &Receiver<Sent>) {
    for Sent { line, send_time } in queue {
        // Before the write, because the engine may start before the write returns.
        let _ = send_time.written.set(Instant::now());
        if stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn collect_errors(stderr: impl Read, errors: &LastErrors, log: Option<&Log>) {
    let mut reader = BufReader::new(stderr);
    while let Ok(Some((line, _))) = bounded_line(&mut reader) {
        if let Some(log) = log {
            log.write("! ", &line);
        }
        remember(&mut errors.lock(), &line);
    }
}

/// Whether a line was read to its end.
#[derive(PartialEq, Eq)]
enum LineRead {
    Complete,
    Cut,
}

/// The next line without its line break, cut at [`MAX_LINE_BYTES`] bytes; `None` at the end.
fn bounded_line(reader: &mut impl BufRead) -> io::Result<Option<(String, LineRead)>> {
    let mut bytes = Vec::new();
    reader.take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let whole = if bytes.len() > MAX_LINE_BYTES && !bytes.ends_with(b"\n") {
        LineRead::Cut
    } else {
        LineRead::Complete
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some((text.trim_end_matches(['\n', '\r']).to_owned(), whole)))
}

/// Keeps `line` among the last lines, and drops the oldest beyond [`QUOTED_LINES`].
fn remember(last: &mut VecDeque<String>, line: &str) {
    if line.trim().is_empty() {
        return;
    }
    if last.len() == QUOTED_LINES {
        last.pop_front();
    }
    last.push_back(line.chars().take(QUOTED_LINE_CHARACTERS).collect());
}

/// The last lines of stderr, shared with the thread that reads it.
#[derive(Clone, Default)]
struct LastErrors(Arc<Mutex<VecDeque<String>>>);

impl LastErrors {
    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file to which all input, output and errors are appended.
#[derive(Clone)]
struct Log(Arc<Mutex<(File, usize)>>);

impl Log {
    fn open(path: &Path) -> Result<Log, TextError> {
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(|error| {
            let expected = format!("a file that can be written ({error})");
            TextError::whole("engine log", &path.to_string_lossy(), expected)
        })?;
        Ok(Log(Arc::new(Mutex::new((file, 0)))))
    }

    /// Appends a line. A log that cannot be written must not stop the game.
    fn write(&self, mark: &str, line: &str) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, written) = &mut *log;
        if *written > MAX_LOG_BYTES {
            return;
        }
        let text = format!("{mark}{line}\n");
        *written += text.len();
        let _ = file.write_all(text.as_bytes());
        if *written > MAX_LOG_BYTES {
            let _ = file.write_all(b"! the log is full\n");
        }
    }
}
