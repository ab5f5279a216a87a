import { describe, expect, it } from 'vitest'
import { descriptionRoute } from '../support/pages/description.ts'
import { at } from './here.ts'
import { fresh, subscriber } from './plan.ts'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly operationId: string
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example: object } }
  }
}

const served = async () => (await at.call('GET /openapi.json', { key: null })).text

describe('what the server says of itself', () => {
  it('is the description of its routes, to whoever asks, and not again to whoever has it', async () => {
    const { raw } = await descriptionRoute.handler({ header: () => null } as never)
    expect(await served()).toBe(raw)
    const whole = await at.call('GET /openapi.json', { key: null, live: true })
    const etag = whole.headers.get('etag') ?? ''
    const again = await at.call('GET /openapi.json', {
      key: null,
      headers: { 'If-None-Match': etag },
    })
    expect([whole.status, again.status, again.text]).toEqual([200, 304, ''])
    const packed = await at.call('GET /openapi.json', { headers: { 'Accept-Encoding': 'gzip' } })
    expect([packed.headers.get('content-encoding'), packed.text === whole.text]).toEqual([
      'gzip',
      true,
    ])
  })

  it('promises what each of its examples gets', async () => {
    const of = await subscriber(at)
    const { paths } = JSON.parse(await served()) as Described
    const webhook = await at.client().webhooks.create({ url: 'http://127.0.0.1:9/' })
    const discount = await at.client().discounts.create({ type: 'percentage', amount: 1 })
    const eventId = fresh('example')
    await of.balance(await of.use({ event_id: eventId }))
    const changes = { name: fresh('described') }
    // What an example cannot know: ids of this business, and names that nobody has taken.
    const own: Readonly<Record<string, object>> = {
      createCreditEntitlement: changes,
      createSubscription: { product_id: of.productId, customer: { customer_id: of.customerId } },
      attachDiscountCustomers: { customer_ids: [of.customerId] },
      changePlan: { product_id: of.productId },
      previewPlanChange: { product_id: of.productId },
      ingestEvents: {
        events: [
          { event_id: fresh('x'), customer_id: of.customerId, event_name: of.eventNames[0] },
        ],
      },
    }
    const ids = (path: string): string =>
      path
        .replace('/balances/{customer_id}', `/balances/${of.customerId}`)
        .replace('/credit-entitlements/{id}', `/credit-entitlements/${of.creditId}`)
        .replace('{customer_id}', of.customerId)
        .replace('/subscriptions/{id}', `/subscriptions/${of.subscriptionId}`)
        .replace('/webhooks/{id}', `/webhooks/${webhook.id}`)
        .replace('{discount_id}', discount.discount_id)
        .replace('{event_id}', eventId)
    const answers: [string, number][] = []
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        if (requestBody === undefined) continue
        const body = { ...requestBody.content['application/json'].example, ...own[operationId] }
        const target = `${method.toUpperCase()} ${ids(path) as `/${string}`}` as const
        // Whether the answer is what was promised, is compared with all answers.
        const { status, text } = await at.call(target, { body })
        answers.push([operationId, status])
        expect([200, 201, 204], `${operationId}: ${text}`).toContain(status)
      }
    }
    expect(answers.length).toBeGreaterThan(15)
  })
})
