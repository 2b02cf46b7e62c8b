//! A child process that talks in lines: what every engine protocol stands on.
//!
//! Nothing the child does can block or fill us: its output is read by a thread into a short queue,
//! our commands are written by another, long lines and floods are faults, and whatever happens the
//! child is killed and waited for. After a fault the process is gone; [`Engine::start`] starts it
//! again.

use super::system;
use crate::identity::{Hash, UNKNOWN_BUILD};
use ludus_core::{Fault, PlayerError, TextError};
use std::{
    collections::VecDeque,
    env,
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender},
    },
    thread,
    time::{Duration, Instant},
};

/// The longest line an engine may write, in bytes.
const MAX_LINE: usize = 64 << 10;
/// Lines waiting to be read; beyond that the engine waits for us.
const QUEUED_LINES: usize = 256;
/// What an engine may write in one answer at once, and how much more for every second it thinks.
const ANSWER_LINES: u64 = 100_000;
const ANSWER_LINES_PER_SECOND: u64 = 5_000;
const ANSWER_BYTES: u64 = 16 << 20;
const ANSWER_BYTES_PER_SECOND: u64 = 1 << 20;
/// How many of its last lines a report on a fault repeats, and how much of each.
const LAST_LINES: usize = 6;
const LAST_LINE_CHARACTERS: usize = 160;
/// How long an engine may take to leave after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long a dying one may take to be gone, and its last words to come: so long only on a machine that is very busy, or if
/// somebody else holds its outputs open.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How often a waiting reader looks at the stop flag.
const GLANCE: Duration = Duration::from_millis(10);
/// How many of the last round trips count when the shortest is looked for.
const ROUND_TRIPS: usize = 8;
/// The longest round trip that is believed: an engine must not hide its thinking behind it.
const MAX_ROUND_TRIP: Duration = Duration::from_millis(50);
/// A log does not grow beyond this in one run of an engine.
const MAX_LOG: usize = 64 << 20;
/// Where Debian puts engines; not on everybody's path.
const GAMES_FOLDER: &str = "/usr/games";

/// How to start an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program: a path, or a name to be found on the search path.
    pub path: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where to append what is said both ways and on stderr.
    pub log: Option<PathBuf>,
}

impl Program {
    /// The program at `path` with `arguments` split at spaces; an empty `log` means none.
    pub fn new(path: &str, arguments: &str, log: &str) -> Program {
        Program {
            path: path.to_owned(),
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            log: (!log.is_empty()).then(|| PathBuf::from(log)),
        }
    }

    /// The last part of the path, for messages.
    pub fn name(&self) -> &str {
        Path::new(&self.path).file_name().and_then(|name| name.to_str()).unwrap_or(&self.path)
    }

    /// The name and hash of an engine: of its program, its arguments and the name it gives itself.
    /// Files among the arguments and `settings` count by their content, because of scripts and
    /// networks.
    pub fn build(&self, name: &str, settings: &str) -> String {
        let mut hash = Hash::new();
        let hashed = find_program(&self.path).and_then(|program| hash.file(&program).ok());
        if hashed.is_none() {
            return format!("{name} {UNKNOWN_BUILD}");
        }
        hash.text(name);
        let words = settings.split([';', '=']).map(str::trim);
        for word in self.arguments.iter().map(String::as_str).chain(words) {
            hash.text(word);
            let file = Path::new(word);
            if file.is_file() && hash.file(file).is_err() {
                return format!("{name} {UNKNOWN_BUILD}");
            }
        }
        format!("{name} {}", hash.digits())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(locate(&self.path));
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::tie_to_this_thread(&mut command);
        command
    }
}

/// `path`, or the program of that name among Debian's games if the search path has none.
fn locate(path: &str) -> PathBuf {
    let folders = env::var_os("PATH").unwrap_or_default();
    let bare = !path.contains(std::path::is_separator);
    let beside = Path::new(GAMES_FOLDER).join(path);
    if bare && beside.is_file() && !env::split_paths(&folders).any(|f| f.join(path).is_file()) {
        return beside;
    }
    PathBuf::from(path)
}

