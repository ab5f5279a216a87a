import { sidecarLimits } from './limits.ts'

/** How many events a request to the gateway may hold. */
export interface RequestSize {
  readonly events: number
  /** A request of so many was too large, for the gateway or for a proxy in front of it. */
  halve(sent: number): void
  /** A request was taken. */
  taken(): void
}

/** Halved where a request is too large. A proxy may be mended: doubled when many were taken. */
export function requestSize(most: number): RequestSize {
  let [events, takenInARow] = [most, 0]
  return {
    get events() {
      return events
    },
    halve(sent) {
      events = Math.ceil(sent / 2)
      takenInARow = 0
    },
    taken() {
      takenInARow += 1
      if (takenInARow < sidecarLimits.growAfter) return
      events = Math.min(most, events * 2)
      takenInARow = 0
    },
  }
}
