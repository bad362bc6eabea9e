import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

#if Upload
  import WhereaboutsUpload
#endif

/// A runner that uploads from a store to its endpoints, and reports problems of the uploads.
struct UploadRunner: Sendable {
  let store: OpenStore

  /// Uploads until the task is cancelled.
  func run() async {
    #if Upload
      await uploadUntilCancelled()
    #else
      if let endpoints = try? store.base.endpoints(), !endpoints.isEmpty {
        StandardError.print("whereabouts: could not upload: \(UploadSupport.unavailableReason)")
      }
    #endif
  }
}

#if Upload
  extension UploadRunner {
    private func uploadUntilCancelled() async {
      while !Task.isCancelled {
        // Most stores have no endpoints, and need no uploader.
        if let endpoints = try? store.base.endpoints(), !endpoints.isEmpty {
          await Uploader(store: store.base, report: Self.report).run()
        }
        do { try await Task.sleep(for: Uploader.checkInterval) } catch { return }
      }
    }

    @Sendable private static func report(_ event: UploadEvent) {
      switch event.kind {
      case .sent, .anotherProcessSends: break
      case .failed(let reason, let again):
        let pause = Quantities.duration(again.components.seconds == 0 ? 1 : Double(again.components.seconds))
        StandardError.print(
          "whereabouts: could not reach \(event.endpoint): \(reason); next attempt in \(pause)")
      case .deadLettered(let items, let reason):
        StandardError.print(
          """
          whereabouts: \(event.endpoint) rejected \(Quantities.count(items, "fix or event", "fixes and events")): \
          \(reason). Run `whereabouts queue status` to show them.
          """)
      case .stopped(let reason):
        StandardError.print("whereabouts: stopped uploads to \(event.endpoint): \(reason)")
      case .storeFailed(let problem): StandardError.print("whereabouts: uploads are paused: \(problem)")
      }
    }
  }
#endif
