import Testing
import WhereaboutsModel

@testable import WhereaboutsSources

@Suite struct SpeedSearchTests {
  private func instant(at seconds: Double) -> Instant { Instant(.seconds(seconds)) }

  /// The speeds that are tried with a number of bytes each second.
  private func speeds(_ bytesEachSecond: Int, present: Int?, seconds: Int) -> [Int] {
    var search = SpeedSearch(present: present, at: instant(at: 0))
    var speeds = [search.speed]
    for tenth in 1...(seconds * 10) {
      let now = instant(at: Double(tenth) / 10)
      if bytesEachSecond > 0 { search.recordBytes(bytesEachSecond / 10, at: now) }
      if let next = search.nextSpeed(at: now) { speeds.append(next) }
    }
    return speeds
  }

  @Test func currentSpeedIsTriedFirstAndOnce() {
    #expect(
      speeds(0, present: 115_200, seconds: 60) == [
        115_200, 9600, 4800, 38_400, 57_600, 19_200, 230_400, 460_800, 115_200,
      ])
    #expect(speeds(0, present: nil, seconds: 1) == [9600])
  }

  @Test func silentLineIsSearchedOnceAndThenWaitedFor() {
    var search = SpeedSearch(present: 9600, at: instant(at: 0))
    while let deadline = search.deadline { _ = search.nextSpeed(at: deadline) }
    #expect(search.hasTriedAllSpeeds && search.speed == 9600 && search.nextSpeed(at: instant(at: 1e6)) == nil)
    search.recordBytes(10, at: instant(at: 1e6))
    #expect(search.deadline == instant(at: 1e6).advanced(by: .milliseconds(2200)))
  }

  @Test func manyInvalidBytesAdvanceTheSearchAtOnce() {
    #expect(speeds(3000, present: 9600, seconds: 1).count > 5)
    #expect(
      speeds(40, present: 9600, seconds: 2) == [9600], "a slow receiver may have come to its last sentence")
  }

  @Test func searchStaysWithAWorkingSpeed() {
    var search = SpeedSearch(present: 9600, at: instant(at: 0))
    search.recordBytes(500, at: instant(at: 0.1))
    #expect(search.nextSpeed(at: instant(at: 0.1)) == 4800)
    search.markFound()
    search.recordBytes(5000, at: instant(at: 9))
    #expect(search.nextSpeed(at: instant(at: 9)) == nil && search.deadline == nil && search.speed == 4800)
    search.restart(at: instant(at: 10))
    #expect(search.nextSpeed(at: instant(at: 10)) == nil && search.nextSpeed(at: instant(at: 12.3)) == 38_400)
  }
}
