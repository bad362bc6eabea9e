import ArgumentParser
import Testing
import WhereaboutsSources

@testable import WhereaboutsCLI

@Suite struct ListenArgumentTests {
  @Test(arguments: [
    ("2947", RelayAddress(port: 2947)), ("0.0.0.0:2948", RelayAddress(host: "0.0.0.0", port: 2948)),
    ("localhost:0", RelayAddress(port: 0)), ("[::1]:2947", RelayAddress(host: "::1", port: 2947)),
    ("boat:10110", RelayAddress(host: "boat", port: 10110)),
  ]) func portIsParsedWithAndWithoutHost(text: String, address: RelayAddress) {
    #expect(ListenArgument(argument: text)?.address == address)
  }

  @Test(arguments: ["", ":", "boat", "boat:", ":2947", "::1:2947", "65536", "-1", "boat:x", "2947 "])
  func invalidAddressIsRejected(text: String) {
    #expect(ListenArgument(argument: text) == nil)
  }

  @Test(arguments: [
    ["relay", "--source", "gpsd"], ["relay", "--source", "gpsd", "--gpsd", "127.0.0.1:2947"],
    ["relay", "--source", "gpsd://boat:2950", "--gpsd", "boat:2950"],
  ]) func relayToSameGPSDIsRejected(words: [String]) {
    #expect(throws: (any Error).self) { try WhereaboutsCommand.parseAsRoot(words) }
  }

  @Test(arguments: [
    ["relay"], ["relay", "--source", "gpsd", "--gpsd", "2948"],
    ["relay", "--source", "gpsd", "--nmea", "10110"],
    ["relay", "--source", "gpsd://boat"],
    ["relay", "--source", "nmea:/dev/ttyACM0", "--nmea", "0.0.0.0:10110"],
  ]) func relayToOtherAddressIsAccepted(words: [String]) {
    #expect(throws: Never.self) { try WhereaboutsCommand.parseAsRoot(words) }
  }
}
