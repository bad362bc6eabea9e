import WhereaboutsCore
import WhereaboutsFormats

/// The events of a store, read.
struct EventLog {
  /// What it holds.
  struct Content {
    /// Each line that could be read, as it was told.
    var lines: [ToldEvent] = []
    /// Numbers of lines that could not be read.
    var unreadable: [Int] = []

    /// What happened as far as is known now: revisions in the place of what they revise, and nothing that was revoked.
    var events: [ToldEvent] {
      var places: [UInt64: Int] = [:]
      var events: [ToldEvent?] = []
      for line in lines {
        if let index = places[line.id] {
          events[index] = line.news == .revoked ? nil : line
        } else if line.news != .revoked {
          places[line.id] = events.count
          events.append(line)
        }
      }
      return events.compactMap { $0 }
    }

    /// The greatest id; 0 where there is none.
    var lastID: UInt64 { lines.map(\.id).max() ?? 0 }
  }

  private let path: String

  init(_ folder: FenceFolder) { path = folder.eventsPath }

  /// Reads them. A last line without an end is being written, or was when the process was killed: it is left out.
  func read() throws(CommandFailure) -> Content {
    let bytes: [UInt8]?
    do throws(System.Failure) { bytes = try System.contents(ofPath: path) } catch {
      throw CommandFailure("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
    return Self.content(of: bytes ?? [])
  }

  /// The events in a text.
  static func content(of bytes: [UInt8]) -> Content {
    var content = Content()
    var number = 0
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      defer { start = end + 1 }
      guard start < end else { continue }
      if let event = CodedJSON.value(ToldEvent.self, in: Array(bytes[start..<end])) {
        content.lines.append(event)
      } else {
        content.unreadable.append(number)
      }
    }
    return content
  }
}
