import { setTimeout as sleep } from 'node:timers/promises'
import type { Life } from './life.ts'
import type { Random } from './random.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Forward and back. [guarantees#clocks] */
const steps = [hourMs, 3 * dayMs, 120 * dayMs].flatMap((by) => [by, -by])
const drifts = [0.01, -0.01, 0.2]

/** Steps the clock of one process, and sets it right again some seconds later. */
export async function stepClock(life: Life, random: Random): Promise<void> {
  life.bend(random.pick(steps), 0)
  await sleep(random.between(500, 6_000))
  life.bend(0, 0)
}

/** Makes the clock gain or lose time, and sets it right again. */
export async function driftClock(life: Life, random: Random): Promise<void> {
  life.bend(0, random.pick(drifts))
  await sleep(random.between(2_000, 10_000))
  life.bend(0, 0)
}

/** Makes the clock wrong while the process starts, and for a while after that. */
export async function startBent(life: Life, random: Random): Promise<void> {
  await life.kill()
  life.bend(random.pick(steps), 0)
  await life.start()
  await sleep(random.between(0, 4_000))
  life.bend(0, 0)
}
