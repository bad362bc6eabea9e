import CoreLocation
import Testing
import Whereabouts

@testable import CoreLocationAdapter

/// The code of pages that needs the source itself.
@Suite struct SourceExamples {
  // Not run: it would ask for this machine's own Core Location.
  func makeManager() -> LocationManager {
    let source = CoreLocationSource(CoreLocationSettings(highestLevel: .always))
    let manager = LocationManager(source: source, clock: .system)
    return manager
  }

  @Test func settingsHaveTheDefaultsOfTheirPage() {
    #expect(CoreLocationSettings().highestLevel == .whenInUse)
  }
}
