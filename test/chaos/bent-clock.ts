// Loaded with the killer in front of the server, into each of its threads: makes the clock as wrong
// as the file CHAOS_CLOCK says.
import { readFileSync } from 'node:fs'

/** A clock that is `ms` ahead, and gains `rate` of the time since `since` (real time in ms). */
export interface Bent {
  readonly ms: number
  readonly rate: number
  readonly since: number
}

const file = process.env['CHAOS_CLOCK'] ?? null
/** How often the file is read: so seldom that the server does not become slower. */
const lookMs = 50
const RealDate = Date
const realNow = Date.now.bind(Date)
let bent: Bent | null = null
let lookedAt = Number.NEGATIVE_INFINITY

if (file !== null) {
  Date.now = () => realNow() + error(file)
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given: unknown[], made) =>
      Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made) as object,
  })
}

function error(path: string): number {
  if (performance.now() - lookedAt > lookMs) {
    lookedAt = performance.now()
    bent = read(path)
  }
  return bent === null ? 0 : Math.round(bent.ms + bent.rate * (realNow() - bent.since))
}

function read(path: string): Bent | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Bent
  } catch {
    return null
  }
}
