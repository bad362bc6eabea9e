public import Whereabouts
public import WhereaboutsStore

extension SQLiteStore {
  /// Decodes the rows of uploads and returns the faults, in addition to those of a check of the store.
  ///
  /// - Throws: ``Whereabouts/StoreError`` if nothing can be read. Damage is a fault, not an error.
  public func uploadFaults() throws(StoreError) -> [StoreFault] {
    do throws(StoreError) { _ = try uploadStatus() } catch {
      guard error.code == .corrupt else { throw error }
      return [StoreFault(.row, "the upload queue: \(error.description)")]
    }
    return []
  }
}
