import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { AggregationType } from '../../../src/rules/meter/meter.ts'
import { instantOf, parseInstant } from '../../../src/std/instant.ts'
import type { ModelSample } from '../../model/usage.ts'
import { modelValue } from '../../model/usage.ts'
import { runs } from '../../support/run/runs.ts'
import { countedAgainIn } from '../../support/voids/counted-again.ts'
import { play, programs, someOf, voidSome } from '../../support/voids/programs.ts'
import type { VoidWorld } from '../../support/voids/world.ts'
import { nameOfDelta, sorted, voidGround } from '../../support/voids/world.ts'

let ground: Awaited<ReturnType<typeof voidGround>>
beforeAll(async () => {
  ground = await voidGround()
})
afterAll(() => ground.drop())

describe('any set of voids', () => {
  it('leaves the usage of the events without them, whatever changed since they were measured', async () => {
    await fc.assert(
      fc.asyncProperty(programs, someOf, async (program, isVoided) => {
        const world = await ground.world()
        const voided = await play(world, program)
        await world.measure()
        await voidSome(world, voided, isVoided)
        expect(await countedAgainIn(world)).toEqual([])
        for (let round = 0; round < 5; round += 1) await world.archive()
        await world.folds()
        expect(await world.usageRows()).toEqual(modelRows(world, voided))
        await expectShown(world, voided)
        expect(await countedAgainIn(world)).toEqual([])
      }),
      runs(40),
    )
  }, 240_000)
})

/** All events that were measured, without the voided ones, sorted and folded by the slow model. */
function modelRows(world: VoidWorld, voided: ReadonlySet<string>): Map<string, string> {
  const rows = new Map<string, { aggregation: AggregationType; samples: ModelSample[] }>()
  for (const { line, receivedAt, deltas } of world.taken.values()) {
    const timestamp = parseInstant(line.timestamp) ?? instantOf(0)
    for (const delta of deltas) {
      const { aggregation, fold } = delta
      const row = rows.get(nameOfDelta(delta)) ?? { aggregation, samples: [] }
      rows.set(nameOfDelta(delta), row)
      const event = { timestamp, receivedAt, eventId: line.event_id }
      if (!voided.has(line.event_id)) row.samples.push({ quantity: fold.value, event })
    }
  }
  return sorted(
    [...rows].map(([name, { aggregation, samples }]) => [
      name,
      `${samples.length} ${modelValue(aggregation, samples)}`,
    ]),
  )
}

async function expectShown(world: VoidWorld, voided: ReadonlySet<string>): Promise<void> {
  const owner = { businessId: world.businessId, mode: world.mode }
  const names = [...world.taken.values()].map(({ line }) => ({
    eventId: line.event_id,
    timestamp: parseInstant(line.timestamp) ?? instantOf(0),
  }))
  const found = await world.voids.find(owner, names)
  expect(found.size).toBe(voided.size)
  for (const one of found.values())
    expect(one).toMatchObject({ reason: 'a mistake', pending: false })
  const left = await world.db.query(sql`select from void_folds`)
  expect(left).toEqual([])
}
