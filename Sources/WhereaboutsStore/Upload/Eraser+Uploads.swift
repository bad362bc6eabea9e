import GRDB
import Whereabouts

extension Eraser {
  /// The numbers of a device that is forgotten begin anew, so a server must be able to tell them from those before.
  func renewUploadOrigins() throws(StoreTrouble) {
    try store.write(erasing: true) {
      try $0.execute(sql: "UPDATE endpoint SET origin = lower(hex(randomblob(16)))")
    }
  }
}
