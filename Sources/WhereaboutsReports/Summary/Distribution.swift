/// The distribution of numbers in bounded memory: counts, extremes and quantiles.
///
/// The first 16,384 numbers are stored and give exact quantiles. Later numbers are counted in buckets with a width of
/// 1/128 of their power of two. Quantiles are then exact to 0.4 %, in 35 kB for any count. Numbers below 0.0001 count
/// as 0, and numbers above 10^9 count as 10^9.
struct Distribution: Sendable {
  static let exactLimit = 16_384

  private(set) var count = 0
  private(set) var least: Double?
  private(set) var greatest: Double?
  private var exact: [Double] = []
  private var zeros = 0
  private var buckets: [Int] = []

  /// Adds a number. Negative numbers and NaN are ignored.
  mutating func add(_ value: Double) {
    guard value >= 0 else { return }
    count += 1
    least = min(least ?? value, value)
    greatest = max(greatest ?? value, value)
    if buckets.isEmpty {
      exact.append(value)
      if exact.count > Self.exactLimit { beginBuckets() }
    } else {
      countInBucket(value)
    }
  }

  /// Returns the smallest number that at least this share (0 to 1) of the numbers do not exceed; `nil` without
  /// numbers.
  func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = min(max(Int((share * Double(count)).rounded(.up)), 1), count)
    guard !buckets.isEmpty else { return exact.sorted()[rank - 1] }
    var reached = zeros
    if reached >= rank { return 0 }
    for (index, bucket) in buckets.enumerated() {
      reached += bucket
      if reached >= rank {
        // The middle of the bucket, limited to the range of the numbers.
        let middle = (Self.lowerBound(index) + Self.lowerBound(index + 1)) / 2
        return min(max(middle, least ?? middle), greatest ?? middle)
      }
    }
    return greatest
  }

  /// Returns the count of numbers above the limit.
  func count(above limit: Double) -> Int {
    guard !buckets.isEmpty else { return exact.count { $0 > limit } }
    guard let first = Self.bucket(of: limit) else { return count - zeros }
    return buckets[min(first + 1, buckets.count)...].reduce(0, +)
  }

  private mutating func beginBuckets() {
    buckets = Array(repeating: 0, count: Self.bucketCount)
    for value in exact { countInBucket(value) }
    exact = []
  }

  private mutating func countInBucket(_ value: Double) {
    if let index = Self.bucket(of: value) { buckets[index] += 1 } else { zeros += 1 }
  }

  // A bucket is an unsigned exponent with the first seven bits of the significand, so its index is cheap to compute.
  private static let significandBits: UInt64 = 52 - 7
  private static let firstBucket = (1e-4).bitPattern >> significandBits
  private static let bucketCount = Int((1e9).bitPattern >> significandBits) - Int(firstBucket) + 1

  private static func bucket(of value: Double) -> Int? {
    guard value >= 1e-4 else { return nil }
    return Int((min(value, 1e9).bitPattern >> significandBits) - firstBucket)
  }

  private static func lowerBound(_ bucket: Int) -> Double {
    Double(bitPattern: (UInt64(bucket) + firstBucket) << significandBits)
  }
}
