import Foundation

/// The deliveries to a consumer by all processes of a run.
struct DeliveryRecord {
  /// The delivered records by number.
  private(set) var texts: [Int: String] = [:]
  /// The number of deliveries, with repetitions.
  private(set) var deliveries = 0
  /// Violations of the delivery guarantee.
  private(set) var violations: [String] = []

  init(path: String) {
    guard let content = try? String(contentsOfFile: path, encoding: .utf8) else { return }
    var last = 0
    for line in content.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let number = Int(parts[0]) else {
        violations.append("a malformed line: \(line.prefix(80))")
        continue
      }
      recordDelivery(number, String(parts[1]), after: last)
      last = number
    }
  }

  /// Records a delivery. A kill repeats at most one record, since each is acknowledged before the next.
  private mutating func recordDelivery(_ number: Int, _ text: String, after last: Int) {
    deliveries += 1
    if number < last { violations.append("\(number) was delivered after \(last), although acknowledged") }
    if let before = texts[number], before != text {
      violations.append("\(number) was delivered with two contents: \(before) and \(text)")
    }
    texts[number] = text
  }

  func differences(from expected: DeliveryRecord) -> [String] {
    var differences: [String] = []
    for number in Set(texts.keys).union(expected.texts.keys).sorted()
    where texts[number] != expected.texts[number] {
      differences.append(
        "\(number) is \(texts[number]?.prefix(300) ?? "lost"), and undisturbed \(expected.texts[number]?.prefix(300) ?? "not there")"
      )
    }
    // One difference causes differences in all later records.
    return Array(differences.prefix(3))
  }
}

/// A copy of a database as a process left it, to be checked without changing the original.
struct DatabaseCopy {
  let path: String

  /// - Returns: `nil` if there is no file yet.
  init?(of original: String, in folder: WorkFolder) throws {
    let files = FileManager.default
    path = folder.path("copy.sqlite")
    guard files.fileExists(atPath: original) else { return nil }
    for suffix in ["", "-wal", "-journal", "-shm"] {
      try? files.removeItem(atPath: path + suffix)
      // The shared memory is useless without its processes.
      if suffix != "-shm", files.fileExists(atPath: original + suffix) {
        try files.copyItem(atPath: original + suffix, toPath: path + suffix)
      }
    }
  }
}
