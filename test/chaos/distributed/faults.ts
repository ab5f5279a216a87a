import type { Tenants } from '../greedy-faults.ts'
import type { Random } from '../random.ts'
import type { ChaosFleet } from './fleet.ts'
import type { Ground } from './ground.ts'

/** What a fault strikes. Two faults overlap when they strike different things. */
export type Struck = 'http' | 'billing' | 'others' | 'kafka' | 'redis' | 'postgres' | 'tenants'

/** One way to break something; it is over when what it struck is back. */
export interface Fault {
  readonly name: string
  /** How many of it are in a bag of faults. */
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
  /** Of this fault alone: others that strike meanwhile do not move what it draws. */
  readonly random: Random
  /** Takes what must never happen, in words. */
  readonly wrong: (what: string) => void
  /** A moment did not come in time, and the process was killed at a random one. */
  readonly missed: (name: string) => void
}
