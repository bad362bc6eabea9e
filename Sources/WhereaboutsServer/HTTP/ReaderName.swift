import Foundation

/// The name of a reader for the owner of a device: a network and a browser. The owner recognizes the reader, and no
/// whole address is stored.
struct ReaderName {
  /// The address without its port; `nil` for a socket of this machine.
  let address: String?
  /// The field of the request; `nil` for none.
  let userAgent: String?

  /// The name, as in `192.0.2.0/24, Firefox on Android`.
  var text: String { "\(Self.network(of: address, (24, 48))), \(program)" }

  /// Returns the network of an address.
  ///
  /// - Parameters:
  ///   - address: an IPv4 or IPv6 address; `nil` for this machine.
  ///   - bits: the lengths of the prefixes of IPv4 and of IPv6. One household has an IPv6 network of 64 bits or fewer.
  static func network(of address: String?, _ bits: (v4: Int, v6: Int)) -> String {
    guard let address else { return "this machine" }
    var v4 = [UInt8](repeating: 0, count: 4), v6 = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &v4) == 1 {
      return v4[0] == 127 ? "this machine" : name(v4, bits.v4)
    }
    guard inet_pton(AF_INET6, address, &v6) == 1 else { return "this machine" }
    if v6.prefix(10).allSatisfy({ $0 == 0 }), v6[10] == 0xFF, v6[11] == 0xFF {
      // An IPv4 address at a listener of both kinds.
      return network(of: v6.suffix(4).map { "\($0)" }.joined(separator: "."), bits)
    }
    return v6.dropLast().allSatisfy { $0 == 0 } && v6[15] == 1 ? "this machine" : name(v6, bits.v6)
  }

  private static func name(_ address: [UInt8], _ bits: Int) -> String {
    var bytes = address
    for index in bytes.indices {
      let kept = min(8, max(0, bits - index * 8))
      bytes[index] &= kept == 0 ? 0 : UInt8.max << (8 - kept)
    }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "this machine" }
    let network = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return bits == bytes.count * 8 ? network : "\(network)/\(bits)"
  }

  /// The browser and its system in words. The order matters: browsers also name the ones that they resemble.
  private var program: String {
    guard let userAgent else { return "another program" }
    func first(_ names: [(mark: String, name: String)]) -> String? {
      names.first { userAgent.contains($0.mark) }?.name
    }
    let browser = first([
      ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("FxiOS", "Firefox"),
      ("Firefox/", "Firefox"), ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
      ("curl/", "curl"),
    ])
    guard let browser else { return "another program" }
    let system = first([
      ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
      ("Mac OS X", "Mac"),
      ("Linux", "Linux"),
    ])
    return system.map { "\(browser) on \($0)" } ?? browser
  }
}
