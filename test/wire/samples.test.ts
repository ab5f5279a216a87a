import { expect, it } from 'vitest'
import type { SampledType } from '../../src/rules/facts/sample-fact.ts'
import { sampledTypes } from '../../src/rules/facts/sample-fact.ts'
import {
  isWebhookEventType,
  payloadTypeOf,
  webhookEventTypes,
} from '../../src/rules/facts/webhook-event-types.ts'
import { randomIds } from '../../src/runtime/ids.ts'
import { instantOf } from '../../src/std/instant.ts'
import { testMessage } from '../../src/wire/webhook-message.ts'

it('has the shape of its kind, in every sample [webhooks#tests]', () => {
  const of = { businessId: 'bus_1', at: instantOf(1_700_000_000_000_000), newId: randomIds() }
  for (const type of sampledTypes) {
    if (!isWebhookEventType(type)) throw new Error(`${type} is no kind.`)
    const { body } = testMessage(type as SampledType, of)
    const { data, ...envelope } = JSON.parse(body) as { data: Record<string, unknown> }
    expect(envelope).toMatchObject({ type, business_id: 'bus_1', test: true })
    expect(data['payload_type']).toBe(payloadTypeOf(type))
    // A payout is made for all brands together.
    expect(data['brand_id'], type).toBe(type.startsWith('payout.') ? undefined : 'bus_1')
  }
  expect(new Set(sampledTypes)).toEqual(new Set(webhookEventTypes))
})
