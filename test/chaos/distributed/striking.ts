import { setTimeout as sleep } from 'node:timers/promises'
import { greeds } from '../../support/edge/greedy.ts'
import { beGreedy } from '../greedy-faults.ts'
import type { Random } from '../random.ts'
import type { Fault, Scene, Struck } from './faults.ts'
import { processFaults } from './process-faults.ts'
import { serverFaults } from './server-faults.ts'

const greedyFaults = greeds.map(
  (kind): Fault => ({
    name: `a greedy tenant: ${kind}`,
    weight: 1,
    kills: false,
    strikes: 'tenants',
    strike: (scene) => beGreedy(kind, { ...scene, isAlone: false }),
  }),
)

/** Every fault of this campaign. */
export const faults: readonly Fault[] = [...processFaults, ...serverFaults, ...greedyFaults]

/** How many faults may be under way at once. */
const overlapMax = 4

/** How long a start may still fail because of what was away: clients wait before they try again. */
const aftermathMs = 30_000

export interface Strikes {
  /**
   * Strikes all of these, some at the same time and about in this order; resolves when everything
   * struck works again.
   */
  strike(chosen: Iterable<Fault>, scene: Omit<Scene, 'random' | 'missed'>): Promise<void>
  /** Whether something that the processes need is away, or was a moment ago. */
  isStruck(): boolean
  readonly counts: ReadonlyMap<string, number>
  readonly kills: number
  /** Moments that did not come in time. */
  readonly missed: readonly string[]
}

export interface StrikesOptions {
  readonly random: Random
  /** By `performance.now()`; no fault strikes after it. */
  readonly deadlineMs: number
  readonly progress: (line: string) => void
}

export function openStrikes({ random, deadlineMs, progress }: StrikesOptions): Strikes {
  const counts = new Map<string, number>()
  const missed: string[] = []
  const underWay = new Map<Struck, Promise<void>>()
  let struckMs = Number.NEGATIVE_INFINITY
  let [number, kills] = [0, 0]
  return {
    strike,
    isStruck: () => groundIsStruck() || performance.now() - struckMs < aftermathMs,
    counts,
    get kills() {
      return kills
    },
    missed,
  }

  async function strike(
    chosen: Iterable<Fault>,
    scene: Omit<Scene, 'random' | 'missed'>,
  ): Promise<void> {
    const waiting = [...chosen]
    while (waiting.length > 0 && performance.now() < deadlineMs) {
      // Where a fault's target is struck already, faults behind it go first.
      const free = waiting.findIndex(({ strikes }) => !underWay.has(strikes))
      if (free < 0 || underWay.size >= overlapMax) {
        await Promise.race(underWay.values())
        continue
      }
      const [fault] = waiting.splice(free, 1)
      if (fault !== undefined) begin(fault, scene)
      await sleep(random.between(50, 800))
    }
    await Promise.all(underWay.values())
  }

  function begin(fault: Fault, scene: Omit<Scene, 'random' | 'missed'>): void {
    number += 1
    const beganMs = performance.now()
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    if (fault.kills) kills += 1
    const own = random.stream(`${fault.name} ${number}`)
    const title = `${number} ${fault.name}`
    progress(title)
    const striking = fault
      .strike({ ...scene, random: own, missed: (name) => missed.push(name) })
      .catch((error: unknown) => scene.wrong(`'${fault.name}' could not be undone: ${error}`))
      .finally(() => {
        if (isOfGround(fault.strikes)) struckMs = performance.now()
        underWay.delete(fault.strikes)
        progress(`  ${title} took ${Math.round(performance.now() - beganMs)} ms`)
      })
    underWay.set(fault.strikes, striking)
  }

  function groundIsStruck(): boolean {
    return [...underWay.keys()].some(isOfGround)
  }
}

const isOfGround = (struck: Struck): boolean =>
  struck === 'kafka' || struck === 'redis' || struck === 'postgres'
