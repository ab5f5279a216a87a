import type { Tenants } from '../greedy-faults.ts'
import type { Random } from '../random.ts'
import type { ChaosFleet } from './fleet.ts'
import type { Ground } from './ground.ts'

/** What a fault strikes. Two faults may overlap if they strike different things. */
export type Struck = 'http' | 'billing' | 'others' | 'kafka' | 'redis' | 'postgres' | 'tenants'

/** One way to break something. The fault is over when what it struck works again. */
export interface Fault {
  readonly name: string
  /** How often it is in a bag of faults. */
  readonly weight: number
  /** Whether it kills a process of any kind. */
  readonly kills: boolean
  readonly strikes: Struck
  strike(scene: Scene): Promise<void>
}

export interface Scene {
  readonly ground: Ground
  readonly fleet: ChaosFleet
  readonly tenants: Tenants
  /** Random numbers of this fault alone, which other faults at the same time do not change. */
  readonly random: Random
  /** Reports something that must never happen, in words. */
  readonly wrong: (what: string) => void
  /** Reports a moment that did not come in time; the process was then killed at a random one. */
  readonly missed: (name: string) => void
}
