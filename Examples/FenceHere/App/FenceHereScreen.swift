// Not compiled yet: see FenceHereApp.swift.

import SwiftUI
import UIKit
import Whereabouts

struct FenceHereScreen: View {
  @ObservedObject var state: ScreenState

  private var model: FenceHereModel { state.model }

  var body: some View {
    NavigationStack {
      List {
        Section {
          Text(model.statusLine)
          Button(model.isSearching ? "Stop" : "Start") { Task { await model.toggleSearch() } }
          Button("Fence here") { Task { await model.fenceHere() } }
          if let message = model.message { Text(message).foregroundStyle(.secondary) }
        }
        Section("Fences") {
          if let warning = model.warning {
            Text(warning).foregroundStyle(.secondary)
            if let settings = URL(string: UIApplication.openSettingsURLString) {
              Link("Open Settings", destination: settings)
            }
          }
          ForEach(model.fences, id: \.self) { Text($0) }
            .onDelete { places in
              let names = places.map { model.fences[$0] }
              Task { for name in names { await model.remove(name) } }
            }
        }
        Section("Last exits") {
          ForEach(model.exits) { exit in
            Text("\(exit.fence), \(exit.time.iso8601) ± \(Int(exit.uncertainty.rounded())) s")
          }
        }
        Section("Why") {
          ForEach(Array(model.reasons.enumerated()), id: \.offset) { Text($0.element) }
        }
      }
      .navigationTitle(model.isSearching ? "Searching" : "Fence here")
    }
  }
}
