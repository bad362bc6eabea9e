/// The line that says which sources are being listened to, on standard error if that is a terminal.
actor DoctorProgress {
  private let isShown = System.isTerminal(System.standardError)

  func show(_ names: [String]) {
    guard isShown, !names.isEmpty else { return }
    let columns = (System.columns(System.standardError) ?? 80) - 1
    StandardError.write(
      "\r\u{1B}[K\("listening to \(names.joined(separator: ", ")) …".prefix(max(0, columns)))")
  }

  /// Leaves nothing of it on the terminal.
  func end() {
    if isShown { StandardError.write("\r\u{1B}[K") }
  }
}