/// The file that is run for `path`.
fn find_program(path: &str) -> Option<PathBuf> {
    let located = locate(path);
    if located.components().count() > 1 {
        return located.is_file().then_some(located);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(path)).find(|file| file.is_file())
}

/// An engine that remembers how to start itself.
pub struct Engine {
    program: Program,
    running: Option<Running>,
}

/// A child process, its threads, and what it said last.
struct Running {
    child: Child,
    commands: Option<Sender<Sent>>,
    /// When the last line sent left us.
    departure: Departure,
    /// When the last line read arrived.
    arrival: Instant,
    /// How long the last questions took that need no thought.
    round_trips: VecDeque<Duration>,
    output: Receiver<Output>,
    /// Dropped when the child is gone: until then the thread that started it must live.
    _keeper: Sender<()>,
    heard: VecDeque<String>,
    errors: LastErrors,
    /// Hangs up when all errors have been read.
    errors_end: Receiver<()>,
    log: Option<Log>,
    answer: Answer,
    ended: bool,
}

enum Output {
    Line(String, Instant),
    TooLong,
}

/// A line on its way to the engine.
struct Sent {
    line: String,
    departure: Departure,
}

/// When a line left us: when it was written, or if it never was, when it was to be.
#[derive(Clone)]
pub struct Departure {
    queued: Instant,
    written: Arc<OnceLock<Instant>>,
}

impl Departure {
    fn now() -> Departure {
        Departure { queued: Instant::now(), written: Arc::default() }
    }

    fn instant(&self) -> Instant {
        self.written.get().copied().unwrap_or(self.queued)
    }
}

/// How much came since the last question.
struct Answer {
    started: Instant,
    lines: u64,
    bytes: u64,
}

impl Answer {
    fn new() -> Answer {
        Answer { started: Instant::now(), lines: 0, bytes: 0 }
    }

    /// Counts a line; whether that is still an answer and not a flood.
    fn admit(&mut self, line: &str) -> bool {
        self.lines += 1;
        self.bytes += line.len() as u64;
        let seconds = self.started.elapsed().as_secs();
        self.lines <= ANSWER_LINES + seconds * ANSWER_LINES_PER_SECOND
            && self.bytes <= ANSWER_BYTES + seconds * ANSWER_BYTES_PER_SECOND
    }
}

impl Engine {
    /// An engine that is not running yet.
    pub fn new(program: Program) -> Engine {
        Engine { program, running: None }
    }

    /// How it is started.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Whether there is a process. It may have ended by itself; the next exchange will tell.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The number of the process, if there is one.
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

