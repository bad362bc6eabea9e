import Testing
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsOperations

@Suite struct FenceMergeTests {
  private static func fence(_ id: String, radius: Double = 100) throws -> Fence {
    let center = try #require(Coordinate(latitude: 51.4779, longitude: -0.0015))
    return Fence(id: FenceID(id), area: .circle(try Area.Circle(center: center, radius: radius)))
  }

  @Test(arguments: [false, true]) func fencesAreCountedByTheirFate(replaces: Bool) throws {
    let present = [try Self.fence("home"), try Self.fence("work")]
    let read = [try Self.fence("home"), try Self.fence("work", radius: 50), try Self.fence("gate")]
    var all = present
    let merge = FenceMerge(of: read, into: &all, replaces: replaces)
    #expect(merge.added == 1 && merge.unchanged == 1 && merge.replaced == (replaces ? 1 : 0))
    #expect(merge.taken == (replaces ? [] : [FenceID("work")]))
    #expect(all == (replaces ? [read[0], read[1], read[2]] : [present[0], present[1], read[2]]))
    let rest = replaces ? "1 replaced, 1 there already" : "1 there already, 1 left out"
    #expect(merge.line == "1 fence added, \(rest)")
  }

  /// A change of the fences at a server begins anew if another program has changed them meanwhile.
  @Test func repeatedMergeCountsOnce() throws {
    let read = [try Self.fence("home"), try Self.fence("gate")]
    var first: [Fence] = [], second = [try Self.fence("work")]
    let merges = [
      FenceMerge(of: read, into: &first, replaces: false),
      FenceMerge(of: read, into: &second, replaces: false),
    ]
    #expect(merges.map(\.added) == [2, 2] && merges[1].line == "2 fences added")
  }
}
