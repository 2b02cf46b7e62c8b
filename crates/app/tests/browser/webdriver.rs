//! WebDriver client for Chromium: JSON over plain HTTP on loopback.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

/// Maximum time to wait for anything; no page is that slow, even on a busy machine.
const MAX_WAIT: Duration = Duration::from_secs(600);
/// Interval between two checks of a condition.
const POLL_INTERVAL: Duration = Duration::from_millis(30);
/// Time from one point of a drag to the next.
const DRAG_STEP_MS: u64 = 20;

/// A chromedriver process, which ends when the value is dropped.
pub struct Driver {
    child: Child,
    port: u16,
    /// Kept open: the process may end when its output is closed.
    _output: BufReader<ChildStdout>,
}

impl Driver {
    /// The process shared by all tests that are running.
    pub fn shared() -> Arc<Driver> {
        static RUNNING: Mutex<Weak<Driver>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let driver = running.upgrade().unwrap_or_else(|| Arc::new(Driver::start()));
        *running = Arc::downgrade(&driver);
        driver
    }

    fn start() -> Driver {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let port = announced_port(&mut output);
        Driver { child, port, _output: output }
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.send(method, path, body).map_err(|error| error.to_string())?;
        let document: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        match &document["value"]["error"] {
            Value::Null => Ok(document["value"].clone()),
            error => Err(format!("{error}: {}", document["value"]["message"])),
        }
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> std::io::Result<String> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(MAX_WAIT))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        read_body(stream)
    }

    /// Opens a browser window of this size.
    pub fn open(&self, (width, height): (u32, u32)) -> Browser<'_> {
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--hide-scrollbars",
            "--force-device-scale-factor=1",
            &format!("--window-size={width},{height}"),
        ];
        let capabilities = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "goog:loggingPrefs": { "browser": "ALL" },
            "timeouts": { "script": MAX_WAIT.as_millis() as u64, "pageLoad": MAX_WAIT.as_millis() as u64 },
        } } });
        let session = self.call("POST", "/session", &capabilities).expect("a browser starts");
        let id = session["sessionId"].as_str().expect("a session has an id").to_owned();
        let browser = Browser { driver: self, id };
        browser.resize((width, height));
        browser
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// An element of the page, as a JavaScript expression that finds it.
pub struct Locator(String);

impl From<&str> for Locator {
    /// The first element that matches a CSS selector.
    fn from(selector: &str) -> Locator {
        Locator(format!("document.querySelector({})", json!(selector)))
    }
}

/// Waits for a condition outside the page.
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < MAX_WAIT, "not within {MAX_WAIT:?}: {what}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// The first visible element that matches a CSS selector and has the text `words`.
pub fn with_text(selector: &str, words: &str) -> Locator {
    Locator(format!(
        "[...document.querySelectorAll({})].find((element) => \
         element.innerText.trim() === {} && element.getClientRects().length > 0)",
        json!(selector),
        json!(words)
    ))
}

/// The form control with this label.
pub fn labelled(words: &str) -> Locator {
    Locator(format!(
        "[...document.querySelectorAll('label')].find((label) => \
         label.innerText.trim() === {} && label.getClientRects().length > 0)?.control",
        json!(words)
    ))
}

/// A browser window.
pub struct Browser<'a> {
    driver: &'a Driver,
    id: String,
}

