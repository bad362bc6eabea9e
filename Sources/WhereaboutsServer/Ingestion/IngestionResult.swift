import Whereabouts

/// The outcome of a device's fixes: all of them are on the disk.
struct IngestionResult: Sendable, Equatable {
  /// The number of fixes that were stored.
  var stored = 0
  /// The number of fixes that the store had already.
  var repeated = 0
}

/// The reason why fixes could not be stored. The client sends them again.
struct IngestionError: Error {
  /// The store's error.
  var cause: StoreError
  /// Whether the log has the cause, once for as long as it lasts: the health of the device's store states the cause.
  var isLogged = false
  /// Whether the token of the request was revoked while the request waited, as with its device.
  var isUnauthorized = false

  /// The error of a request whose token was revoked while it waited.
  static let unauthorized = IngestionError(
    cause: StoreError(.failed, message: "store fixes: their token is revoked"), isLogged: true,
    isUnauthorized: true)
}
