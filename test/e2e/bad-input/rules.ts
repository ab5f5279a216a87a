import { describe, expect, it } from 'vitest'
import { at } from '../here.ts'
import { fresh, subscriber } from '../plan.ts'
import { ingestion } from './ingestion.ts'

const to = ingestion(at)
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

describe('an ingest is refused whole', () => {
  it('for an id that comes twice', async () => {
    const twice = to.event()
    const answer = await to.send(twice, to.event(), twice)
    const says = /^events\[2\]\.event_id is that of events\[0\] too/
    await to.refused(answer, '400 DUPLICATE_EVENT_IDS', says)
  })

  it('for a time outside the window', async () => {
    // The future comes nearer while the request is under way.
    for (const minutes of [-60.05, 5.5]) {
      const answer = await to.send(to.event(), to.event({ timestamp: inMinutes(minutes) }))
      const says = /^events\[1\]\.timestamp must lie between/
      await to.refused(answer, '400 EVENT_TIMESTAMP_OUT_OF_RANGE', says)
    }
  })

  it('for a customer that nobody knows, or who is of the other mode', async () => {
    const body = { email: 'l@example.com', name: 'L' }
    const other = await at.call('POST /customers', { live: true, key: at.keys.live, body })
    for (const id of ['cus_nobody', other.body.customer_id]) {
      const answer = await to.send(to.event(), to.event({ customer_id: id }))
      const says = /^events\[1\]\.customer_id: there is no customer/
      await to.refused(answer, '404 NOT_FOUND', says)
    }
  })

  it('for integers that JSON cannot carry, wherever they stand', async () => {
    const beyond = [
      '9007199254740992',
      '-9007199254740993',
      '1e21',
      '[[9007199254740993]]',
      '1e400',
    ]
    for (const text of beyond) {
      const body = { events: [to.event(), to.event({ metadata: { ok: 1, n: '?' } })] }
      const raw = JSON.stringify(body).replace('"?"', text)
      const says = /^events\[1\]\.metadata\.n.*send it as a string\.$/
      await to.refused(await to.post({ raw }), '400 INVALID_REQUEST_PARAMETERS', says)
    }
  })

  it('for the first of several reasons, in their order', async () => {
    const stranger = { customer_id: 'cus_nobody' }
    const late = { timestamp: inMinutes(-120) }
    const twice = to.event(late)
    // The order of refusals: the shape, then the customer, then the rules.
    const shape = await to.send(to.event(stranger), to.event({ event_name: 7 }))
    await to.refused(shape, '422 INVALID_REQUEST_BODY', /events\[1\]/)
    const unknown = await to.send(to.event(late), to.event(stranger))
    await to.refused(unknown, '404 NOT_FOUND', /events\[1\]/)
    await to.refused(await to.send(twice, twice), '400 DUPLICATE_EVENT_IDS', /events\[1\]/)
  })
})

it('ignores ids that are known, whatever else comes with them', async () => {
  const known = to.event({ metadata: { n: 1 } })
  const first = await to.send(known)
  to.accepted()
  await to.one.balance(first.headers.get('sluice-position') ?? '')
  // Dedupe learns of an event a moment after the balance shows it.
  await expect.poll(async () => (await to.send(known)).body['ingested_count']).toBe(0)
  for (const more of [
    { customer_id: 'cus_nobody' },
    { timestamp: inMinutes(-600) },
    { event_name: 'another', metadata: { n: 2 } },
    { metadata: null },
  ]) {
    // An edge without an answer from dedupe within 20 ms goes on without, and so knows no repeats.
    const again = () => to.send({ ...known, ...more })
    await expect.poll(again).toMatchObject({ status: 200, body: { ingested_count: 0 } })
    const mixed = async () => {
      const answer = await to.send(to.event(), { ...known, ...more })
      if (answer.status === 200) to.accepted()
      return answer
    }
    await expect.poll(mixed).toMatchObject({ status: 200, body: { ingested_count: 1 } })
  }
  const kept = await at.call(`GET /events/${encodeURIComponent(String(known.event_id))}`)
  expect(kept.body).toMatchObject({ customer_id: to.one.customerId, metadata: { n: 1 } })
  await to.settled()
})

it('takes names of object prototypes as data, in filters as in answers', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    const clauses = [{ key: name, operator: 'not_equals' as const, value: 'x' }]
    const by = await subscriber(at, { meters: [{ filter: { conjunction: 'and', clauses } }] })
    const metadata = JSON.parse(`{${JSON.stringify(name)}:"y","n":1}`)
    const id = fresh('proto')
    const position = await by.use({ event_id: id, metadata }, { metadata: { n: 1 } }, {})
    expect((await by.balance(position)).balance).toBe('99')
    const kept = await at.call(`GET /events/${encodeURIComponent(id)}`)
    expect(kept.text).toContain(`"metadata":{${JSON.stringify(name)}:"y","n":1}`)
    const listed = await at.call(`GET /events?meter_id=${by.meterIds[0]}`)
    expect(listed.body.items.map((item) => item['event_id'])).toEqual([id])
  }
})

it('reads quantities as they are written, and nothing else', async () => {
  const by = await subscriber(at, {
    meters: [{ aggregation: { type: 'sum', key: 'n' } }],
    mapping: { credits_amount: '1000' },
    entitlement: { precision: 10 },
  })
  const values = [
    1,
    0.1,
    0.2,
    '3.5',
    '0.0000000001',
    1e-7,
    9007199254740991,
    '-9007199254740991',
    -0,
  ]
  const others = [
    ...[true, null, [1], { n: 1 }, '', ' 1', '1 ', '+1', '1e3', '.5', '5.', 'NaN', '0x10', '1,5'],
    ...['１', `0.${'0'.repeat(18)}1`, 1e-19, '1'.repeat(21), Number.MIN_VALUE],
  ]
  const events = [...values, ...others].map((n) => ({
    ...to.event({ metadata: { n } }),
    customer_id: by.customerId,
    event_name: by.eventNames[0] ?? '',
  }))
  const position = await by.use(...events)
  expect((await by.balance(position)).balance).toBe('995.1999998999')
})
