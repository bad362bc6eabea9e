// Not compiled yet: no Linux machine can, and Apple's compiler has not seen these views. Everything that they show comes
// from FenceHereModel, which is built and tested.
//
// To try it: make an iOS app in Xcode, add this package, these two files and those of Model, and put in the keys of Info.plist that
// README.md names.

import Combine
import Foundation
import SwiftUI
import UserNotifications
import Whereabouts
import WhereaboutsCoreLocation
import WhereaboutsStore

@main struct FenceHereApp: App {
  // Made before the launch is over: the system may have launched the app for a region.
  private let screen = ScreenState(
    FenceHereModel(
      LocationManager(
        source: CoreLocationSource(CoreLocationSettings(highestLevel: .always)), clock: .system,
        store: FenceHereApp.store),
      notify: FenceHereApp.notify))

  private static func notify(_ identifier: String, _ text: String) async {
    let content = UNMutableNotificationContent()
    content.body = text
    let request = UNNotificationRequest(identifier: identifier, content: content, trigger: nil)
    try? await UNUserNotificationCenter.current().add(request)
  }

  /// A manager without its store knows no fences, and would end their regions. It opens this one again after a failure.
  private static var store: LateStore {
    let file = URL.documentsDirectory.appending(path: "fences.sqlite").path(percentEncoded: false)
    return LateStore { () throws(StoreError) -> any LocationStore in try SQLiteStore.open(at: file) }
  }

  var body: some Scene {
    WindowGroup {
      FenceHereScreen(state: screen).task {
        _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound])
      }
    }
  }
}

/// Passes the model's changes on to SwiftUI.
@MainActor final class ScreenState: ObservableObject {
  let model: FenceHereModel
  private var following: Task<Void, Never>?

  init(_ model: FenceHereModel) {
    self.model = model
    model.onChange = { [weak self] in self?.objectWillChange.send() }
    following = Task { await model.run() }
  }
}
