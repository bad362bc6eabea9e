public import WhereaboutsCore

/// Digests what an engine made of an input, so that a replay can prove that it made the same of it.
///
/// The digest is the 64-bit FNV-1a hash (Fowler, Noll and Vo) of the effects in their JSON form, each on a
/// line, which is exact. It depends on neither the platform nor the process. It guards against accidents, not against
/// somebody who wants to deceive.
public struct EffectDigester: Sendable {
  private var scratch: [UInt8] = []

  /// A digester. It keeps its memory from one digest to the next.
  public init() {}

  /// The digest of effects in their order; `nil` where there are none.
  public mutating func digest(_ effects: [Effect]) -> UInt64? {
    guard !effects.isEmpty else { return nil }
    scratch.removeAll(keepingCapacity: true)
    for effect in effects {
      scratch.putObject { $0.put(effect) }
      scratch.append(UInt8(ascii: "\n"))
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in scratch { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
  }
}
