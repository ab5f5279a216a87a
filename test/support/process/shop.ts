import { expect } from 'vitest'
import { second } from '../../../src/std/instant.ts'
import type { EventExplanationView } from '../../../src/wire/explanation.ts'
import type { Call } from '../edge/call.ts'
import type { Pipeline, SentEvent } from '../measuring/pipeline.ts'
import { base, usageBased } from '../wire/products.ts'

/** A business with a customer, a credit of 2 decimals, and a meter as `options` say. */
export async function openShop(
  pipeline: Pipeline,
  meter: Readonly<Record<string, unknown>> = {},
  credit: Readonly<Record<string, unknown>> = {},
) {
  const { businessId, call } = await pipeline.business()
  const customer = (await call()('POST /customers', { name: 'Ada', email: 'ada@example.com' })).body
    .customer_id
  const meterId = (
    await call()('POST /meters', {
      name: 'Tokens',
      event_name: 'completion',
      aggregation: { type: 'sum', key: 'tokens' },
      measurement_unit: 'token',
      ...meter,
    })
  ).body.id
  const credits = {
    name: 'Credits',
    unit: 'credit',
    precision: 2,
    rollover_enabled: false,
    overage_enabled: false,
    ...credit,
  }
  const creditId = (await call()('POST /credit-entitlements', credits)).body.id
  return { businessId, call, customer, meterId, creditId, ...actions() }

  function actions() {
    const event = (id: string, metadata?: SentEvent['metadata']): SentEvent => ({
      id,
      customer,
      name: 'completion',
      ...(metadata === undefined ? {} : { metadata }),
    })
    return { event, send, link, grant, subscribe, explained, entryOf }

    /** Ingests these events together, and waits until they are measured and settled. */
    async function send(...events: readonly SentEvent[]): Promise<void> {
      pipeline.pass(second)
      pipeline.ingest(businessId, events)
      await pipeline.measureAll()
      await pipeline.settle()
    }

    /** Links the meter, and others, to the credit by default. */
    async function link(
      unitsPerCredit = '1000',
      freeThreshold = 0,
      others: readonly string[] = [],
    ): Promise<void> {
      const links = [meterId, ...others].map((meter_id) => ({
        meter_id,
        meter_units_per_credit: unitsPerCredit,
        free_threshold: freeThreshold,
      }))
      await done(call()(`PATCH /credit-entitlements/${creditId}`, { meter_links: links }))
    }

    async function grant(amount: string, type = 'credit'): Promise<void> {
      const path = `/credit-entitlements/${creditId}/balances/${customer}/ledger-entries` as const
      await done(call()(`POST ${path}`, { entry_type: type, amount, reason: 'as agreed' }))
    }

    async function subscribe(amount = '100'): Promise<string> {
      const product = await done(
        call()('POST /products', {
          ...base,
          price: {
            ...usageBased,
            meters: [
              {
                meter_id: meterId,
                credit_entitlement_id: creditId,
                meter_units_per_credit: '100',
              },
            ],
          },
          credit_entitlements: [{ credit_entitlement_id: creditId, credits_amount: amount }],
        }),
      )
      const subscription = await done(
        call()('POST /subscriptions', {
          billing: { country: 'GB' },
          customer: { customer_id: customer },
          product_id: product.product_id,
          quantity: 1,
        }),
      )
      return String(subscription['subscription_id'])
    }

    async function explained(id: string): Promise<EventExplanationView> {
      const answer = await call()(`GET /events/${id}/explanation`)
      expect(answer.status).toBe(200)
      return answer.body as unknown as EventExplanationView
    }

    async function entryOf(id: string) {
      const answer = await call()(`GET /credit-ledger-entries/${id}/explanation`)
      expect(answer.status).toBe(200)
      return answer.body
    }
  }
}

/** The body of an answer that must be a success. */
export async function done(answer: ReturnType<Call>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** What the event did through the first route of one of its meters. */
export const effectOf = (of: EventExplanationView, meter = 0) => {
  const effect = of.meters[meter]?.effects[0]
  if (effect === undefined) throw new Error(of.summary.join('\n'))
  return effect
}
