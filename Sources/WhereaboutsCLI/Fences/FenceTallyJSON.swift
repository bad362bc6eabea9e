import WhereaboutsCore
import WhereaboutsFormats

/// What happened at fences as JSON: a line `{"totals":…}` for each fence, and one for fixes that nothing was told of.
///
/// | key of `totals` | unit | meaning |
/// | --- | --- | --- |
/// | `file`, `of` | text | the recording; the id of the fence |
/// | `enter`, `exit`, `dwell` | count | events |
/// | `stays`, `inside`, `shortest` | count, s, s | stays, how long they were together, and the shortest of them |
/// | `isInside` | flag | true where a stay was not over |
/// | `heldBack` | count | what did not become an event, by why |
/// | `unused` | count | fixes of which nothing could be told, by why; in a line without `of` |
enum FenceTallyJSON {
  /// Appends the lines.
  static func append(_ tally: FenceTally, of fences: [Fence], in file: String?, to bytes: inout [UInt8]) {
    for fence in fences {
      let row = tally[fence.id]
      bytes.putObject {
        $0.put("totals") {
          $0.put("file", file)
          $0.put("of", fence.id.name)
          $0.put("enter", row.enters)
          $0.put("exit", row.exits)
          $0.put("dwell", row.dwells)
          $0.put("stays", row.stays.count)
          $0.put("inside", row.timeInside.rounded(to: 1e3))
          $0.put("shortest", row.stays.min()?.rounded(to: 1e3))
          if row.insideSince != nil { $0.put("isInside", true) }
          put("heldBack", row.heldBack, to: &$0)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    guard !tally.unused.isEmpty else { return }
    bytes.putObject {
      $0.put("totals") {
        $0.put("file", file)
        put("unused", tally.unused, to: &$0)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func put(_ key: StaticString, _ counts: [HeldBack: Int], to bytes: inout [UInt8]) {
    guard !counts.isEmpty else { return }
    var object = JSONObject()
    for why in HeldBack.allCases { object.add(why.key, counts[why]) }
    bytes.put(key: key)
    bytes += object.bytes
  }
}
