import HTTPTypes
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

/// The position in a history after which the next page begins, as text for a client.
///
/// The owner's text has the number of the last fix among all fixes of the device. That of another reader has its number
/// among the fixes of its instant: the other number would state how many fixes are withheld.
struct HistoryCursor {
  let position: HistoryPosition

  /// Creates the cursor after a fix.
  init(after fix: StoredFix) {
    position = fix.position
  }

  /// Reads a cursor of any reader.
  ///
  /// The text of an owner begins the page of another reader with all fixes of its instant, whatever its number: a reader
  /// would find the number of a fix by trying. Earlier versions gave such texts to all readers.
  init(_ text: String, for disclosure: Disclosure, of device: DeviceID, in store: SQLiteStore) throws {
    let isOwners = text.contains(".")
    let parts = text.split(separator: Self.separator(isOwners: isOwners), omittingEmptySubsequences: false)
    guard parts.count == 2, let time = Int64(parts[0]), let number = Int64(parts[1]), number >= 0,
      text == Self.text(time, number, isOwners: isOwners)
    else {
      throw Problem(.badRequest, "cursor must be the text that an earlier page returned as next.")
    }
    if isOwners {
      position = HistoryPosition(time: time, seq: disclosure.isOwner(of: device) ? number : .min)
    } else {
      position = try store.historyPosition(of: device, at: time, behind: number)
    }
  }

  /// Returns the text for a reader.
  func text(
    for disclosure: Disclosure, of device: DeviceID, in store: SQLiteStore
  ) throws(StoreError) -> String {
    let isOwner = disclosure.isOwner(of: device)
    let number = try isOwner ? position.seq : store.fixCount(of: device, upTo: position)
    return Self.text(position.time, number, isOwners: isOwner)
  }

  private static func text(_ time: Int64, _ number: Int64, isOwners: Bool) -> String {
    "\(time)\(separator(isOwners: isOwners))\(number)"
  }

  private static func separator(isOwners: Bool) -> Character { isOwners ? "." : "~" }
}
