/// The tables of what goes to servers, as they were in version 1.
enum UploadSchema {
  static let tables = [
    """
    CREATE TABLE endpoint (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, origin TEXT NOT NULL,
      settings TEXT NOT NULL, stopped TEXT, asked INTEGER,
      sent INTEGER NOT NULL DEFAULT 0, sent_items INTEGER NOT NULL DEFAULT 0, last_sent INTEGER,
      last_failed INTEGER, last_reason TEXT
    ) STRICT
    """,
    // kept: the last fix that was kept and when, by which the next are judged. unsaid: what the form had no words for.
    """
    CREATE TABLE upload_cursor (
      endpoint INTEGER NOT NULL REFERENCES endpoint ON DELETE CASCADE, device INTEGER NOT NULL,
      seq INTEGER NOT NULL DEFAULT 0, time INTEGER, note INTEGER NOT NULL DEFAULT 0, kept TEXT, unsaid TEXT,
      PRIMARY KEY (endpoint, device)
    ) STRICT, WITHOUT ROWID
    """,
    // first and last: the span of time of what is in the body, so that it can be forgotten.
    // number: the order; span: how many numbers a batch may be cut into. parts: where to find the items again.
    """
    CREATE TABLE upload_batch (
      id INTEGER PRIMARY KEY AUTOINCREMENT, endpoint INTEGER NOT NULL REFERENCES endpoint ON DELETE CASCADE,
      device INTEGER NOT NULL, number INTEGER NOT NULL, span INTEGER NOT NULL, key TEXT NOT NULL UNIQUE,
      request TEXT NOT NULL, body BLOB NOT NULL, items INTEGER NOT NULL, crossings INTEGER NOT NULL,
      parts TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, next_try INTEGER,
      reason TEXT, created INTEGER NOT NULL, first INTEGER, last INTEGER
    ) STRICT
    """,
    "CREATE INDEX upload_batch_order ON upload_batch (endpoint, device, state, number)",
  ]
}
