import Testing
import WhereaboutsGeodesy
import WhereaboutsModel

@testable import WhereaboutsFormats

/// The last row of a table whose file may end in its middle. Many programs write no line feed after the last row.
@Suite struct CSVEndTests {
  private static func rows(_ count: Int, _ row: (Int) -> String) -> String {
    (0..<count).map { row($0) + "\n" }.joined()
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  @Test func onlyRowWithFewerFieldsThanTheHeaderEndsInTheMiddle() {
    let text = "time,lat,lon,hacc\n2024-03-01T12:30:02Z,-16.8,17"
    #expect(decodedCSV(text).fixes.isEmpty && decodedCSV(text).problems.counts == [.truncated: 1])
    #expect(decodedCSV(text).problems.samples.first?.line == 2)
    #expect(decodedCSV(text + "\n").fixes.count == 1)
    #expect(decodedCSV(text + "9.9,5").fixes.count == 1)
  }

  /// `0.044219` was cut to `0.04`.
  @Test(arguments: ["0.04421", "0.04", "0.", "0", "-0.0"])
  func lastCoordinateWithFewerDecimalsThanAllBeforeEndsInTheMiddle(end: String) {
    let start = "time,lat,lon\n" + Self.rows(60) { "\(1_709_296_200 + $0),51.477801,0.0442\(10 + $0)" }
    let cut = decodedCSV(start + "1709296300,51.477801,\(end)")
    #expect(cut.fixes.count == 60 && cut.problems.counts == [.truncated: 1])
    #expect(cut.problems.samples.first?.line == 62)
    // A line feed, or all decimals, make it whole.
    #expect(decodedCSV(start + "1709296300,51.477801,0.044219").problems == ProblemLog())
    #expect(decodedCSV(start + "1709296300,51.477801,0.04\n").problems == ProblemLog())
  }

  @Test(arguments: ["2024-03-01T13:30", "2024-03-01", "2024-03-01T13:30:1", "2024-03-01T13:30:10"])
  func lastTimeShorterThanAllBeforeEndsInTheMiddle(end: String) {
    let start = "lat,lon,time\n" + Self.rows(60) { "1,2,2024-03-01T12:\(Self.twoDigits($0)):10Z" }
    let cut = decodedCSV(start + "1,2,\(end)")
    #expect(cut.fixes.count == 60 && cut.problems.counts == [.truncated: 1])
    #expect(decodedCSV(start + "1,2,2024-03-01T13:30:10Z").problems == ProblemLog())
  }

  /// Values without zeros at their end have any number of decimals; few values, or one that repeats, show no form.
  @Test func lastRowOfRowsInOtherFormsIsWhole() {
    let starts: [String] = [
      Self.rows(60) { "51.4778,0.0\(100 + $0)" }.replacing("0.0150", with: "0.015"),
      Self.rows(20) { "51.4778,0.0\(100 + $0)" }, Self.rows(100) { _ in "51.4778,0.0442" },
      Self.rows(100) { "51.4778,\($0)" },
    ]
    for start in starts {
      let batch = decodedCSV("lat,lon\n" + start + "51.4778,0.04")
      #expect(batch.problems == ProblemLog())
      #expect(batch.fixes.last?.coordinate.longitude == 0.04)
    }
  }

  /// A value of another column says nothing about its form.
  @Test func lastValueOfAnotherColumnIsWhole() {
    let rows = Self.rows(60) { "1,2,\(10 + $0).5" }
    #expect(decodedCSV("lat,lon,hacc\n" + rows + "1,2,3").fixes.last?.horizontalAccuracy == 3)
  }
}
