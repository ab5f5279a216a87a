import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { timesOf } from '../support/run/long.ts'
import { describedWorld } from './described-world.ts'
import type { Subscriber } from './plan.ts'
import { fresh, subscriber } from './plan.ts'

const at = describedWorld()

const kills = timesOf('KILLS', { short: 2, long: 4 })

interface Sent {
  readonly ids: readonly string[]
  readonly quantity: number
}

/** Sends until the server is gone. Answers which events got a 200, and which got no answer. */
async function hammer(one: Subscriber) {
  const [answered, open]: [Sent[], Sent[]] = [[], []]
  const callers = Array.from({ length: 6 }, async (_, caller) => {
    for (;;) {
      const ids = Array.from({ length: 1 + caller * 7 }, () => fresh('crash'))
      const sent = { ids, quantity: 1 + (caller % 3) }
      const status = await send(one, sent)
      if (status === 200) answered.push(sent)
      else open.push(sent)
      if (status === null) return
    }
  })
  return { answered, open, over: Promise.all(callers) }
}

async function send(one: Subscriber, { ids, quantity }: Sent): Promise<number | null> {
  const [customer_id, event_name] = [one.customerId, one.eventNames[0]]
  const events = ids.map((event_id) => ({
    event_id,
    customer_id,
    event_name,
    metadata: { n: quantity },
  }))
  const answer = await at.call('POST /events/ingest', { body: { events } }).catch(() => null)
  return answer?.status ?? null
}

it('counts what it answered with 200 once, however often it is killed', {
  timeout: 300_000,
}, async () => {
  const one = await subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' }, unitsPerCredit: '1' }],
    mapping: { credits_amount: '1000000000' },
  })
  const all: Sent[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    const { answered, open, over } = await hammer(one)
    await sleep(100 + 211 * kill)
    while (answered.length === 0) await sleep(5)
    await at.stop('SIGKILL')
    await over
    await at.start()
    // Events without an answer are sent again with the same ids, and so are some with one.
    for (const sent of [...open, ...answered.slice(-5)]) {
      await expect.poll(() => send(one, sent)).toBe(200)
    }
    all.push(...answered, ...open)
  }
  const total = all.reduce((sum, { ids, quantity }) => sum + ids.length * quantity, 0)
  const spent = async () => 1_000_000_000 - Number((await one.balance()).balance)
  await expect.poll(spent, { timeout: 60_000 }).toBe(total)
  // Nothing more comes after it.
  expect(await one.balance(await one.use({}))).toEqual({
    balance: String(1_000_000_000 - total),
    overage: '0',
  })
  const ledger = await one.ledger()
  expect(ledger[0]?.balance_after).toBe(String(1_000_000_000 - total))
  for (const [index, entry] of ledger.slice(1).entries()) {
    expect(ledger[index]?.balance_before).toBe(entry.balance_after)
  }
  await expect.poll(async () => (await at.metrics()).get('sluice_unaccounted_events')).toBe(0)
  expect(all.length).toBeGreaterThan(kills * 6)
  for (const { ids } of all.filter((_, index) => index % 50 === 0)) {
    expect((await at.call(`GET /events/${encodeURIComponent(ids[0] ?? '')}`)).status).toBe(200)
  }
})
