import Testing
import Whereabouts
import WhereaboutsSources

/// What the README's code calls, so that it goes on compiling and does what is said there; shortened for the page.
@Suite struct ReadmeExamples {
  private let drive = """
    \(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })/Samples/city-drive.nmea
    """

  @Test func whereAmI() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible), clock: .drivenBySource)
    let answer = try await manager.fix(.house, timeout: .seconds(30))
    #expect(answer.level == .house)
    #expect(try #require(answer.fix.horizontalAccuracy) <= 15)
    #expect(answer.age == .zero)
  }

  @Test func holdingARequest() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible), clock: .drivenBySource)
    let request = manager.request(.room, timeout: .seconds(2))
    switch await request.outcome {
    case .reached, .completedEarly: Issue.record("the sample begins with poor fixes")
    case .timedOut(let best): #expect(best != nil)
    default: Issue.record("no outcome to expect")
    }
  }

  @Test func asItMoves() async throws {
    let manager = LocationManager(
      source: ReplaySource(path: drive, speed: .asFastAsPossible), clock: .drivenBySource)
    var count = 0
    for await fix in manager.fixes(.block, distanceFilter: 10, keeping: .waiting(upTo: 8)) {
      #expect(fix.isSimulated)
      count += 1
    }
    #expect(count > 100)
  }
}
