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
}
