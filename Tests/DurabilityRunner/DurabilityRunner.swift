/// A process to be killed.
@main struct DurabilityRunner {
  static func main() {}
}
