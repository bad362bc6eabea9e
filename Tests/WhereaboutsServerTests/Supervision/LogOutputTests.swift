import Logging
import Synchronization
import Testing

@testable import WhereaboutsServer

@Suite struct LogOutputTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
    func append(_ bytes: [UInt8]) { all.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
    var texts: [String] { all.withLock { $0 } }
  }

  @Test func messageStaysOneLine() throws {
    let lines = Lines(), output = LogOutput(level: .info, json: false) { lines.append($0) }
    output.logger.info("a\nb", metadata: ["key": "c\u{1B}[31m\r\nd"])
    let line = try #require(lines.texts.first)
    #expect(line.hasSuffix(" info: a b key=c [31m  d\n"), "\(line)")
    #expect(line.dropLast().allSatisfy { !$0.isNewline })
  }

  @Test func lineIsOneObjectOfJSON() throws {
    let lines = Lines(), output = LogOutput(level: .info, json: true) { lines.append($0) }
    output.logger.info("a\"\n", metadata: ["k": "1", "l": "\n"])
    let line = try #require(lines.texts.first)
    #expect(
      line.hasSuffix(#","level":"info","message":"a\"\n","fields":{"k":"1","l":"\n"}}"# + "\n"), "\(line)")
  }

  @Test func levelChangesForLoggersThatExist() {
    let lines = Lines(), output = LogOutput(level: .notice, json: false) { lines.append($0) }
    let logger = output.logger
    let least = Logger(label: "x") { _ in AtLeastLogHandler(logger.handler, .notice) }
    logger.debug("no")
    output.level = .debug
    logger.debug("yes")
    least.debug("no")
    least.notice("yes")
    output.level = .error
    least.warning("no")
    #expect(lines.texts.count == 2 && lines.texts.allSatisfy { $0.hasSuffix("yes\n") })
  }
}
