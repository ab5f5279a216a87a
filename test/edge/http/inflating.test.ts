import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { byteBudget } from '../../../src/edge/http/budget.ts'
import type { Exchange } from '../../../src/edge/http/exchange.ts'
import { inflated, openInflating } from '../../../src/edge/http/json.ts'
import { limits } from '../../../src/limits.ts'

const exchange: Exchange = {
  startedAt: 0 as Exchange['startedAt'],
  over: false,
  beganAt: null,
  outlet: null,
  address: () => '',
  last: () => undefined,
  hangUp: () => undefined,
  answer: () => undefined,
  expireIn: () => undefined,
  onOver: () => undefined,
}

const open = () => {
  const budget = byteBudget(64 * 1024 * 1024)
  return openInflating({ budget, bytesMax: limits.bodyBytesMax })
}
const failure = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error)

/** Events that are as alike as they may be. */
const events = (count: number): string =>
  JSON.stringify({
    events: Array.from({ length: count }, (_, index) => ({
      event_id: `${index}`,
      customer_id: 'cus_1',
      event_name: 'llm.completion',
      metadata: { model: 'large', region: 'eu-west-1', tokens: 1, kind: 'x'.repeat(100) },
    })),
  })

describe('inflating', () => {
  it('makes of a body what it was, however alike its events are', async () => {
    const room = open()
    for (const count of [1, 100, 1_000]) {
      const text = events(count)
      const plain = await inflated(gzipSync(text), room, { name: 'one', exchange })
      expect(plain.toString()).toBe(text)
    }
  })

  it('goes to a hundred times what was sent and no further', async () => {
    const room = open()
    const bomb = gzipSync(Buffer.alloc(limits.bodyBytesMax - 1, 'x'))
    expect(bomb.length).toBeLessThan(5_000)
    const refused = await failure(inflated(bomb, room, { name: 'one', exchange }))
    expect(refused).toMatchObject({ code: 'REQUEST_TOO_LARGE' })
    expect((refused as Error).message).toContain(`more than ${bomb.length * limits.inflationMax}`)
    const small = gzipSync(Buffer.alloc(limits.inflatedBytesMin, 'x'))
    const plain = await inflated(small, room, { name: 'one', exchange })
    expect(plain.length).toBe(limits.inflatedBytesMin)
    expect([room.turns.held, room.turns.waiting]).toEqual([0, 0])
  })

  it('serves a business while another has many to inflate', async () => {
    const room = open()
    const body = gzipSync(events(1_000))
    const order: string[] = []
    const come = (name: string) =>
      inflated(body, room, { name, exchange }).then(() => void order.push(name))
    const greedy = Array.from({ length: 60 }, () => come('greedy'))
    expect(room.turns.held).toBe(limits.businessInflationsMax)
    await come('victim')
    expect(order.filter((name) => name === 'greedy').length).toBeLessThan(10)
    await Promise.all(greedy)
    expect([room.turns.held, room.turns.waiting]).toEqual([0, 0])
  })
})
