import WhereaboutsStore

#if Upload
  import WhereaboutsUpload
#endif

/// Sends what a store keeps to its endpoints, as long as there are any, and says what keeps it from that.
struct Sending: Sendable {
  let store: OpenStore

  /// Goes on until the task is cancelled.
  func run() async {
    #if Upload
      await send()
    #else
      if let endpoints = try? store.base.endpoints(), !endpoints.isEmpty {
        StandardError.say("whereabouts: nothing is sent: \(UploadSupport.missing)")
      }
    #endif
  }
}

#if Upload
  extension Sending {
    private func send() async {
      while !Task.isCancelled {
        // Nothing is begun for nobody: most stores have no endpoints.
        if let endpoints = try? store.base.endpoints(), !endpoints.isEmpty {
          await Uploader(store: store.base, tell: Self.say).run()
        }
        do { try await Task.sleep(for: Uploader.pace) } catch { return }
      }
    }

    @Sendable private static func say(_ news: UploadNews) {
      switch news.event {
      case .sent, .otherSends: break
      case .failed(let reason, let again):
        let pause = Quantities.duration(again.components.seconds == 0 ? 1 : Double(again.components.seconds))
        StandardError.say("whereabouts: \(news.endpoint) was not reached: \(reason); again in \(pause)")
      case .setAside(let items, let reason):
        StandardError.say(
          "whereabouts: \(news.endpoint) will not have \(Quantities.count(items, "fix or event", "fixes and events")): "
            + "\(reason); `whereabouts queue` has them")
      case .stopped(let reason):
        StandardError.say("whereabouts: nothing more is sent to \(news.endpoint): \(reason)")
      case .storeTrouble(let trouble): StandardError.say("whereabouts: not sending for now: \(trouble)")
      }
    }
  }
#endif
