/// The message for a key that does not exist.
enum UnknownKey {
  /// Returns the message, with the most similar key.
  static func text(_ key: some StringProtocol) -> String {
    // A key may be anything, also the start of a binary file.
    let shown = String(
      key.unicodeScalars.prefix(40).filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    let bare =
      key.hasPrefix(ServerSetting.prefix) ? key.dropFirst(ServerSetting.prefix.count).description : "\(key)"
    let known = ServerSetting.allCases.map(\.rawValue)
    let nearest = known.map { ($0, distance(Array($0.utf8), Array(bare.uppercased().utf8.prefix(40)))) }.min {
      $0.1 < $1.1
    }
    let remedy =
      if let nearest, nearest.1 <= 3 { "Is \(nearest.0) meant?" } else {
        "The keys are \(known.joined(separator: ", "))."
      }
    return "There is no key \(shown.isEmpty ? "without a name" : shown). \(remedy)"
  }

  /// Returns the number of letters to insert, remove or replace between two words.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (i, letter) in left.enumerated() {
      var previous = row[0]
      row[0] = i + 1
      for (j, other) in right.enumerated() {
        let replaced = previous + (letter == other ? 0 : 1)
        previous = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
