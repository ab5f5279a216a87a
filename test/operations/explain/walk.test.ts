import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Walk } from '../../../src/operations/explain/walk.ts'
import { walkEvents } from '../../../src/operations/explain/walk.ts'
import { hour } from '../../../src/std/instant.ts'
import type { Pipeline } from '../../support/measuring/pipeline.ts'
import { openPipeline } from '../../support/measuring/pipeline.ts'
import { openShop } from '../../support/process/shop.ts'

let pipeline: Pipeline
beforeAll(async () => {
  pipeline = await openPipeline()
})
afterAll(() => pipeline.drop())

it('visits what is archived while there is time, and says where there was too little', async () => {
  const { businessId, event, send } = await openShop(pipeline, {}, {})
  const { customer: customerId, name: eventName } = event('a', {})
  await send(event('a', { tokens: 1 }), event('b', { tokens: 2 }))
  await pipeline.archive()
  const now = pipeline.clock.now()
  const walk: Walk = {
    owner: { businessId, mode: 'test' },
    customerId,
    eventName,
    from: (now - hour) as typeof now,
    to: (now + hour) as typeof now,
    wants: () => true,
  }
  const walked = async (withinMs?: number) => {
    const seen: string[] = []
    const { complete } = await walkEvents(
      pipeline.explaining,
      withinMs === undefined ? walk : { ...walk, withinMs },
      ({ event: found }) => seen.push(found.eventId),
    )
    return { complete, seen: seen.sort() }
  }
  expect(await walked()).toEqual({ complete: true, seen: ['a', 'b'] })
  expect(await walked(0)).toEqual({ complete: false, seen: [] })
})
