import WhereaboutsEngine
import Testing
import Whereabouts
import WhereaboutsGeoClue
import WhereaboutsSources

/// The code of "Take live fixes on Linux". What needs a receiver is only compiled.
@Suite struct LiveExamples {
  func automaticSource() async throws -> Answer {
    let manager = LocationManager(source: .automatic, clock: .system)
    let answer = try await manager.fix(.house, timeout: .seconds(30))
    return answer
  }

  func customFailover() -> FailoverSource {
    let source = FailoverSource([
      FailoverSource.Member(
        Failover.Member(name: "masthead"), ReceiverSource(.tcp(host: "192.168.1.7", port: 10_110))),
      FailoverSource.Member(
        Failover.Member(name: "puck"), ReceiverSource(.serial(path: "/dev/ttyACM0"))),
    ])
    return source
  }

  func printSourceHealth(_ manager: LocationManager) async {
    for await status in manager.statuses {
      for source in status.sources {
        print(source.name, source.state.rawValue, source.problem?.remedy ?? "")
      }
    }
  }

  #if GeoClue && os(Linux)
    func desktopLocationService() -> LocationManager {
      let source = GeoClueSource(GeoClueSettings(desktopID: "org.example.Compass"))
      let manager = LocationManager(source: source, clock: .system)
      return manager
    }
  #endif

  @Test func idleSourcesAreNotOpened() async {
    let manager = LocationManager(source: customFailover(), clock: .system)
    #expect(await manager.lastFix == nil)
    #expect(await manager.status.source == .working)
  }
}

/// Discards the output of the examples.
private func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}
