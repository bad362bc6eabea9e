/// The tables of alerts and their notifications.
///
/// They hold no place: a notification names the record of its crossing, and is made from the record when it is sent.
enum AlertSchema {
  /// The tables with rows of devices only.
  static let tablesByDevice = ["notification"]

  static let tables = [
    // Device 0: all devices together.
    """
    CREATE TABLE alert_progress (
      alert TEXT NOT NULL, device INTEGER NOT NULL, progress TEXT NOT NULL, PRIMARY KEY (alert, device)
    ) STRICT, WITHOUT ROWID
    """,
    // type: crossing, revised or revoked. steps: the crossings of the earlier steps, as JSON. is_joint: they may be
    // those of other devices. key: the id for the receiver. status: waiting, delivered, or the reason of another end.
    """
    CREATE TABLE notification (
      id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, alert TEXT NOT NULL, channel TEXT NOT NULL,
      device INTEGER NOT NULL, number INTEGER NOT NULL, event INTEGER NOT NULL, type TEXT NOT NULL,
      time INTEGER NOT NULL, steps TEXT NOT NULL, is_joint INTEGER NOT NULL,
      created INTEGER NOT NULL, not_before INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
      status TEXT NOT NULL DEFAULT 'waiting', ended INTEGER, reason TEXT,
      UNIQUE (alert, channel, device, number)
    ) STRICT
    """,
    "CREATE INDEX notification_waiting ON notification (channel, not_before, id) WHERE status = 'waiting'",
  ]
}
