// Declarations only: nothing happens. The adapter uses none of them.
#if APPLE_MODERN && (APPLE_IOS || APPLE_MACOS)
  public import Foundation

  @available(iOS 17.0, macOS 14.0, *)
  @available(watchOS, unavailable)
  @available(tvOS, unavailable)
  @available(visionOS, unavailable)
  public protocol CLCondition: Decodable, Encodable, Sendable {}

  @available(iOS 17.0, macOS 14.0, *)
  @available(watchOS, unavailable)
  @available(tvOS, unavailable)
  @available(visionOS, unavailable)
  public actor CLMonitor {
    public struct CircularGeographicCondition: CLCondition {
      public var center: CLLocationCoordinate2D
      public var radius: CLLocationDistance

      public init(center: CLLocationCoordinate2D, radius: CLLocationDistance) {
        self.center = center
        self.radius = radius
      }

      public init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        center = try CLLocationCoordinate2D(
          latitude: numbers.decode(Double.self), longitude: numbers.decode(Double.self))
        radius = try numbers.decode(Double.self)
      }

      public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        for number in [center.latitude, center.longitude, radius] { try numbers.encode(number) }
      }
    }

    public struct Event: Sendable {
      public enum State: Int32, Sendable {
        case unknown = 0
        case satisfied = 1
        case unsatisfied = 2
        case unmonitored = 3
      }

      public let identifier: String
      public let state: State
      public let date: Date
      public let refinement: (any CLCondition)?
    }

    public struct Record: Sendable {
      public let condition: any CLCondition
      public let lastEvent: Event
    }

    public struct Events: AsyncSequence, Sendable {
      public struct Iterator: AsyncIteratorProtocol {
        public mutating func next() async throws -> Event? { nil }
      }
      public func makeAsyncIterator() -> Iterator { Iterator() }
    }

    public final let events = Events()
    public var identifiers: [String] { [] }

    public init(_ name: String) async {}

    public func add(_ condition: any CLCondition, identifier: String) {}
    public func add(_ condition: any CLCondition, identifier: String, assuming state: Event.State) {}
    public func remove(_ identifier: String) {}
    public func record(for identifier: String) -> Record? { nil }
  }
#endif
