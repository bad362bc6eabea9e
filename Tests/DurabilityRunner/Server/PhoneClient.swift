import Foundation
import Synchronization
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsTesting

/// The fixes of one phone: a walk forth and back over the fence at its home.
struct PhonePlan {
  static let home = (latitude: 52.52, longitude: 13.405)

  let device: String
  let batches: [[(time: UTCTime, latitude: Double)]]

  init(device: String, seed: UInt64, walks: Int, start: UTCTime) {
    self.device = device
    var random = SeededGenerator(seed: seed), time = start, step = 0
    var fixes: [(time: UTCTime, latitude: Double)] = []
    // Walks of 1.1 km there and back, with a rest at the far end.
    for _ in 0..<walks {
      for place in Array(0..<40) + Array(repeating: 40, count: 10) + Array((0..<40).reversed()) {
        time = time.advanced(by: .seconds(Int.random(in: 15...25, using: &random)))
        let noise = Double.random(in: -2e-5...2e-5, using: &random)
        // No two places are the same, so that a loss shows.
        step += 1
        fixes.append((time, Self.home.latitude + Double(place) * 2.5e-4 + noise + Double(step) * 1e-9))
      }
    }
    var batches: [[(time: UTCTime, latitude: Double)]] = []
    while !fixes.isEmpty {
      let count = min(fixes.count, Int.random(in: 1...12, using: &random))
      batches.append(Array(fixes.prefix(count)))
      fixes.removeFirst(count)
    }
    self.batches = batches
  }

  var places: [Coordinate] {
    batches.joined().compactMap {
      Coordinate(latitude: $0.latitude, longitude: Self.home.longitude)
    }
  }

  /// A batch as Overland sends it.
  func body(_ batch: Int) -> [UInt8] {
    let features = batches[batch].map { fix in
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[\(Self.home.longitude),\(fix.latitude)]},\
      "properties":{"timestamp":"\(fix.time.iso8601)","horizontal_accuracy":6,"device_id":"\(device)"}}
      """
    }
    return Array("{\"locations\":[\(features.joined(separator: ","))]}".utf8)
  }
}

/// A phone that sends each batch until it is acknowledged.
final class PhoneClient: Sendable {
  private let plan: PhonePlan
  private let next = Mutex(0)

  init(_ plan: PhonePlan) { self.plan = plan }

  var isDone: Bool { next.withLock { $0 } == plan.batches.count }

  /// Sends until all is acknowledged or the server has ended.
  func sendAll(to server: ServerProcess) {
    // A slow machine may break a connection.
    while !isDone, server.isRunning { send(to: server.exchange, pausing: false) }
  }

  /// Sends until all is acknowledged or the server is gone.
  ///
  /// - Parameter rest: the number of batches that are left for later.
  func send(to exchange: HTTPExchange, pausing: Bool, leaving rest: Int = 0) {
    while true {
      let batch = next.withLock { $0 }
      guard batch < plan.batches.count - rest else { return }
      guard let response = exchange.response("POST", "/overland", body: plan.body(batch)) else { return }
      guard response.status == 200, response.body == "{\"result\":\"ok\"}" else { continue }
      next.withLock { $0 += 1 }
      if pausing { usleep(3_000) }
    }
  }
}

/// A client that reads the event stream and resumes after its last crossing.
final class StreamReader: Sendable {
  private let state = Mutex<(ids: [Int], rest: String)>(([], ""))

  var ids: [Int] { state.withLock { $0.ids } }

  func read(from exchange: HTTPExchange) {
    state.withLock { $0.rest = "" }
    exchange.stream("/api/v1/stream", after: ids.last ?? 0) { bytes in
      state.withLock { state in
        // The ends of lines of the chunks around the events don't matter.
        state.rest += String(decoding: bytes.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        while let end = state.rest.range(of: "\n\n") {
          let event = state.rest[..<end.lowerBound]
          if event.contains("event: crossing"),
            let line = event.split(separator: "\n").first(where: { $0.hasPrefix("id: ") }),
            let id = Int(line.dropFirst(4))
          {
            state.ids.append(id)
          }
          state.rest.removeSubrange(..<end.upperBound)
        }
      }
    }
  }
}

/// A thread that can be waited for.
struct BackgroundThread {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = done
    let thread = Thread {
      body()
      done.signal()
    }
    thread.start()
  }

  func join() { done.wait() }
}
