import { describe, expect, it } from 'vitest'
import { oneEndpoint } from '../../support/webhooks/one-endpoint.ts'
import { telling } from '../../support/webhooks/telling.ts'

const endpoint = oneEndpoint(telling())

const named = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`x-${from + nth}`, 'v']))

describe('headers of an endpoint', () => {
  it('are at most 50, however many changes bring them', async () => {
    const one = await endpoint()
    const change = (headers: object) => one.call(`PATCH ${one.path}/headers`, { headers })
    expect(await change(named(0, 30))).toMatchObject({ status: 204 })
    const refused = await change(named(21, 30))
    expect(refused).toMatchObject({ status: 422, body: { code: 'INVALID_REQUEST_BODY' } })
    expect(refused.body.message).toContain('51 headers')
    expect(await change(named(20, 30))).toMatchObject({ status: 204 })
    expect(await change({ y: 'v' })).toMatchObject({ status: 422 })
    // Those that it has can still change, in any spelling.
    expect(await change({ 'X-7': 'w' })).toMatchObject({ status: 204 })
    const { headers } = (await one.call(`GET ${one.path}/headers`)).body
    expect(Object.keys(Object(headers))).toHaveLength(50)
    expect(headers).toMatchObject({ 'X-7': 'w', 'x-49': 'v' })
  })
})
