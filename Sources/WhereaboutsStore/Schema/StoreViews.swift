/// Views of a store for people with `sqlite3`. `docs/store.md` describes them.
enum StoreViews {
  /// Nanoseconds since 1970 as people read them, to the millisecond.
  static func readable(_ column: String) -> String {
    """
    strftime('%Y-%m-%dT%H:%M:%S', \(column) / 1000000000, 'unixepoch') \
    || printf('.%03dZ', \(column) / 1000000 % 1000)
    """
  }

  static let views = [
    """
    CREATE VIEW fixes AS SELECT device.name AS device, \(readable("fix.time")) AS time, seq, use,
      lat, lon, hacc, alt, speed, track, source, fix.time AS time_ns
    FROM fix JOIN device ON device.id = fix.device
    """,
    """
    CREATE VIEW crossings AS SELECT device.name AS device, number, event, fence, kind, manner,
      \(readable("fence_record.time")) AS time, time_unc, place_lat AS lat, place_lon AS lon, confidence,
      \(readable("decided")) AS decided, fence_record.time AS time_ns
    FROM fence_record JOIN device ON device.id = fence_record.device WHERE type = 'event'
    """,
    """
    CREATE VIEW trips AS SELECT device.name AS device, trip.id AS trip, \(readable("began")) AS began,
      \(readable("ended")) AS ended, round(distance, 1) AS metres, round(uncertainty, 1) AS uncertainty,
      round(moving_time) AS seconds_moving, gaps
    FROM trip JOIN device ON device.id = trip.device
    """,
    """
    CREATE VIEW fences AS SELECT device.name AS device, fence.id AS fence, fence ->> '$.name' AS name,
      fence ->> '$.area.type' AS shape, fence ->> '$.area.radius' AS radius
    FROM fence JOIN device ON device.id = fence.device
    """,
    """
    CREATE VIEW deliveries AS SELECT device.name AS device, consumer.name AS consumer,
      consumer.number AS through,
      (SELECT count(*) FROM fence_record WHERE fence_record.device = consumer.device AND fence_record.number > consumer.number)
        AS waiting
    FROM consumer JOIN device ON device.id = consumer.device
    """,
    """
    CREATE VIEW queue AS SELECT endpoint.name AS endpoint, device.name AS device, upload_batch.id AS batch,
      state, items, attempts, \(readable("next_try")) AS next_try, reason
    FROM upload_batch JOIN endpoint ON endpoint.id = upload_batch.endpoint
      LEFT JOIN device ON device.id = upload_batch.device
    """,
    """
    CREATE VIEW receiver AS SELECT device.name AS device, number,
      \(readable("began")) AS began, round(duration / 1e9, 3) AS seconds, open,
      CASE fixes WHEN 'continuous' THEN printf('%g m', accuracy)
        || iif(filter > 0, printf(', every %g m', filter), '')
        || iif(interval > 0, printf(', every %g s', interval / 1e9), '')
      WHEN 'significant changes' THEN fixes ELSE 'headings' END AS demand,
      trim(iif(requests, 'requests ', '') || iif(subscriptions, 'subscriptions ', '')
        || iif(trackers, 'trackers ', '') || iif(fences, 'fences', '')) AS consumers,
      preset, reason, began AS began_ns
    FROM receiver_usage JOIN device ON device.id = receiver_usage.device
    """,
  ]
}
