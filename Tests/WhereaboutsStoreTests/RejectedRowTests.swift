import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsStore

/// Rows that a server has rejected.
@Suite struct RejectedRowTests {
  private func rows(_ numbers: Range<Int>, of device: DeviceID?) -> [RejectedRow] {
    numbers.map {
      RejectedRow(
        device: device, arrival: t(Int64($0)), dialect: "overland", place: "row \($0)", reason: "no time",
        bytes: [1])
    }
  }

  /// A device that sends only invalid rows retains its newest ones and displaces no rows of other devices.
  @Test func noisyDeviceDisplacesOnlyItsOwn() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    let limit = RejectedRow.limitOfDevice
    try store.append(rows(0..<3, of: "quiet"))
    try store.append(rows(3..<5, of: nil))
    for first in stride(from: 10, to: 12 * limit, by: limit / 2) {
      try store.append(rows(first..<first + limit / 2, of: "noisy"))
    }
    let noisy = try store.rejectedRows(of: "noisy", limit: .max)
    #expect(noisy.count == limit)
    #expect(noisy.first?.place == "row \(12 * limit + 9)")
    #expect(try store.rejectedRows(of: "quiet", limit: .max).map(\.place) == ["row 2", "row 1", "row 0"])
    #expect(try store.rejectedRows(of: nil, limit: .max).count == limit + 5)
    store.close()
  }

  /// An app sends a refused request again and again, and its rows must not displace others.
  @Test func rowThatIsSentAgainIsKeptOnceAsTheNewest() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    for device: DeviceID? in ["anna", nil] {
      try store.append(rows(0..<2, of: device))
      var again = try #require(rows(0..<1, of: device).first)
      again.arrival = t(9)
      again.reason = "the time is 3 h ahead"
      try store.append([again])
    }
    try store.append(rows(1..<2, of: "ben"))
    let anna = try store.rejectedRows(of: "anna", limit: .max)
    #expect(anna.map(\.place) == ["row 0", "row 1"])
    #expect(anna.first?.arrival == t(9) && anna.first?.reason == "the time is 3 h ahead")
    let devices: [DeviceID?] = ["ben", nil, nil, "anna", "anna"]
    #expect(try store.rejectedRows(of: nil, limit: .max).map(\.device) == devices)
    store.close()
  }

  @Test func totalOfRejectedRowsIsBounded() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore.open(at: folder.file)
    for device in 0..<12 { try store.append(rows(0..<1_000, of: DeviceID(rawValue: "d\(device)"))) }
    #expect(try store.rejectedRows(of: nil, limit: .max).count == RejectedRow.limit)
    #expect(try store.rejectedRows(of: "d0", limit: .max).isEmpty)
    #expect(try store.rejectedRows(of: "d11", limit: .max).count == 1_000)
    store.close()
  }
}
