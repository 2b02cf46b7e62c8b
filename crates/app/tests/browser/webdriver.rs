//! A real browser, driven by the W3C WebDriver protocol: JSON over plain HTTP on loopback.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
    time::{Duration, Instant},
};

/// Ends a test that waits for what never comes; no page is that slow, whatever else the machine does.
const HANG: Duration = Duration::from_secs(600);
/// Between two looks at the page.
const POLL_INTERVAL: Duration = Duration::from_millis(30);
/// What a hand needs from one point to the next of a drag.
const STROKE_MILLISECONDS: u64 = 20;

/// A chromedriver of our own, which ends with the value.
pub struct Driver {
    child: Child,
    port: u16,
    /// Kept open: a program whose output nobody takes may end.
    _output: BufReader<ChildStdout>,
}

impl Driver {
    /// The one that the tests running now share.
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
        let mut output = BufReader::new(child.stdout.take().expect("its output is ours"));
        let port = announced_port(&mut output);
        Driver { child, port, _output: output }
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let answer = self.exchange(method, path, body).map_err(|error| error.to_string())?;
        let document: Value = serde_json::from_str(&answer).map_err(|error| error.to_string())?;
        match &document["value"]["error"] {
            Value::Null => Ok(document["value"].clone()),
            error => Err(format!("{error}: {}", document["value"]["message"])),
        }
    }

    fn exchange(&self, method: &str, path: &str, body: &Value) -> std::io::Result<String> {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(HANG))?;
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all((head + &body).as_bytes())?;
        read_answer(stream)
    }

    /// A window of this size.
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
            "timeouts": { "script": HANG.as_millis() as u64, "pageLoad": HANG.as_millis() as u64 },
        } } });
        let session = self.call("POST", "/session", &capabilities).expect("a browser starts");
        let id = session["sessionId"].as_str().expect("a session has a name").to_owned();
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

/// An element of the page, by an expression that finds it there.
pub struct Spot(String);

impl From<&str> for Spot {
    /// The first element that a CSS selector fits.
    fn from(selector: &str) -> Spot {
        Spot(format!("document.querySelector({})", json!(selector)))
    }
}

/// Waits for what happens outside the page.
pub fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < HANG, "never in {HANG:?}: {what}");
        thread::sleep(POLL_INTERVAL);
    }
}

/// The first element seen that a CSS selector fits and that reads `words`.
pub fn reading(selector: &str, words: &str) -> Spot {
    Spot(format!(
        "[...document.querySelectorAll({})].find((element) => \
         element.innerText.trim() === {} && element.getClientRects().length > 0)",
        json!(selector),
        json!(words)
    ))
}

/// The control that has this label.
pub fn labelled(words: &str) -> Spot {
    Spot(format!(
        "[...document.querySelectorAll('label')].find((label) => \
         label.innerText.trim() === {} && label.getClientRects().length > 0)?.control",
        json!(words)
    ))
}

/// One window.
pub struct Browser<'a> {
    driver: &'a Driver,
    id: String,
}

