/// The progress line with the sources that the doctor listens to, on standard error if standard error is a terminal.
package actor DoctorProgress {
  private let isShown = System.isErasableTerminal(System.standardError)

  package init() {}

  package func show(_ names: [String]) {
    guard isShown, !names.isEmpty else { return }
    let columns = (System.columns(System.standardError) ?? 80) - 1
    StandardError.showProgress(
      String("listening to \(names.joined(separator: ", ")) …".prefix(max(0, columns))))
  }

  /// Erases the line.
  package func end() {
    if isShown { StandardError.eraseProgress() }
  }
}