    /// Says goodbye (`quit`, in every protocol we speak), then makes sure that it is gone.
    pub fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.send("quit".to_owned());
        }
        self.running = None;
    }

    /// Sends one line. What was heard before and not read is dropped, and the count of what one
    /// answer may hold starts anew.
    pub fn ask(&mut self, line: &str) -> Result<(), PlayerError> {
        if let Some(running) = &mut self.running {
            running.answer = Answer::new();
            // At most one queue's worth: an engine that never stops talking must not hold us here.
            for _ in 0..QUEUED_LINES {
                let Ok(Output::Line(line, _)) = running.output.try_recv() else { break };
                running.note(&line);
            }
        }
        self.send(line)
    }

    /// Sends one line. It never waits: what an engine does not read stays in a queue of ours.
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

    /// When the last line sent left us.
    pub fn departure(&self) -> Departure {
        self.running.as_ref().map_or_else(Departure::now, |running| running.departure.clone())
    }

    /// Takes the last line read as the answer to the question sent at `departure`, which needs no
    /// thought: what it took is the way there and back.
    pub fn note_round_trip(&mut self, departure: &Departure) {
        if let Some(running) = &mut self.running {
            if running.round_trips.len() == ROUND_TRIPS {
                running.round_trips.pop_front();
            }
            let taken = running.arrival.saturating_duration_since(departure.instant());
            running.round_trips.push_back(taken.min(MAX_ROUND_TRIP));
        }
    }

    /// The time the engine is charged if the last line read answers what was sent at `departure`:
    /// without the way there and back, which is the shortest of the last round trips.
    pub fn charge(&self, departure: &Departure) -> Duration {
        let Some(running) = &self.running else { return departure.instant().elapsed() };
        let way = running.round_trips.iter().min().copied().unwrap_or_default();
        let taken = running.arrival.saturating_duration_since(departure.instant());
        taken.saturating_sub(way)
    }

    /// The next line without its line break, or what kept it from coming before `deadline`.
    pub fn read_line(&mut self, deadline: Option<Instant>) -> Result<String, PlayerError> {
        let never = AtomicBool::new(false);
        let line = self.read_line_unless(deadline, &never)?;
        Ok(line.expect("only the flag makes it come back without a line"))
    }

    /// The next line, or `None` as soon as `stop` is raised.
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
            match running.output.recv_timeout(left.unwrap_or(GLANCE).min(GLANCE)) {
                Ok(Output::Line(line, arrival)) => {
                    running.note(&line);
                    running.arrival = arrival;
                    if running.answer.admit(&line) {
                        return Ok(Some(line));
                    }
                    let Answer { lines, bytes, started } = &running.answer;
                    let seconds = started.elapsed().as_secs_f64();
                    let what = format!("it wrote {lines} lines, {bytes} bytes in {seconds:.1} s");
                    return Err(self.fault(Fault::Flood, &what));
                }
                Ok(Output::TooLong) => {
                    let what = format!("it wrote a line of more than {MAX_LINE} bytes");
                    return Err(self.fault(Fault::Flood, &what));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let what = running.last_words();
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

    /// Ends the process and says why: `what` happened and what the engine said last.
    pub fn fault(&mut self, fault: Fault, what: &str) -> PlayerError {
        let mut detail = format!("{}: {what}", self.program.name());
        if let Some(mut running) = self.running.take() {
            running.end(Duration::ZERO);
            let quote = |lines: &VecDeque<String>| {
                let quoted: Vec<String> = lines.iter().map(|line| format!("{line:?}")).collect();
                quoted.join(", ")
            };
            if !running.heard.is_empty() {
                detail += &format!("; its last lines: {}", quote(&running.heard));
            }
            // What it wrote last may still be on its way, but who holds its end may never let go.
            let _ = running.errors_end.recv_timeout(LAST_WORDS);
            let errors = running.errors.lock();
            if !errors.is_empty() {
                detail += &format!("; its last errors: {}", quote(&errors));
            }
        }
        PlayerError::Fault(fault, detail)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Running {
    /// Starts the process and the threads that talk with it.
    fn spawn(program: Program, log: Option<Log>) -> io::Result<Running> {
        let (started, start) = mpsc::channel();
        let (lines, output) = mpsc::sync_channel(QUEUED_LINES);
        let (keeper, released) = mpsc::channel();
        // The child dies with the thread that started it, so that thread stays until it is gone.
        thread::Builder::new().name("engine output".to_owned()).spawn(move || {
            let mut child = program.command().spawn();
            let stdout = child.as_mut().ok().and_then(|child| child.stdout.take());
            if started.send(child).is_ok()
                && let Some(stdout) = stdout
            {
                pass_on(stdout, &lines);
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
                let keep = move || {
                    keep_errors(stderr, &errors, log.as_ref());
                    drop(errors_reader);
                };
                thread::Builder::new().name("engine errors".to_owned()).spawn(keep)?;
            }
            Ok(())
        })();
        let running = Running {
            child,
            commands: Some(commands),
            departure: Departure::now(),
            arrival: Instant::now(),
            round_trips: VecDeque::new(),
            output,
            _keeper: keeper,
            heard: VecDeque::new(),
            errors,
            errors_end,
            log,
            answer: Answer::new(),
            ended: false,
        };
        threads.map(|()| running)
    }

    fn send(&mut self, line: String) {
        if let Some(log) = &self.log {
            log.write("> ", &line);
        }
        self.departure = Departure::now();
        if let Some(commands) = &self.commands {
            // The writer has gone if the engine has; reading then says so.
            let _ = commands.send(Sent { line, departure: self.departure.clone() });
        }
    }

    fn note(&mut self, line: &str) {
        if let Some(log) = &self.log {
            log.write("< ", line);
        }
        remember(&mut self.heard, line);
    }

    /// How a process whose output has ended came to its end.
    fn last_words(&mut self) -> String {
        match self.wait(LAST_WORDS) {
            Some(status) if status.success() => "it ended".to_owned(),
            Some(status) => format!("it ended with {status}"),
            None => "it closed its output".to_owned(),
        }
    }

    /// Waits for the end of the process while its output is read and thrown away.
    fn wait(&mut self, patience: Duration) -> Option<std::process::ExitStatus> {
        let deadline = Instant::now() + patience;
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

    /// Ends the process: by itself within `patience`, or else by force. Afterwards it is gone.
    fn end(&mut self, patience: Duration) {
        // Only once: its number may belong to somebody else by then.
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        self.commands = None;
        self.wait(patience);
        system::kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end(FAREWELL);
    }
}

/// Reads the engine's output until it ends, writes a line too long, or nobody listens any more.
fn pass_on(stdout: impl Read, lines: &SyncSender<Output>) {
    let mut reader = BufReader::new(stdout);
    loop {
        let output = match bounded_line(&mut reader) {
            Ok(Some((line, Whole::Yes))) => Output::Line(line, Instant::now()),
            Ok(Some((_, Whole::No))) => Output::TooLong,
            Ok(None) | Err(_) => return,
        };
        let last = matches!(output, Output::TooLong);
        if lines.send(output).is_err() || last {
            return;
        }
    }
}

fn write_commands(stdin: &mut impl Write, queue: &Receiver<Sent>) {
    for Sent { line, departure } in queue {
        // Before it is written, for the engine may be at work before we are back.
        let _ = departure.written.set(Instant::now());
        if stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn keep_errors(stderr: impl Read, errors: &LastErrors, log: Option<&Log>) {
    let mut reader = BufReader::new(stderr);
    while let Ok(Some((line, _))) = bounded_line(&mut reader) {
        if let Some(log) = log {
            log.write("! ", &line);
        }
        remember(&mut errors.lock(), &line);
    }
}

/// Whether a line ended where it was cut.
#[derive(PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

/// The next line without its line break, cut at [`MAX_LINE`] bytes; `None` at the end.
fn bounded_line(reader: &mut impl BufRead) -> io::Result<Option<(String, Whole)>> {
    let mut bytes = Vec::new();
    reader.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let whole =
        if bytes.len() > MAX_LINE && !bytes.ends_with(b"\n") { Whole::No } else { Whole::Yes };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some((text.trim_end_matches(['\n', '\r']).to_owned(), whole)))
}

/// Keeps `line`, and forgets the oldest when there are enough.
fn remember(last: &mut VecDeque<String>, line: &str) {
    if line.trim().is_empty() {
        return;
    }
    if last.len() == LAST_LINES {
        last.pop_front();
    }
    last.push_back(line.chars().take(LAST_LINE_CHARACTERS).collect());
}

/// The last lines of stderr, shared with the thread that reads it.
#[derive(Clone, Default)]
struct LastErrors(Arc<Mutex<VecDeque<String>>>);

impl LastErrors {
    fn lock(&self) -> std::sync::MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that everything said is appended to.
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
        if *written > MAX_LOG {
            return;
        }
        let text = format!("{mark}{line}\n");
        *written += text.len();
        let _ = file.write_all(text.as_bytes());
        if *written > MAX_LOG {
            let _ = file.write_all(b"! the log is full\n");
        }
    }
}
