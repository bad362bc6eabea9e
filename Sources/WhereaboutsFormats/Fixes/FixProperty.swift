package import WhereaboutsModel

/// A property of a fix, by the type of its value.
package enum FixProperty: Hashable, Sendable {
  // Properties that are one of their kind.
  case time, latitude, longitude, mode, solution, activity, source
  // Properties of common types. A flag is written only if it is set.
  case double(FixOffset<Double?>)
  case float(FixOffset<Float?>)
  case count(FixOffset<UInt8?>)
  case whole(FixOffset<Int16?>)
  case flag(FixOffset<Bool>)
}

/// The offset of a stored property in a fix.
///
/// Reading by the offset is as fast as reading the property, where a key path costs a call in the runtime.
package struct FixOffset<Value: BitwiseCopyable & Sendable>: Hashable, Sendable {
  @usableFromInline let offset: Int

  init(_ path: KeyPath<Fix, Value>) {
    guard let offset = MemoryLayout<Fix>.offset(of: path) else {
      preconditionFailure("\(path) is no stored property")
    }
    self.offset = offset
  }

  /// Returns the value of the property in a fix.
  @inlinable
  package func value(in fix: borrowing Fix) -> Value {
    withUnsafeBytes(of: fix) { $0.loadUnaligned(fromByteOffset: offset, as: Value.self) }
  }

  /// Sets the property in a fix.
  @inlinable
  package func set(_ value: Value, in fix: inout Fix) {
    withUnsafeMutableBytes(of: &fix) { $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
  }
}
