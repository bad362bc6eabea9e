package import Logging
import Synchronization
import WhereaboutsFormats
import WhereaboutsModel

/// The output of a log: one line each, as text or as a JSON object. The level can change at any time.
package final class LogOutput: Sendable {
  private let state: Mutex<Logger.Level>
  private let writesJSON: Bool
  private let write: @Sendable ([UInt8]) -> Void

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - level: the least severe messages that are logged.
  ///   - json: whether each line is a JSON object.
  ///   - write: writes a line with its end.
  package init(level: Logger.Level, json: Bool, write: @escaping @Sendable ([UInt8]) -> Void) {
    state = Mutex(level)
    writesJSON = json
    self.write = write
  }

  /// The least severe messages that are logged.
  package var level: Logger.Level {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// A logger into this output.
  package var logger: Logger { Logger(label: "whereabouts") { _ in LineLogHandler(output: self) } }

  fileprivate func write(_ level: Logger.Level, _ message: String, _ fields: [(key: String, value: String)]) {
    var bytes: [UInt8] = []
    if writesJSON {
      bytes.appendJSONObject {
        $0.appendJSONMember("time", UTCTime.now)
        $0.appendJSONMember("level", level.rawValue)
        $0.appendJSONMember("message", message)
        $0.appendJSONMember("fields") { object in
          for field in fields {
            object.beginJSONMember()
            object.appendJSONString(field.key)
            object.append(UInt8(ascii: ":"))
            object.appendJSONString(field.value)
          }
        }
      }
    } else {
      UTCTime.now.appendISO8601(to: &bytes)
      let text = fields.reduce(into: " \(level.rawValue): \(message)") { $0 += " \($1.key)=\($1.value)" }
      // A line stays one line, and a name can't write to a terminal.
      bytes += text.unicodeScalars.flatMap {
        ($0.properties.generalCategory == .control ? " " : String($0)).utf8
      }
    }
    write(bytes + [UInt8(ascii: "\n")])
  }
}

/// The handler of a logger into a ``LogOutput``.
private struct LineLogHandler: LogHandler {
  let output: LogOutput
  var metadata: Logger.Metadata = [:]
  private var ownLevel: Logger.Level?

  init(output: LogOutput) { self.output = output }

  /// The output's level, unless this logger got one of its own.
  var logLevel: Logger.Level {
    get { ownLevel ?? output.level }
    set { ownLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    output.write(
      event.level, "\(event.message)", all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") })
  }
}

/// A handler that forwards messages of at least a level, at any level of the other handler.
struct AtLeastLogHandler: LogHandler {
  private var base: any LogHandler
  private let least: Logger.Level

  init(_ base: any LogHandler, _ least: Logger.Level) {
    self.base = base
    self.least = least
  }

  var metadata: Logger.Metadata {
    get { base.metadata }
    set { base.metadata = newValue }
  }

  var logLevel: Logger.Level {
    get { max(base.logLevel, least) }
    set { base.logLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { base[metadataKey: key] }
    set { base[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) { base.log(event: event) }
}
