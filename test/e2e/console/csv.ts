import { beforeAll, describe, expect, it } from 'vitest'
import { listedIn } from '../../../src/pages/console/exports.ts'
import { walkedLists } from '../../../src/pages/console/walked-lists.ts'
import { at, here, items, moveOn } from './here.ts'

describe('CSV', () => {
  beforeAll(moveOn)

  /** With the ids that their paths name: all of which the shop has one. */
  const listed = (): readonly string[] => {
    const { shop } = here
    const ids: Readonly<Record<string, string>> = {
      ':customer_id': shop.customer,
      ':discount_id': shop.discount,
      ':product_id': shop.product,
    }
    const owners: Readonly<Record<string, string>> = {
      'credit-entitlements': shop.credit,
      entitlements: shop.entitlement,
      subscriptions: shop.subscription,
      webhooks: shop.webhook,
    }
    const within = [...listedIn].flatMap(([one, fields]) =>
      fields.map((field) => `${one.replace(':id', shop.payment)}/${field}`.slice(1)),
    )
    return [...walkedLists.keys()]
      .filter((pattern) => !/:message_id|:payout_id/.test(pattern))
      .map((pattern) => {
        const steps = pattern.slice(1).split('/')
        const named = steps.map((step) => ids[step] ?? step)
        return named.map((step) => (step === ':id' ? owners[named[0] ?? ''] : step)).join('/')
      })
      .concat(within)
  }

  /** What the API shows of a list, or within a thing. */
  const shownOf = async (list: string): Promise<readonly unknown[]> => {
    const [kind = '', id = '', field = ''] = list.split('/')
    const isWithin = listedIn.get(`/${kind}/:id`)?.includes(field) === true
    const path = isWithin ? `${kind}/${id}` : `${list}?page_size=100`
    const { body } = await here.viewer.call(`GET /test/${path}`)
    return (isWithin ? body[field] : (body['items'] ?? body['data'])) as readonly unknown[]
  }

  it('is there of every list, says what the list says, and nothing of another business', async () => {
    for (const list of listed()) {
      const rows = await shownOf(list)
      const file = await here.viewer.call(`GET /test/export/${list}`)
      expect([list, file.status]).toEqual([list, 200])
      expect(file.headers['content-disposition']).toContain('.csv"')
      const lines = file.text.trimEnd().split('\r\n')
      expect([list, lines.length]).toEqual([list, rows.length + 1])
      const other = await here.stranger.call(`GET /test/export/${list}`)
      expect([list, other.status === 404 || other.text === '\r\n' || isApart(other.text)]).toEqual([
        list,
        true,
      ])
      expect((await at.nobody().call(`GET /test/export/${list}`)).status).toBe(401)
    }
  })

  it('is there of the own sessions, and of nobody else’s', async () => {
    const { body } = await here.viewer.call('GET /sessions')
    const file = await here.viewer.call('GET /sessions/csv')
    expect([file.status, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head = '', ...lines] = file.text.trimEnd().split('\r\n')
    expect(head.split(',')).toEqual(Object.keys(items({ body })[0] ?? {}))
    expect(lines).toHaveLength(items({ body }).length)
    expect((await here.stranger.call('GET /sessions/csv')).text).not.toContain(lines[0] ?? '')
    expect((await at.nobody().call('GET /sessions/csv')).status).toBe(401)
  })

  /** Another business has lists of its own, of which some are never empty. */
  const isApart = (text: string): boolean =>
    !Object.values(here.shop).some((id) => text.includes(id)) && !text.includes(at.here())

  it('goes on over many pages, each row once, also of a list without pages', async () => {
    const before = items(await here.owner.call('GET /live/customers?page_size=100')).length
    for (let made = 0; made < 101; made += 1) {
      if (made % 50 === 49) moveOn()
      const body = { name: `Many ${made}`, email: `many-${made}@example.com` }
      const [customer, brand] = await Promise.all([
        here.owner.call('POST /live/customers', { body }),
        here.owner.call('POST /live/brands', { body: { name: `Brand ${made}` } }),
      ])
      expect(customer.status).toBe(200)
      if (brand.status !== 200) expect(brand.body['code']).not.toBe('INTERNAL_SERVER_ERROR')
    }
    for (const list of ['customers', 'brands']) {
      const { text } = await here.owner.call(`GET /live/export/${list}`)
      const lines = text.trimEnd().split('\r\n')
      expect(new Set(lines).size).toBe(lines.length)
      if (list === 'customers') expect(lines).toHaveLength(before + 102)
    }
  }, 60_000)

  it('carries out nothing in a spreadsheet, whatever strangers have written', async () => {
    const formulas = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '=cmd|" /C calc"!A0', 'a,"b"']
    for (const [index, name] of formulas.entries()) {
      const body = { name, email: `formula-${index}@example.com` }
      const made = await here.owner.call('POST /test/customers', { body })
      expect([name, made.status]).toEqual([name, 200])
    }
    const { text } = await here.owner.call('GET /test/export/customers')
    expect(text).toContain(`'=1+1`)
    expect(text).toContain(`"'=cmd|"" /C calc""!A0"`)
    expect(text).toContain(`"a,""b"""`)
    expect(text).not.toMatch(/(^|,)"?[=+@\t-](?!\d+(\.\d+)?(,|\r))/m)
  })
})
