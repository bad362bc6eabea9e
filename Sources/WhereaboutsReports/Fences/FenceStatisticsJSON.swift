import WhereaboutsModel
import WhereaboutsFormats

/// Fence statistics as JSON: a line `{"totals":…}` for each fence, and a line for unused fixes.
///
/// | key of `totals` | unit | meaning |
/// | --- | --- | --- |
/// | `file`, `of` | text | the recording; the id of the fence |
/// | `enter`, `exit`, `dwell` | count | events |
/// | `stays`, `inside`, `shortest` | count, s, s | stays, their total time, and the shortest stay |
/// | `isInside` | flag | true if the last stay has not ended |
/// | `heldBack` | count | suppressed events by reason |
/// | `unused` | count | fixes without use for any fence, by reason, in a line without `of`: `doubted` counts fixes that wait for the next one, `tooCoarse` counts runs of coarse fixes |
enum FenceStatisticsJSON {
  /// Appends the lines.
  static func append(
    _ statistics: FenceStatistics, of fences: [Fence], in file: String?, to bytes: inout [UInt8]
  ) {
    for fence in fences {
      let row = statistics[fence.id]
      bytes.appendJSONObject {
        $0.appendJSONMember("totals") {
          $0.appendJSONMember("file", file)
          $0.appendJSONMember("of", fence.id.name)
          $0.appendJSONMember("enter", row.enters)
          $0.appendJSONMember("exit", row.exits)
          $0.appendJSONMember("dwell", row.dwells)
          $0.appendJSONMember("stays", row.stays.count)
          $0.appendJSONMember("inside", row.timeInside.rounded(to: 1e3))
          $0.appendJSONMember("shortest", row.stays.min()?.rounded(to: 1e3))
          if row.insideSince != nil { $0.appendJSONMember("isInside", true) }
          appendCounts("heldBack", row.suppressed, to: &$0)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    guard !statistics.unusedFixes.isEmpty else { return }
    bytes.appendJSONObject {
      $0.appendJSONMember("totals") {
        $0.appendJSONMember("file", file)
        appendCounts("unused", statistics.unusedFixes, to: &$0)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func appendCounts(
    _ key: StaticString, _ counts: [SuppressionReason: Int], to bytes: inout [UInt8]
  ) {
    guard !counts.isEmpty else { return }
    var object = JSONObject()
    for reason in SuppressionReason.allCases { object.add(reason.key, counts[reason]) }
    bytes.appendJSONKey(key)
    bytes += object.bytes
  }
}
