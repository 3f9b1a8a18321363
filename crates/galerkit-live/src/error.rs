//! What can go wrong before anybody watches.

use std::net::SocketAddr;

/// A failure of the server.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Somebody else listens there.
    #[error("port {} of {} is in use: choose another with --listen {}:PORT, or port 0 for any that is free", .0.port(), .0.ip(), .0.ip())]
    PortInUse(SocketAddr),
    /// Anybody in the network could come.
    #[error(
        "{0} is not an address of this machine alone: say --allow-remote if others may connect, or keep 127.0.0.1 and forward its port with \
         ssh -L"
    )]
    Remote(SocketAddr),
    /// The system refuses.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        source: std::io::Error,
    },
    /// There is no randomness for the token.
    #[error("the system gives no random numbers for the token: {0}")]
    NoRandomness(String),
    /// The journal cannot be written or read.
    #[error("{path}: {source}")]
    Journal {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// A line of a journal makes no sense.
    #[error("{path}, line {line}: {problem}: a journal is replayed as it was written")]
    JournalLine {
        /// The file.
        path: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// What may fail.
pub type Result<T> = std::result::Result<T, Error>;
