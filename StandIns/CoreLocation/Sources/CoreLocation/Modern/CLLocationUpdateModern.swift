#if APPLE_MODERN
  @available(iOS 17.0, macOS 14.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
  public struct CLLocationUpdate: Sendable {
    public enum LiveConfiguration: Hashable, Sendable {
      case `default`
      case automotiveNavigation
      case otherNavigation
      case fitness
      case airborne
    }

    public struct Updates: AsyncSequence, Sendable {
      public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async throws -> CLLocationUpdate? { nil }
      }
      public func makeAsyncIterator() -> Iterator { Iterator() }
    }

    public let location: CLLocation?

    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates { Updates() }
  }

  @available(*, unavailable)
  extension CLLocationUpdate.Updates.Iterator: Sendable {}
#endif
