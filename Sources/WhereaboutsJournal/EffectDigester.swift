import WhereaboutsFormats
public import WhereaboutsEngine
import WhereaboutsModel

/// A digest of an engine's effects for an input, so that a replay can prove equal effects.
///
/// The digest is the 64-bit FNV-1a hash (Fowler, Noll and Vo) of the effects in their JSON form, each on a line. That
/// form is exact, and depends on neither the platform nor the process. The digest detects accidents, not deliberate
/// changes.
public struct EffectDigester: Sendable {
  private var scratch: [UInt8] = []

  /// Creates a digester, which reuses its memory for each digest.
  public init() {}

  /// Returns the digest of effects in their order; `nil` for none.
  public mutating func digest(_ effects: [Effect]) -> UInt64? {
    guard !effects.isEmpty else { return nil }
    scratch.removeAll(keepingCapacity: true)
    for effect in effects {
      scratch.appendJSONObject { $0.appendJSONMembers(effect) }
      scratch.append(UInt8(ascii: "\n"))
    }
    var hash = FNV1aHash()
    hash.add(scratch)
    return hash.value
  }
}
