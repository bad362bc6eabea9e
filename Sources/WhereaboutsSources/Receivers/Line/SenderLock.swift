import NIOCore
import WhereaboutsModel

/// A lock on one of several datagram senders: the first, for as long as it delivers.
///
/// A sender is an address and a port. Some senders use a new port for each datagram: after three new ports in a row
/// from one address, the address counts as the sender.
struct SenderLock: Sendable {
  enum Verdict: Hashable {
    case accepted
    /// The datagram was accepted, from another sender than before.
    case acceptedFromNewSender
    case ignored
  }

  /// The time for which the locked sender may be silent.
  static let senderTimeout = Duration.seconds(5)
  private static let newPortThreshold = 3

  private(set) var locked: SocketAddress?
  private var isByAddress = false
  private var lastAccepted = Instant.start
  /// The locked address's ports that were seen once since the locked port's last datagram.
  private var unconfirmedPorts: [Int] = []
  /// The number of datagrams dropped from other senders.
  private(set) var ignoredCount = 0

  mutating func check(_ sender: SocketAddress, at now: Instant) -> Verdict {
    guard let locked else { return lock(sender, at: now, as: .accepted) }
    let isSame = sender == locked || (isByAddress && sender.ipAddress == locked.ipAddress)
    if isSame {
      lastAccepted = now
      unconfirmedPorts.removeAll()
      return .accepted
    }
    if now >= lastAccepted.advanced(by: Self.senderTimeout) {
      return lock(sender, at: now, as: .acceptedFromNewSender)
    }
    if sender.ipAddress == locked.ipAddress, let port = sender.port {
      if unconfirmedPorts.contains(port) { unconfirmedPorts.removeAll() }
      unconfirmedPorts.append(port)
      if unconfirmedPorts.count >= Self.newPortThreshold {
        isByAddress = true
        return lock(sender, at: now, as: .accepted)
      }
    }
    ignoredCount += 1
    return .ignored
  }

  private mutating func lock(_ sender: SocketAddress, at now: Instant, as verdict: Verdict) -> Verdict {
    if sender.ipAddress != locked?.ipAddress { isByAddress = false }
    locked = sender
    lastAccepted = now
    unconfirmedPorts.removeAll()
    return verdict
  }
}

/// A channel handler that passes the datagrams of one sender.
final class SenderLockHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias InboundOut = ByteBuffer

  /// An event that the next datagram is from another sender.
  struct SenderChanged {
    var old: String
    var new: String
  }

  private var lock = SenderLock()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let datagram = unwrapInboundIn(data)
    // A datagram without a sentence does not make its sender one that delivers.
    guard
      datagram.data.readableBytesView.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "!") })
    else { return }
    let before = lock.locked
    switch lock.check(datagram.remoteAddress, at: .now) {
    case .ignored: return
    case .acceptedFromNewSender:
      let change = SenderChanged(
        old: before?.addressAndPort ?? "", new: datagram.remoteAddress.addressAndPort)
      context.fireUserInboundEventTriggered(change)
    case .accepted: break
    }
    context.fireChannelRead(wrapInboundOut(datagram.data))
  }
}

extension SocketAddress {
  /// The address and port of a sender, as `192.168.1.7:4001`.
  fileprivate var addressAndPort: String {
    let address = ipAddress ?? "an unknown address"
    return "\(address.contains(":") ? "[\(address)]" : address):\(port ?? 0)"
  }
}

extension Instant {
  /// The present time of the event loops' clock.
  static var now: Instant { Instant(.nanoseconds(Int64(clamping: NIODeadline.now().uptimeNanoseconds))) }
}
