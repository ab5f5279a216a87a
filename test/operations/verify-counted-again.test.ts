import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../src/parts/store/postgres/connection/sql.ts'
import { after, day } from '../../src/std/instant.ts'
import { countedAgainIn } from '../support/voids/counted-again.ts'
import { voidSteps } from '../support/voids/steps.ts'
import type { VoidWorld } from '../support/voids/world.ts'
import { customers, voidGround } from '../support/voids/world.ts'

const [customer] = customers

describe('usage and its events', () => {
  let ground: Awaited<ReturnType<typeof voidGround>>
  let world: VoidWorld
  const steps = voidSteps(() => world)
  beforeAll(async () => {
    ground = await voidGround()
  })
  afterAll(() => ground.drop())
  beforeEach(async () => {
    world = await ground.world()
    await steps.metered('count', 'sum', 'max', 'last')
    for (const half of [0, 1]) {
      world.send([0, 1, 2].map((index) => event(`${half} ${index}`, 10 * half + index)))
      await world.measure()
      // The second half stays behind in the log.
      if (half === 0) await world.archive()
    }
  })

  const event = (id: string, n: number) => ({
    event_id: id,
    customer_id: customer,
    event_name: 'call',
    metadata: { n },
  })

  const bend = (change: string): Promise<unknown> => world.db.query({ text: change, values: [] })

  it('agree, whether events are archived or not', async () => {
    expect(await countedAgainIn(world)).toEqual([])
    await world.archive()
    expect(await countedAgainIn(world)).toEqual([])
  })

  it.each([
    ['sum', 'value = value + 7', 'is 43 of 6 events, and its events make 36 of 6 events'],
    ['count', 'value = 7, events = 7', 'is 7 of 7 events, and its events make 6 of 6 events'],
    ['max', 'value = 11', 'is 11 of 6 events, and its events make 12 of 6 events'],
    ['last', 'value = 0', 'is 0 of 6 events, and its events make 12 of 6 events'],
  ])('differ where a %s was bent (%s)', async (type, change, said) => {
    await bend(`update usage set ${change} where aggregation = '${type}'`)
    const [found, ...more] = await countedAgainIn(world)
    expect(found).toContain(`Customer ${customer}: its usage of meter`)
    expect(found).toContain(`(${type}) ${said}`)
    expect(more).toEqual([])
  })

  it('differ where a row is gone, or was made up', async () => {
    await bend(`update usage set route_id = 'sub_1' where aggregation = 'sum'`)
    const found = await countedAgainIn(world)
    expect(found).toEqual([
      expect.stringContaining('(sum) is 36 of 6 events, and its events make 0 of 0 events'),
      expect.stringContaining('(sum) is not there, and its events make 36 of 6 events'),
    ])
  })

  it.each([
    ['older events are no longer kept', sql`start_offset = 0`],
    ['no event is kept any more', sql`true`],
  ])('are not compared where %s', async (_, dropped) => {
    await world.archive()
    await world.db.query(sql`delete from archive_blocks where ${dropped}`)
    expect(await countedAgainIn(world)).toEqual([])
  })

  it('are not compared while a void is still to be folded', async () => {
    await world.voidOf('1 2')
    expect(await countedAgainIn(world)).toEqual([])
    world.clock.at = after(world.clock.at, day)
    await world.archive()
    await world.folds()
    expect(await countedAgainIn(world)).toEqual([])
    await bend(`update usage set value = 12 where aggregation = 'max'`)
    expect(await countedAgainIn(world)).toHaveLength(1)
  })
})
