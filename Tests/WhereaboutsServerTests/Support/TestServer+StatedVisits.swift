import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsStore

extension TestServer {
  /// Stores a visit of the device `anna` that a recording states, on the meridian of ``Batches/home``.
  func addStatedVisit(
    _ arrival: String, _ departure: String, latitude: Double, name: String? = nil, kind: String? = nil
  ) throws {
    let visit = RecordedVisit(
      coordinate: try #require(Coordinate(latitude: latitude, longitude: Batches.home.longitude)),
      arrival: try #require(UTCTime(iso8601: arrival)), departure: try #require(UTCTime(iso8601: departure)),
      name: name, kind: kind, probability: 0.75, isConfirmed: true)
    #expect(try store.addStatedVisits([visit], to: "anna").kept == 1)
  }
}
