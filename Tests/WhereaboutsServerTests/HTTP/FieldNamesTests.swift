import HTTPTypes
import Testing

@testable import WhereaboutsServer

@Suite struct FieldNamesTests {
  /// An invalid name would trap in the first request that needs it.
  @Test func eachNameIsValid() {
    let names: [HTTPField.Name] = [
      .accelBuffering, .crossOriginOpenerPolicy, .lastEventID, .ownTracksDevice, .ownTracksUser,
      .permissionsPolicy, .referrerPolicy, .secFetchSite, .serviceWorkerAllowed, .xForwardedFor,
      .xForwardedHost,
    ]
    #expect(Set(names).count == 11)
  }
}
