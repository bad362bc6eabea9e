/// Smoothing: the correction of an earlier state by later fixes.
///
/// - Source: Rauch, Tung and Striebel, "Maximum likelihood estimates of linear dynamic systems", *AIAA Journal* 3 (8),
///   1965.
extension MotionState {
  /// Returns this state, corrected by the smoothed next state.
  ///
  /// - Parameters:
  ///   - step: the step from this state to the next one.
  ///   - smoothed: the next state, already smoothed.
  func smoothed(over step: Step, with: MotionState) -> MotionState {
    var foreseen = self
    foreseen.predict(step)
    let gain = Gain(from: covariance, over: step, to: foreseen.covariance)
    let Δp = with.place - foreseen.place
    let Δv = with.velocity - foreseen.velocity
    let Δo = with.offset - foreseen.offset
    var state = self
    state.place += Δp * gain.p.0 + Δv * gain.p.1 + Δo * gain.p.2
    state.velocity += Δp * gain.v.0 + Δv * gain.v.1 + Δo * gain.v.2
    state.offset += Δp * gain.o.0 + Δv * gain.o.1 + Δo * gain.o.2
    state.covariance.add(gain, times: with.covariance - foreseen.covariance)
    return state
  }

  /// Returns the change of velocity in a step that is most likely by all fixes after it, beyond the change that the step
  /// expects: its square, in m²/s², and its variance an axis; `nil` if the fixes say nothing of it.
  ///
  /// - Parameters:
  ///   - step: the step from this state to the next one.
  ///   - smoothed: the next state, already smoothed.
  /// - Source: the smoothed disturbances of de Jong and Penzer, "Diagnosing shocks in time series", *Journal of the
  ///   American Statistical Association* 93 (442), 1998.
  func changeOfVelocity(over step: Step, to smoothed: MotionState) -> (square: Double, variance: Double)? {
    var foreseen = self
    foreseen.predict(step)
    // A change in the middle of the step.
    let row = foreseen.covariance.inverted.times((step.duration / 2, 1, 0))
    let gained = (foreseen.covariance - smoothed.covariance).times(row)
    let information = gained.0 * row.0 + gained.1 * row.1 + gained.2 * row.2
    guard information > 0 else { return nil }
    let Δp = smoothed.place - foreseen.place
    let Δv = smoothed.velocity - foreseen.velocity
    let Δo = smoothed.offset - foreseen.offset
    let change = (Δp * row.0 + Δv * row.1 + Δo * row.2) / information
    return ((change * change).sum(), 1 / information)
  }

  /// The matrix C Fᵀ P⁻¹, by rows: C of the earlier state, F of the step, P of the predicted later state.
  fileprivate struct Gain {
    typealias Row = (Double, Double, Double)
    var p: Row
    var v: Row
    var o: Row

    init(from c: Covariance, over step: Step, to later: Covariance) {
      let t = step.duration, m = step.memory
      let inverse = later.inverted
      p = inverse.times((c.pp + t * c.pv, c.pv, c.po * m))
      v = inverse.times((c.pv + t * c.vv, c.vv, c.vo * m))
      o = inverse.times((c.po + t * c.vo, c.vo, c.oo * m))
    }
  }
}

extension MotionState.Covariance {
  fileprivate static func - (left: Self, right: Self) -> Self {
    Self(
      pp: left.pp - right.pp, pv: left.pv - right.pv, po: left.po - right.po, vv: left.vv - right.vv,
      vo: left.vo - right.vo, oo: left.oo - right.oo)
  }

  fileprivate func times(_ row: (Double, Double, Double)) -> (Double, Double, Double) {
    (
      pp * row.0 + pv * row.1 + po * row.2, pv * row.0 + vv * row.1 + vo * row.2,
      po * row.0 + vo * row.1 + oo * row.2
    )
  }

  fileprivate var inverted: Self {
    let A = vv * oo - vo * vo
    let B = po * vo - pv * oo
    let C = pv * vo - po * vv
    let scale = 1 / (pp * A + pv * B + po * C)
    return Self(
      pp: A * scale, pv: B * scale, po: C * scale, vv: (pp * oo - po * po) * scale,
      vo: (pv * po - pp * vo) * scale, oo: (pp * vv - pv * pv) * scale)
  }

  /// Adds G D Gᵀ.
  fileprivate mutating func add(_ gain: MotionState.Gain, times D: Self) {
    let p = D.times(gain.p), v = D.times(gain.v), o = D.times(gain.o)
    func product(_ a: MotionState.Gain.Row, _ b: MotionState.Gain.Row) -> Double {
      a.0 * b.0 + a.1 * b.1 + a.2 * b.2
    }
    pp += product(gain.p, p)
    pv += product(gain.p, v)
    po += product(gain.p, o)
    vv += product(gain.v, v)
    vo += product(gain.v, o)
    oo += product(gain.o, o)
  }
}
