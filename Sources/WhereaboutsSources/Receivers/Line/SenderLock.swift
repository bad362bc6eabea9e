import NIOCore
import WhereaboutsCore

/// Which of several senders of datagrams is listened to: the first, for as long as it delivers.
///
/// A sender is an address and a port. Some make a new port for each datagram: where three in a row come from one address
/// and three ports that were not heard of before, the address is taken for the sender.
struct SenderLock: Sendable {
  enum Verdict: Hashable {
    case taken
    /// Taken, from another sender than before.
    case takenAnew
    case passedOver
  }

  /// How long whoever is listened to may be silent.
  static let patience = Duration.seconds(5)
  private static let agreement = 3

  private(set) var locked: SocketAddress?
  private var isByAddress = false
  private var last = Instant.start
  /// Ports of the locked address that were heard once, since it was heard itself.
  private var strangers: [Int] = []
  /// How many datagrams came from others.
  private(set) var passedOver = 0

  mutating func judge(_ sender: SocketAddress, at now: Instant) -> Verdict {
    guard let locked else { return take(sender, at: now, as: .taken) }
    let isSame = sender == locked || (isByAddress && sender.ipAddress == locked.ipAddress)
    if isSame {
      last = now
      strangers.removeAll()
      return .taken
    }
    if now >= last.advanced(by: Self.patience) { return take(sender, at: now, as: .takenAnew) }
    if sender.ipAddress == locked.ipAddress, let port = sender.port {
      if strangers.contains(port) { strangers.removeAll() }
      strangers.append(port)
      if strangers.count >= Self.agreement {
        isByAddress = true
        return take(sender, at: now, as: .taken)
      }
    }
    passedOver += 1
    return .passedOver
  }

  private mutating func take(_ sender: SocketAddress, at now: Instant, as verdict: Verdict) -> Verdict {
    if sender.ipAddress != locked?.ipAddress { isByAddress = false }
    locked = sender
    last = now
    strangers.removeAll()
    return verdict
  }
}

/// Lets the datagrams of one sender through.
final class SenderLockHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias InboundOut = ByteBuffer

  /// Sent on when what follows is from another sender.
  struct SenderChanged {
    var old: String
    var new: String
  }

  private var lock = SenderLock()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let datagram = unwrapInboundIn(data)
    // What holds no sentence does not make its sender one that delivers.
    guard
      datagram.data.readableBytesView.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") })
    else { return }
    let before = lock.locked
    switch lock.judge(datagram.remoteAddress, at: .now) {
    case .passedOver: return
    case .takenAnew:
      let change = SenderChanged(old: before?.sender ?? "", new: datagram.remoteAddress.sender)
      context.fireUserInboundEventTriggered(change)
    case .taken: break
    }
    context.fireChannelRead(wrapInboundOut(datagram.data))
  }
}

extension SocketAddress {
  /// The address and port of a sender, as `192.168.1.7:4001`.
  fileprivate var sender: String {
    let address = ipAddress ?? "an unknown address"
    return "\(address.contains(":") ? "[\(address)]" : address):\(port ?? 0)"
  }
}

extension Instant {
  /// The present moment of the clock that event loops keep.
  static var now: Instant { Instant(.nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds))) }
}
