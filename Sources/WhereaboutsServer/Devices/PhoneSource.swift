import Whereabouts

/// The source of a device whose fixes arrive in requests: it sends nothing itself and lasts as long as its manager.
struct PhoneSource: LocationSource {
  func run(_ link: SourceLink) async {
    // Demands can't reach a phone, which decides itself when it sends.
    for await _ in link.demands {}
  }
}
