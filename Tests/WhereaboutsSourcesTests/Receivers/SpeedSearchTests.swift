import Testing
import WhereaboutsCore

@testable import WhereaboutsSources

@Suite struct SpeedSearchTests {
  private func at(_ seconds: Double) -> Instant { Instant(.seconds(seconds)) }

  /// The speeds that are tried when so many bytes come each second.
  private func speeds(_ bytesEachSecond: Int, present: Int?, seconds: Int) -> [Int] {
    var search = SpeedSearch(present: present, at: at(0))
    var speeds = [search.speed]
    for tenth in 1...(seconds * 10) {
      let now = at(Double(tenth) / 10)
      if bytesEachSecond > 0 { search.hear(bytesEachSecond / 10, at: now) }
      if let next = search.next(at: now) { speeds.append(next) }
    }
    return speeds
  }

  @Test func whatTheLineIsSetToIsTriedFirstAndOnce() {
    #expect(
      speeds(0, present: 115_200, seconds: 60) == [
        115_200, 9600, 4800, 38_400, 57_600, 19_200, 230_400, 460_800, 115_200,
      ])
    #expect(speeds(0, present: nil, seconds: 1) == [9600])
  }

  @Test func aSilentLineIsTriedThroughOnceAndThenWaitedFor() {
    var search = SpeedSearch(present: 9600, at: at(0))
    while let deadline = search.deadline { _ = search.next(at: deadline) }
    #expect(search.isThrough && search.speed == 9600 && search.next(at: at(1e6)) == nil)
    search.hear(10, at: at(1e6))
    #expect(search.deadline == at(1e6).advanced(by: .milliseconds(2200)))
  }

  @Test func muchThatIsNoSentenceMovesItOnAtOnce() {
    #expect(speeds(3000, present: 9600, seconds: 1).count > 5)
    #expect(
      speeds(40, present: 9600, seconds: 2) == [9600], "a slow receiver may have come to its last sentence")
  }

  @Test func itStaysWithWhatWorks() {
    var search = SpeedSearch(present: 9600, at: at(0))
    search.hear(500, at: at(0.1))
    #expect(search.next(at: at(0.1)) == 4800)
    search.settle()
    search.hear(5000, at: at(9))
    #expect(search.next(at: at(9)) == nil && search.deadline == nil && search.speed == 4800)
    search.begin(at: at(10))
    #expect(search.next(at: at(10)) == nil && search.next(at: at(12.3)) == 38_400)
  }
}