impl Browser<'_> {
    fn call(&self, path: &str, body: &Value) -> Result<Value, String> {
        self.driver.call("POST", &format!("/session/{}{path}", self.id), body)
    }

    /// A command of the browser's own protocol.
    pub fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.call("/goog/cdp/execute", &body).expect("chromium knows its own commands")
    }

    /// Gives the page this size; a narrow one is a phone's.
    pub fn resize(&self, (width, height): (u32, u32)) {
        let size = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        self.settle();
    }

    /// Tells pages that the system is `light` or `dark`.
    pub fn prefer(&self, theme: &str) {
        let wish = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        self.devtools("Emulation.setEmulatedMedia", &wish);
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

    /// What `script` returns in the page.
    pub fn run(&self, script: &str) -> Value {
        self.call("/execute/sync", &json!({ "script": script, "args": [] }))
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits until the expression is true in the page.
    pub fn wait_for(&self, expression: &str) {
        self.wait_value(&format!("return ({expression}) || null"));
    }

    /// What `script` returns in the page as soon as that is not null.
    fn wait_value(&self, script: &str) -> Value {
        let started = Instant::now();
        loop {
            let value = self.run(script);
            if !value.is_null() {
                return value;
            }
            if started.elapsed() > HANG {
                let text = self.run("return document.body.innerText.slice(0, 2000)");
                panic!("never in {HANG:?}: {script}\nthe page says: {text}");
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Waits until the page announces that all it was asked for is there and painted.
    ///
    /// What was asked for by a click or an address is under way after two frames and a turn of the event loop.
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

    /// Waits until nothing moves either, but what moves for ever.
    pub fn come_to_rest(&self) {
        self.settle();
        self.wait_for(
            "document.getAnimations().every((animation) => animation.playState !== 'running'
               || animation.effect?.getComputedTiming().endTime === Infinity)",
        );
    }

    /// Waits until the element can be used: it stands still and nothing is before it. The next press is meant for it.
    fn middle(&self, spot: &Spot) -> [i64; 2] {
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
            spot.0
        ));
        let number = |index: usize| place[index].as_i64().expect("a place on the page");
        [number(0), number(1)]
    }

    /// Waits for an element and clicks into its middle, as a person does.
    pub fn click(&self, spot: impl Into<Spot>) {
        let spot = spot.into();
        self.aimed(|| {
            let place = self.middle(&spot);
            self.mouse(&[move_to(place, 0), press(), release()]);
        });
    }

    /// Drags one element onto another.
    pub fn drag(&self, from: impl Into<Spot>, to: impl Into<Spot>) {
        let (from, to) = (from.into(), to.into());
        self.aimed(|| {
            let (to, from) = (self.middle(&to), self.middle(&from));
            let between = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
            let stroke = |place| move_to(place, STROKE_MILLISECONDS);
            self.mouse(&[move_to(from, 0), press(), stroke(between), stroke(to), release()]);
        });
    }

    /// Presses until the press meets what it is meant for: news can move the page between a look and a press. A press that misses
    /// is kept from the page.
    fn aimed(&self, press: impl Fn()) {
        let started = Instant::now();
        loop {
            self.run(GUARD);
            press();
            if self.run("return window.aim?.isMissed ?? false") != json!(true) {
                break;
            }
            assert!(started.elapsed() < HANG, "the page never stands still");
        }
        self.settle();
    }

    fn mouse(&self, steps: &[Value]) {
        let hand = json!({
            "type": "pointer", "id": "mouse", "actions": steps,
            "parameters": { "pointerType": "mouse" },
        });
        self.call("/actions", &json!({ "actions": [hand] })).expect("the mouse moves");
    }

    /// Presses a key; those without a character have the codes of the WebDriver specification.
    pub fn press(&self, key: char) {
        self.keys(&[key]);
    }

    /// Presses keys down in this order, then lets them all go.
    fn keys(&self, keys: &[char]) {
        let step = |kind: &str, key: &char| json!({ "type": kind, "value": key });
        let down = keys.iter().map(|key| step("keyDown", key));
        let up = keys.iter().rev().map(|key| step("keyUp", key));
        let steps: Vec<Value> = down.chain(up).collect();
        let hand = json!({ "type": "key", "id": "keyboard", "actions": steps });
        self.call("/actions", &json!({ "actions": [hand] })).expect("the keys work");
        self.settle();
    }

    /// Types `text` into a field in place of what stood there.
    pub fn fill(&self, spot: impl Into<Spot>, text: &str) {
        self.click(spot);
        self.keys(&[CONTROL, 'a']);
        self.devtools("Input.insertText", &json!({ "text": text }));
        self.settle();
    }

    /// Chooses the option of a list that has this value.
    pub fn choose(&self, spot: impl Into<Spot>, value: &str) {
        let list = spot.into().0;
        let script = format!("return {list}?.querySelector('option[value={}]')", json!(value));
        let option = self.wait_value(&script);
        let name = option.as_object().and_then(|option| option.values().next());
        let id = name.and_then(Value::as_str).expect("an element has a name");
        self.call(&format!("/element/{id}/click"), &json!({})).expect("the option can be chosen");
        self.settle();
    }

    /// The text of an element, as it is seen.
    pub fn text(&self, spot: impl Into<Spot>) -> String {
        let text = self.wait_value(&format!("return {}?.innerText ?? null", spot.into().0));
        text.as_str().unwrap_or_default().trim().to_owned()
    }

    /// The texts of all elements that a CSS selector fits.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        let texts = self.run(&format!(
            "return [...document.querySelectorAll({})].map((one) => one.textContent.trim())",
            json!(selector)
        ));
        let told = texts.as_array().expect("a list").iter();
        told.map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// How many elements a CSS selector fits.
    pub fn count(&self, selector: &str) -> usize {
        self.texts(selector).len()
    }

    /// What the page wrote to its console since the last time: errors and warnings.
    pub fn complaints(&self) -> Vec<String> {
        let entries = self.call("/se/log", &json!({ "type": "browser" })).expect("there is a log");
        let told = entries.as_array().cloned().unwrap_or_default();
        let is_bad = |entry: &&Value| matches!(entry["level"].as_str(), Some("WARNING" | "SEVERE"));
        told.iter().filter(is_bad).map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser<'_> {
    fn drop(&mut self) {
        self.driver.call("DELETE", &format!("/session/{}", self.id), &Value::Null).ok();
    }
}

/// Keeps a press from the page that does not meet what it is meant for, `window.aim`, from its beginning to its click.
const GUARD: &str = "
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

/// The port that a chromedriver says it listens at: "… started successfully on port 12345."
fn announced_port(output: &mut impl BufRead) -> u16 {
    for line in output.lines() {
        let line = line.expect("chromedriver can be heard");
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return port.trim_end_matches('.').parse().expect("a port is a number");
        }
    }
    panic!("chromedriver ended before it listened");
}

/// The body of an HTTP answer, which has a length or ends with the connection.
fn read_answer(stream: TcpStream) -> std::io::Result<String> {
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
