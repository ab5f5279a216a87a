import { beforeAll, describe, expect, it } from 'vitest'
import type { Body } from './here.ts'
import { at, here, items, moveOn } from './here.ts'

describe('limits and the overview', () => {
  beforeAll(moveOn)

  it('tells the tier and what is left of it', async () => {
    const { status, body } = await here.viewer.call('GET /test/limits')
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['tier', 'unlimited', 'per_second', 'per_minute', 'nearest_limit', 'remaining'],
    ])
  })

  it('sums up the money that was taken and the credits that moved, of the own business', async () => {
    const { status, body } = await here.viewer.call('GET /test/overview/totals')
    const { money, credits } = body as Readonly<Record<string, Totals>>
    const paid = await here.viewer.call('GET /test/payments?status=succeeded&page_size=100')
    // The first start's sample has paid, too: nothing, in another currency.
    const currencies = new Set(items(paid).map((one) => String(one['currency'])))
    const sums = [...currencies].map((currency) => {
      const own = items(paid).filter((one) => one['currency'] === currency)
      const amount = own.reduce((sum, one) => sum + Number(one['total_amount']), 0)
      return { currency, amount, payments: own.length }
    })
    expect(status).toBe(200)
    expect(money?.items.toSorted(byCurrency)).toEqual(sums.toSorted(byCurrency))
    expect(sums.some(({ amount }) => amount > 0)).toBe(true)
    expect(credits?.items).toContainEqual({
      credit_entitlement_id: here.shop.credit,
      name: 'Render minutes',
      unit: 'minute',
      granted: '600',
      used: '0',
    })
    const other = await here.stranger.call('GET /test/overview/totals')
    expect([other.body['money'], other.body['credits']]).toMatchObject([
      { items: [] },
      { items: [] },
    ])
    expect((await at.nobody().call('GET /test/overview/totals')).status).toBe(401)
  })

  it('counts what was settled by business and mode, and says nothing of neighbours', async () => {
    await use()
    const settled = async (who: typeof here.viewer, mode: string) => {
      const { status, body } = await who.call(`GET /${mode}/overview?span=hour`)
      expect(status).toBe(200)
      const all = body['items'] as readonly Body[]
      return all.reduce((sum, one) => sum + Number(one['settled_per_second']), 0)
    }
    const own = { timeout: 60_000, interval: 1_000 }
    await expect.poll(() => settled(here.viewer, 'test'), own).toBeGreaterThan(0)
    expect(await settled(here.viewer, 'live')).toBe(0)
    expect(await settled(here.stranger, 'test')).toBe(0)
    expect((await here.viewer.call('GET /test/overview?span=year')).status).toBe(422)
  }, 90_000)
})

/** Usage of the sample of the first start, in test mode. */
async function use(): Promise<void> {
  const key = at.server().ready['api_key']
  // The newest stand first.
  const oldest = items(await here.viewer.call('GET /test/customers?page_size=100')).at(-1)
  const events = Array.from({ length: 100 }, (_, index) => ({
    event_id: `settled-${index}`,
    customer_id: oldest?.['customer_id'],
    event_name: 'llm.completion',
    metadata: { tokens: 1 },
  }))
  const sent = await fetch(`${at.base()}/events/ingest`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ events }),
  })
  expect(sent.status).toBe(200)
}

interface Totals {
  readonly since: string | null
  readonly items: readonly Body[]
}

const byCurrency = (a: Body, b: Body): number =>
  String(a['currency']) < String(b['currency']) ? -1 : 1
