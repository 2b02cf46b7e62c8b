//! Callers with addresses of their own, on this computer.

use crate::served::{Served, TEST_TIMEOUT};
use std::{
    io::{Read, Write},
    net::{IpAddr, SocketAddr, TcpStream},
};
use tokio::net::TcpSocket;

/// Connects from an address of the loopback network.
pub fn connect_from(address: IpAddr, server: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server: SocketAddr = server.parse().unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(address, 0)).unwrap();
        socket.connect(server).await.unwrap()
    });
    let stream = stream.into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    stream
}

/// Sends a POST from an address; returns the status of the response.
pub fn post_from(address: IpAddr, server: &Served, path: &str, body: &str) -> u16 {
    let mut stream = connect_from(address, &server.address);
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        server.address,
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    head_status(&read_head(&mut stream))
}

/// Asks for a WebSocket; returns the status of the response, 0 if there is none. `headers` are those of the
/// request.
pub fn upgrade(stream: &mut TcpStream, path: &str, headers: &str) -> u16 {
    let request = format!(
        "GET {path} HTTP/1.1\r\n{headers}Connection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    match stream.write_all(request.as_bytes()) {
        Ok(()) => head_status(&read_head(stream)),
        Err(_) => 0,
    }
}

/// The head of a response, or what there is of it.
pub fn read_head(stream: &mut impl Read) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && matches!(stream.read(&mut byte), Ok(1)) {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

pub fn head_status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}
