import Testing

@testable import WhereaboutsFormats

/// Inputs that fuzzing found, reduced.
@Suite struct GPXFuzzRegressionTests {
  @Test(arguments: [
    "<gpx></met\0</met\0a\0\0\0\0\u{1D}adata><wpt lat=\"1\" lon=\"2\"/>",
    "<gpx><wpt lat=\"1\" lon=\"2\"/></w!<wpt lat=\"3\" lon=\"4\"/><wpt lat=\"5\" lon=\"6\"/>", "p\0", "x",
    "<gpx/>nt=", "<gpx></gpx>\"?>x><wpt lat0\"p",
    "<gpx></gpx>\n n n\0<wpt lat=\"1\" lon=\"2\"/>",
    "p\0<\0w\0p\0t\0 <wpt lat=\"1\" lon=\"2\"/>",
  ])
  func malformedDocumentsAreTheSameForAnyChunking(text: String) {
    expectSameResultForAnyChunking(Array(text.utf8)) { GPXDecoder() }
  }

  @Test func zeroBytesInAnElementNameMakeItUnknown() {
    let bytes = Array("<gpx>&<\0\0wpt lat=\"1\" lon=\"2\"/><\0wpt lat=\" <wpt lat=\"3\" lon=\"4\"/>".utf8)
    expectSameResultForAnyChunking(bytes) { GPXDecoder() }
    var decoder = GPXDecoder()
    #expect(decoder.decodeAll(bytes).elements.count == 1)
  }

  @Test func garbageEndingInsideACharacterIsHandled() {
    expectSameResultForAnyChunking(Array("<gpx></gpx>V".utf8) + [0xF0]) { GPXDecoder() }
  }
}
