import Testing

@Suite struct DurabilityTests {}
