import Testing
import WhereaboutsFormats

@Suite struct PhoneDialectTests {
  @Test(
    arguments: [
      ("/owntracks", .ownTracks), ("/pub", .ownTracks), ("/pub/", .ownTracks), ("/overland", .overland),
      ("/osmand", .osmAnd), ("/gpslogger/", .gpsLogger), ("/ingest", .whereabouts),
      ("/api/webhook/0123abcd", .homeAssistant), ("/", nil), ("", nil), ("/pub/x", nil),
      ("/api/v1/devices", nil), ("//osmand", .osmAnd), ("///api/webhook/0123abcd", .homeAssistant),
      ("//", nil),
      ("/api//webhook/0123abcd", nil), ("osmand", nil),
    ] as [(String, PhoneDialect?)])
  func pathNamesTheDialect(_ path: String, _ expected: PhoneDialect?) {
    #expect(PhoneDialect(path: path) == expected)
  }

  /// A wrong path is answered as delivered, so the reason is all that a person gets.
  @Test(
    arguments: [
      (
        #"{"_type":"location","lat":51.5,"lon":-0.1,"tst":1715675200}"#, "a message of OwnTracks",
        "/owntracks",
        [.overland, .osmAnd, .homeAssistant, .whereabouts]
      ),
      (
        #"{"locations":[{"type":"Feature"}],"device_id":"a"}"#, "a batch of Overland", "/overland",
        [.ownTracks, .osmAnd, .gpsLogger, .homeAssistant, .whereabouts]
      ),
      (
        #"{"location":{"coords":{"latitude":51.5,"longitude":-0.1}},"device_id":"a"}"#,
        "a message of Traccar Client", "/osmand", [.ownTracks, .overland, .gpsLogger, .homeAssistant]
      ),
    ] as [(String, String, String, [PhoneDialect])])
  func reasonNamesThePathOfAnotherApp(
    _ body: String, _ message: String, _ path: String, _ dialects: [PhoneDialect]
  ) {
    for dialect in dialects {
      let report = PhoneSamples.report(dialect, body)
      #expect(report.fixes.isEmpty)
      #expect(report.rejections.map(\.reason) == ["is \(message), which belongs to \(path)"], "\(dialect)")
    }
  }
}
