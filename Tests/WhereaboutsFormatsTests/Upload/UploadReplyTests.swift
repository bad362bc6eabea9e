import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsTesting

@Suite struct UploadReplyTests {
  private let now = UploadSamples.time("2026-11-21T12:00:00Z")

  private func reply(_ answer: UploadReply.Response, _ template: UploadTemplate = .owntracks) -> UploadReply {
    UploadReply.classify(answer, to: template, wasCompressed: false, acceptsAnySuccess: false, now: now)
  }

  // MARK: Dates of HTTP

  @Test(
    arguments: [
      "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
  func allHTTPDateFormsAreParsed(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == UploadSamples.time("1994-11-06T08:49:37Z"))
  }

  @Test(
    arguments: [
      "", "GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 31 Feb 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
      "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "x x x x x x", "\u{0}",
    ])
  func invalidDateIsRefused(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test func retryAfterIsSecondsOrADate() {
    #expect(HTTPDate.retryAfter("120", date: nil, now: now) == 120)
    #expect(HTTPDate.retryAfter("120 \t", date: nil, now: now) == 120)
    #expect(HTTPDate.retryAfter("Sat, 21 Nov 2026 12:01:00 GMT\t", date: nil, now: now) == 60)
    #expect(HTTPDate.retryAfter("Sat, 21 Nov 2026 12:01:00 GMT", date: nil, now: now) == 60)
    // By the server's clock where it says what that is.
    let date = "Sat, 21 Nov 2026 12:00:50 GMT"
    #expect(HTTPDate.retryAfter("Sat, 21 Nov 2026 12:01:00 GMT", date: date, now: now) == 10)
    #expect(HTTPDate.retryAfter("Sat, 21 Nov 2020 12:01:00 GMT", date: nil, now: now) == 0)
    for text in ["", "-1", "1.5", "soon", "0x10"] {
      #expect(HTTPDate.retryAfter(text, date: nil, now: now) == nil)
    }
  }

  // MARK: Bodies

  @Test(
    arguments: [
      "", "{", "[]", "null", "\"ok\"", "{\"result\":\"no\"}", "{\"result\":true}",
      "{\"result\":{\"result\":\"ok\"}}",
      "{\"result\":\"ok\"", "\u{FEFF}{\"result\":\"ok\"}", String(repeating: "[", count: 100_000),
      "<html>ok</html>", "\u{0}\u{1}\u{2}",
    ])
  func overlandNeedsItsOwnConfirmation(_ body: String) {
    let answer = UploadReply.Response(status: 200, body: Array(body.utf8))
    guard case .unconfirmed = reply(answer, .overland) else { Issue.record("taken"); return }
    #expect(
      UploadReply.classify(answer, to: .overland, wasCompressed: false, acceptsAnySuccess: true, now: now)
        == .accepted)
  }

  private static let page = "<html><body>Please log in</body></html>"

  /// The confirming replies by template; all other replies do not confirm.
  @Test(
    arguments: [
      ("[]", [UploadTemplate.owntracks, .osmand]), (#" [{"_type":"card"}] "#, [.owntracks, .osmand]),
      ("", [.whereabouts, .osmand, .traccar]), (" \r\n", [.whereabouts, .osmand, .traccar]),
      (#"{"result":"ok"}"#, [.whereabouts, .overland, .osmand]), ("{}", [.osmand]), ("[", [.osmand]),
      ("[]<html>", [.osmand]), ("engineStop", [.osmand]), (page, []), ("\n  \(page)", []),
    ])
  func eachTemplateRecognisesItsConfirmation(_ body: String, _ templates: [UploadTemplate]) {
    for template in UploadTemplate.allCases {
      let isTaken = reply(UploadReply.Response(status: 200, body: Array(body.utf8)), template) == .accepted
      #expect(isTaken == templates.contains(template), "\(template)")
    }
  }

  /// Pages that state their type, and long answers.
  @Test func contentTypeAndLengthOfRepliesAreChecked() {
    let text = UploadReply.Response(status: 200, contentType: "text/html", body: Array("welcome".utf8))
    let long = UploadReply.Response(status: 200, body: Array(repeating: UInt8(ascii: "a"), count: 2000))
    for answer in [text, long] {
      guard case .unconfirmed = reply(answer, .osmand) else { Issue.record("taken"); continue }
    }
    let cards = UploadReply.Response(status: 200, body: Array("[{".utf8), isTruncated: true)
    #expect(reply(cards, .owntracks) == .accepted)
  }

  @Test func unknownPathDoesNotSetItemsAside() {
    for status in [404, 405, 410] {
      for template in UploadTemplate.allCases {
        guard case .notFound = reply(UploadReply.Response(status: status), template) else {
          Issue.record("\(status) \(template)")
          continue
        }
      }
    }
    guard case .notFound = reply(UploadReply.Response(status: 400), .osmand),
      case .permanentlyRejected = reply(UploadReply.Response(status: 400), .traccar)
    else { Issue.record("400"); return }
  }

  @Test func overlandConfirmationIsAccepted() {
    let body = Array(#" {"set":{"send_interval":1},"result":"ok"} "#.utf8)
    #expect(reply(UploadReply.Response(status: 201, body: body), .overland) == .accepted)
  }

  /// No status and no bytes lead anywhere but to one of them.
  @Test func anyReplyIsClassified() {
    var random = SeededGenerator(seed: 11)
    for status in -5...1005 {
      let body = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      let text = String(decoding: body, as: UTF8.self)
      let answer = UploadReply.Response(
        status: status, retryAfter: text, date: text, location: text, body: body)
      for template in UploadTemplate.allCases {
        switch reply(answer, template) {
        case .actionRequired(let reason):
          #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        case .accepted: #expect((200..<300).contains(status))
        case .unconfirmed(let reason):
          #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
        case .retryLater, .unreachable, .notFound, .tooLarge, .permanentlyRejected, .compressionRejected:
          break
        }
      }
    }
  }
}
