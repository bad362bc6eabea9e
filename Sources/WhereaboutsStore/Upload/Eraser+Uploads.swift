import GRDB
import Whereabouts

extension Eraser {
  /// Renews the upload origins. The numbers of an erased device restart, and servers must distinguish new items from
  /// old ones.
  func renewUploadOrigins() throws(StoreError) {
    try store.write(erasing: true) {
      try $0.execute(sql: "UPDATE endpoint SET origin = lower(hex(randomblob(16)))")
    }
  }
}
