//! WebSockets of clients: limited in number and size of messages, and closed when nobody answers any more.

use super::{
    App,
    client::{Client, ClientPermit},
    connection_table::ConnectionPermit,
    error::ApiError,
};
use axum::{
    extract::{
        FromRequestParts, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    http::request::Parts,
    response::{IntoResponse, Response},
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::time::{sleep_until, timeout};

/// Maximum size of a message from a client.
const MAX_MESSAGE_BYTES: usize = 64 << 10;

/// A request to become a WebSocket.
pub struct SocketUpgrade {
    upgrade: WebSocketUpgrade,
    permit: ClientPermit,
    connection: Option<Arc<ConnectionPermit>>,
    ping_interval: Duration,
}

impl FromRequestParts<Arc<App>> for SocketUpgrade {
    type Rejection = Response;

    async fn from_request_parts(
        parts: &mut Parts,
        app: &Arc<App>,
    ) -> Result<SocketUpgrade, Response> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, app).await;
        let upgrade = upgrade.map_err(IntoResponse::into_response)?;
        let permit = app.sockets.acquire(Client::current()).map_err(|max| {
            let message = format!("{max} WebSockets are open: close one of them");
            ApiError::too_many(message).into_response()
        })?;
        let connection = parts.extensions.get::<Arc<ConnectionPermit>>().map(Arc::clone);
        let ping_interval = app.settings.limits.ping_interval();
        Ok(SocketUpgrade { upgrade, permit, connection, ping_interval })
    }
}

impl SocketUpgrade {
    /// Accepts, and serves the WebSocket on behalf of the client of the request.
    pub fn on_upgrade<F>(self, serve: impl FnOnce(ClientSocket) -> F + Send + 'static) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let SocketUpgrade { upgrade, permit, connection, ping_interval } = self;
        if let Some(connection) = &connection {
            connection.socket();
        }
        let client = Client::current();
        let upgrade = upgrade.max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES);
        upgrade.on_upgrade(move |socket| {
            let heartbeat = Heartbeat::new(ping_interval, Instant::now());
            client.scope(serve(ClientSocket { socket, heartbeat, connection, _permit: permit }))
        })
    }
}

/// An open WebSocket.
pub struct ClientSocket {
    socket: WebSocket,
    heartbeat: Heartbeat,
    connection: Option<Arc<ConnectionPermit>>,
    _permit: ClientPermit,
}

/// The client has gone, or has to.
#[derive(Debug)]
pub struct Disconnected;

impl ClientSocket {
    /// The next message of the client. Meanwhile it is pinged, so call this whenever there is nothing to send.
    /// It may be cancelled at any time.
    pub async fn receive(&mut self) -> Result<Message, Disconnected> {
        loop {
            let message = tokio::select! {
                message = self.socket.recv() => message,
                () = evicted(self.connection.as_deref()) => return Err(Disconnected),
                () = sleep_until(self.heartbeat.due().into()) => {
                    self.beat().await?;
                    continue;
                }
            };
            self.heartbeat.heard(Instant::now());
            match message {
                // The answer to a close is sent by the next call, which then finds the end.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_))) => {}
                Some(Ok(message)) => return Ok(message),
                Some(Err(_)) | None => return Err(Disconnected),
            }
        }
    }

    async fn beat(&mut self) -> Result<(), Disconnected> {
        match self.heartbeat.beat(Instant::now()) {
            Beat::Wait => Ok(()),
            Beat::Ping => self.send_message(Message::Ping(Vec::new().into())).await,
            Beat::Dead => Err(Disconnected),
        }
    }

    pub async fn send(&mut self, text: String) -> Result<(), Disconnected> {
        self.send_message(Message::text(text)).await
    }

    /// Sends a message. A client that does not read it in time is gone as well.
    async fn send_message(&mut self, message: Message) -> Result<(), Disconnected> {
        let evicted = evicted(self.connection.as_deref());
        let sent = timeout(self.heartbeat.interval, self.socket.send(message));
        tokio::select! {
            sent = sent => match sent {
                Ok(Ok(())) => Ok(()),
                Ok(Err(_)) | Err(_) => Err(Disconnected),
            },
            () = evicted => Err(Disconnected),
        }
    }
}

/// Waits until the connection has to give way to another one.
async fn evicted(connection: Option<&ConnectionPermit>) {
    match connection {
        Some(connection) => connection.closed().await,
        None => std::future::pending().await,
    }
}

/// Pings of a silent client.
struct Heartbeat {
    interval: Duration,
    due: Instant,
    /// Whether a ping has not been answered.
    pinged: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Beat {
    Wait,
    Ping,
    Dead,
}

impl Heartbeat {
    fn new(interval: Duration, now: Instant) -> Heartbeat {
        Heartbeat { interval, due: now + interval, pinged: false }
    }

    /// Time of the next beat.
    fn due(&self) -> Instant {
        self.due
    }

    fn heard(&mut self, now: Instant) {
        *self = Heartbeat::new(self.interval, now);
    }

    fn beat(&mut self, now: Instant) -> Beat {
        if now < self.due {
            return Beat::Wait;
        }
        if self.pinged {
            return Beat::Dead;
        }
        (self.due, self.pinged) = (now + self.interval, true);
        Beat::Ping
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_a_ping_is_gone() {
        let second = Duration::from_secs(1);
        let begun = Instant::now();
        let mut heartbeat = Heartbeat::new(30 * second, begun);
        assert_eq!(heartbeat.beat(begun + 29 * second), Beat::Wait);
        assert_eq!(heartbeat.beat(begun + 30 * second), Beat::Ping);
        heartbeat.heard(begun + 31 * second);
        assert_eq!(heartbeat.beat(begun + 60 * second), Beat::Wait);
        assert_eq!(heartbeat.beat(begun + 61 * second), Beat::Ping);
        assert_eq!(heartbeat.beat(begun + 90 * second), Beat::Wait);
        assert_eq!(heartbeat.beat(begun + 91 * second), Beat::Dead);
    }
}
