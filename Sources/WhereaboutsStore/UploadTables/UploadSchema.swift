/// The tables of uploads, which `WhereaboutsUploadQueue` reads and writes.
///
/// The store creates, checks and erases the tables, because a process may erase data without the upload targets. The
/// store never reads their content.
enum UploadSchema {
  /// The tables with rows of devices.
  static let tablesByDevice = ["upload_batch", "upload_cursor"]

  static let tables = [
    // misdirected: answers in a row by which the URL or the device is wrong. unconfirmed: answers ever that were not
    // the server's.
    """
    CREATE TABLE endpoint (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
      settings TEXT NOT NULL, stopped TEXT, flush_mark INTEGER,
      sent INTEGER NOT NULL DEFAULT 0, sent_items INTEGER NOT NULL DEFAULT 0, last_sent INTEGER,
      last_failed INTEGER, last_reason TEXT,
      misdirected INTEGER NOT NULL DEFAULT 0, unconfirmed INTEGER NOT NULL DEFAULT 0
    ) STRICT
    """,
    // accepted: the last accepted fix and its time, by which the next fixes are judged. unsupported: items that the
    // template can't express, by kind. scan_…: where reading resumes while it has not reached the end, and the last fix
    // that there was when it began.
    """
    CREATE TABLE upload_cursor (
      endpoint INTEGER NOT NULL REFERENCES endpoint ON DELETE CASCADE, device INTEGER NOT NULL,
      seq INTEGER NOT NULL DEFAULT 0, time INTEGER, record INTEGER NOT NULL DEFAULT 0, accepted TEXT,
      unsupported TEXT, scan_time INTEGER, scan_seq INTEGER, scan_through INTEGER,
      PRIMARY KEY (endpoint, device)
    ) STRICT, WITHOUT ROWID
    """,
    // first and last: the span of time of what is in the body, so that it can be forgotten.
    // refusals: of the attempts, those that the server itself refused.
    // number: the order; span: how many numbers a batch may be cut into. parts: where to find the items again.
    """
    CREATE TABLE upload_batch (
      id INTEGER PRIMARY KEY AUTOINCREMENT, endpoint INTEGER NOT NULL REFERENCES endpoint ON DELETE CASCADE,
      device INTEGER NOT NULL, number INTEGER NOT NULL, span INTEGER NOT NULL, key TEXT NOT NULL UNIQUE,
      request TEXT NOT NULL, body BLOB NOT NULL, items INTEGER NOT NULL, crossings INTEGER NOT NULL,
      parts TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
      refusals INTEGER NOT NULL DEFAULT 0, next_try INTEGER,
      reason TEXT, created INTEGER NOT NULL, first INTEGER, last INTEGER
    ) STRICT
    """,
    "CREATE INDEX upload_batch_order ON upload_batch (endpoint, device, state, number)",
  ]
}
