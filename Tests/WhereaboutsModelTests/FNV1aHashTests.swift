import Testing
import WhereaboutsModel

/// Journals, names of wake regions, ids of findings and names of lock files have this hash: it must never change.
@Suite struct FNV1aHashTests {
  private static let published: [(text: String, hash: UInt64)] = [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ]

  @Test func textHasThePublishedHash() {
    for (text, expected) in Self.published {
      var hash = FNV1aHash()
      hash.add(Array(text.utf8))
      #expect(hash.value == expected, "\(text)")
    }
  }

  @Test func numberIsHashedAsItsBytesFromTheLeastSignificant() {
    var number = FNV1aHash(), bytes = FNV1aHash()
    number.add(UInt64(0x8000_0000_0000_0201))
    bytes.add([0x01, 0x02, 0, 0, 0, 0, 0, 0x80])
    #expect(number.value == bytes.value)
    #expect(number.value == 0x1472_A83D_C0D3_6EDA)
  }
}