impl Browser<'_> {
    fn call(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.driver.call("POST", &format!("/session/{}{path}", self.id), body)
    }

    /// Executes a command of the Chrome DevTools Protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.call("/goog/cdp/execute", &body).expect("the DevTools command succeeds")
    }

    /// Resizes the page; narrow pages are emulated as on a phone.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        self.settle();
    }

    /// Emulates a system with a `light` or `dark` theme.
    pub fn emulate_theme(&self, theme: &str) {
        let emulated = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.devtools("Emulation.setEmulatedMedia", &emulated);
        self.settle();
    }

    pub fn go(&self, address: &str) {
        self.call("/url", &json!({ "url": address })).expect("the page opens");
        self.settle();
    }

    pub fn reload(&self) {
        self.call("/refresh", &json!({})).expect("the page opens again");
        self.settle();
    }

    /// Runs `script` in the page and returns its result.
    pub fn run(&self, script: &str) -> Value {
        self.call("/execute/sync", &json!({ "script": script, "args": [] }))
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until the expression is true in the page.
    pub fn wait_for(&self, expression: &str) {
        self.wait_value(&format!("return ({expression}) || null"));
    }

    /// Repeats `script` in the page until its result is not null.
    fn wait_value(&self, script: &str) -> Value {
        let started = Instant::now();
        loop {
            let value = self.run(script);
            if !value.is_null() {
                return value;
            }
            if started.elapsed() > MAX_WAIT {
                let text = self.run("return document.body.innerText.slice(0, 2000)");
                panic!("not within {MAX_WAIT:?}: {script}\ntext of the page: {text}");
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits until the page announces that it has loaded and painted everything.
    ///
    /// After two frames and a turn of the event loop, requests caused by a click or a new address have begun.
    pub fn settle(&self) {
        self.wait_value(
            "return (async () => {
               const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
               await frame();
               await frame();
               await new Promise((resolve) => setTimeout(resolve));
               const isReady = document.readyState === 'complete'
                 && document.documentElement.dataset.ready === 'true'
                 && !document.querySelector('[aria-busy=true]');
               return isReady || !location.protocol.startsWith('http') || null;
             })()",
        );
    }

    /// Waits until all finite animations have ended, too.
    pub fn finish_animations(&self) {
        self.settle();
        self.wait_for(
            "document.getAnimations().every((animation) => animation.playState !== 'running'
               || animation.effect?.getComputedTiming().endTime === Infinity)",
        );
    }

    /// Waits until the element can be clicked: it does not move and is not covered. The next press is retry_until_hit at it.
    fn clickable_centre(&self, target: &Locator) -> [i64; 2] {
        let place = self.wait_value(&format!(
            "return (async () => {{
               const find = () => {};
               const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
               find()?.scrollIntoView({{ block: 'center', inline: 'center', behavior: 'instant' }});
               const before = find()?.getBoundingClientRect();
               await frame();
               await frame();
               const element = find();
               if (!before || !element || element.disabled) return null;
               const box = element.getBoundingClientRect();
               const isStill = box.x === before.x && box.y === before.y && box.width > 0;
               const x = Math.round(box.x + box.width / 2);
               const y = Math.round(box.y + box.height / 2);
               const met = document.elementFromPoint(x, y);
               const isMet = (met) => element.contains(met)
                 || met?.closest('a, button, label, summary')?.contains(element);
               if (!isStill || !isMet(met)) return null;
               window.aim = {{ isMet, isMissed: false }};
               return [x, y];
             }})()",
            target.0
        ));
        let number = |index: usize| place[index].as_i64().expect("a place on the page");
        [number(0), number(1)]
    }

    /// Waits for an element and clicks its centre.
    pub fn click(&self, target: impl Into<Locator>) {
        let target = target.into();
        self.retry_until_hit(|| {
            let place = self.clickable_centre(&target);
            self.mouse(&[move_to(place, 0), press(), release()]);
        });
    }

    /// Drags one element onto another.
    pub fn drag(&self, from: impl Into<Locator>, to: impl Into<Locator>) {
        let (from, to) = (from.into(), to.into());
        self.retry_until_hit(|| {
            let (to, from) = (self.clickable_centre(&to), self.clickable_centre(&from));
            let between = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
            let drag_to = |place| move_to(place, DRAG_STEP_MS);
            self.mouse(&[move_to(from, 0), press(), drag_to(between), drag_to(to), release()]);
        });
    }

    /// Repeats a press until it hits its target: updates may move the page between measuring and pressing. A press that misses
    /// is hidden from the page.
    fn retry_until_hit(&self, press: impl Fn()) {
        let started = Instant::now();
        loop {
            self.run(CLICK_GUARD);
            press();
            if self.run("return window.aim?.isMissed ?? false") != json!(true) {
                break;
            }
            assert!(started.elapsed() < MAX_WAIT, "the page keeps moving");
        }
        self.settle();
    }

    fn mouse(&self, steps: &[Value]) {
        let source = json!({
            "type": "pointer", "id": "mouse", "actions": steps,
            "parameters": { "pointerType": "mouse" },
        });
        self.call("/actions", &json!({ "actions": [source] })).expect("the mouse moves");
    }

    /// Presses a key; special keys have the codes of the WebDriver specification.
    pub fn press(&self, key: char) {
        self.keys(&[key]);
    }

    /// Presses keys in this order, then releases them all.
    fn keys(&self, keys: &[char]) {
        let step = |kind: &str, key: &char| json!({ "type": kind, "value": key });
        let down = keys.iter().map(|key| step("keyDown", key));
        let up = keys.iter().rev().map(|key| step("keyUp", key));
        let steps: Vec<Value> = down.chain(up).collect();
        let source = json!({ "type": "key", "id": "keyboard", "actions": steps });
        self.call("/actions", &json!({ "actions": [source] })).expect("the keys work");
        self.settle();
    }

    /// Replaces the text of a field.
    pub fn fill(&self, target: impl Into<Locator>, text: &str) {
        self.click(target);
        self.keys(&[CONTROL, 'a']);
        self.devtools("Input.insertText", &json!({ "text": text }));
        self.settle();
    }

    /// Selects the option with this value.
    pub fn choose(&self, target: impl Into<Locator>, value: &str) {
        let list = target.into().0;
        let script = format!("return {list}?.querySelector('option[value={}]')", json!(value));
        let option = self.wait_value(&script);
        let name = option.as_object().and_then(|option| option.values().next());
        let id = name.and_then(Value::as_str).expect("an element has an id");
        self.call(&format!("/element/{id}/click"), &json!({})).expect("the option can be chosen");
        self.settle();
    }

    /// The visible text of an element.
    pub fn text(&self, target: impl Into<Locator>) -> String {
        let text = self.wait_value(&format!("return {}?.innerText ?? null", target.into().0));
        text.as_str().unwrap_or_default().trim().to_owned()
    }

    /// The texts of all elements that match a CSS selector.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let texts = self.run(&format!(
            "return [...document.querySelectorAll({})].map((one) => one.textContent.trim())",
            json!(selector)
        ));
        let texts = texts.as_array().expect("a list").iter();
        texts.map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The number of elements that match a CSS selector.
    pub fn count(&self, selector: &str) -> usize {
        self.texts(selector).len()
    }

    /// Errors and warnings that the page has written to its console since the last call.
    pub fn console_problems(&self) -> Vec<String> {
        let entries = self.call("/se/log", &json!({ "type": "browser" })).expect("there is a log");
        let entries = entries.as_array().cloned().unwrap_or_default();
        let is_bad = |entry: &&Value| matches!(entry["level"].as_str(), Some("WARNING" | "SEVERE"));
        entries.iter().filter(is_bad).map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        self.driver.call("DELETE", &format!("/session/{}", self.id), &Value::Null).ok();
    }
}

