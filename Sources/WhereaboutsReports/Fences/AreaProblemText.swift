package import WhereaboutsGeodesy

/// Errors of areas as text without coordinates.
package enum AreaProblemText {
  package static func text(_ problem: AreaError) -> String {
    switch problem {
    case .radius: "a radius is more than 0 m and at most \(Quantities.length(Area.Circle.greatestRadius))"
    case .width: "a width is more than 0 m and at most \(Quantities.length(Area.Corridor.greatestWidth))"
    case .tooFewCorners(let count): "a ring needs three corners, and there are \(count)"
    case .tooFewPlaces(let count): "a line needs two places, and there are \(count)"
    case .crossesItself: "two of its edges cross or touch"
    case .ringsCross: "two of its rings cross or overlap"
    case .holeOutside: "a hole is not inside"
    case .edgeTooLong: "an edge goes half-way around the Earth, and so has no direction"
    case .tooLarge: "it is half of the Earth or more"
    case .empty: "there is nothing in it"
    }
  }
}