/// Hides presses that miss their target, `window.aim`, from the page, from `pointerdown` to `click`.
const CLICK_GUARD: &str = "
    if (window.isGuarded) return;
    window.isGuarded = true;
    for (const kind of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      window.addEventListener(kind, (event) => {
        const { aim } = window;
        if (aim && kind === 'pointerdown') aim.isMissed = !aim.isMet(event.target);
        if (!aim?.isMissed) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      }, { capture: true });
    }";

const CONTROL: char = '\u{E009}';
pub const LEFT: char = '\u{E012}';
pub const HOME: char = '\u{E011}';

fn move_to([x, y]: [i64; 2], milliseconds: u64) -> Value {
    json!({ "type": "pointerMove", "x": x, "y": y, "duration": milliseconds })
}

fn press() -> Value {
    json!({ "type": "pointerDown", "button": 0 })
}

fn release() -> Value {
    json!({ "type": "pointerUp", "button": 0 })
}

/// Port in chromedriver's announcement: "… started successfully on port 12345."
fn announced_port(output: &mut impl BufRead) -> u16 {
    for line in output.lines() {
        let line = line.expect("chromedriver's output can be read");
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return port.trim_end_matches('.').parse().expect("a port is a number");
        }
    }
    panic!("chromedriver ended before it listened");
}

/// Body of an HTTP response, which has a length or ends with the connection.
fn read_body(stream: TcpStream) -> std::io::Result<String> {
    let mut reader = BufReader::new(stream);
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let mut body = Vec::new();
    match length {
        Some(length) => {
            body.resize(length, 0);
            reader.read_exact(&mut body)?;
        }
        None => {
            reader.read_to_end(&mut body)?;
        }
    }
    Ok(String::from_utf8_lossy(&body).into_owned())
}
