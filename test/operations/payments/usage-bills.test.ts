import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { previewPlanChange } from '../../../src/operations/subscriptions/preview-plan-change.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { primaryBrand } from '../../../src/rules/commerce/catalog/brand.ts'
import { sheetOf } from '../../../src/rules/commerce/invoices/sheet-of.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, hour, after as later } from '../../../src/std/instant.ts'
import { productOf } from '../../rules/commerce/payments/purchases.ts'
import { holdPartition } from '../../support/store/hold-partition.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  january,
  measuredOf,
  scratchStore,
  sliceOf,
} from '../../support/store/scratch-store.ts'
import { good, subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
let offset = 0
beforeAll(async () => {
  store = await scratchStore()
  await holdPartition(store, 0)
})
afterAll(() => store.drop())

const money = { meterId: 'mtr_money', pricePerUnit: '2.5' }
const credits = { meterId: 'mtr_credits', pricePerUnit: null }

/** Somebody on a plan of 1000 a month, whose usage costs money beyond 10 units, or credits. */
async function metered(card = good, language: string | null = null) {
  const mapping = {
    overageEnabled: true,
    overageBehavior: 'invoice_at_billing',
    pricePerUnit: '5',
    currency: 'EUR',
  } as const
  const one = await subscribed(store, { mapping, metered: [money, credits], card, language })
  const { scope, subscriptionId, customerId, entitlementId } = one
  const use = async (meterId: string, value: number | bigint, at: Instant): Promise<void> => {
    const found = await one.subscription(subscriptionId)
    const linked = meterId === credits.meterId ? entitlementId : ''
    const customer = { ...scope, customerId }
    const slice = sliceOf({ start: offset })
    offset = slice.end
    const increment = {
      ...customer,
      routeId: subscriptionId,
      entitlementId: linked,
      meterId,
      cycleAt: found.previousBillingDate,
      segmentAt: found.previousBillingDate,
      logHour: Math.floor(at / hour),
      aggregation: 'sum',
      events: 1,
      value: String(value),
      lastAt: at,
      lastReceived: at,
      lastEventId: `evt_${offset}`,
    }
    const accounts = linked === '' ? [] : [{ ...customer, entitlementId: linked }]
    const measured = measuredOf({ slices: [slice], usage: [increment], accounts })
    expect(await store.measuring.commit(measured)).toMatchObject({ kind: 'committed' })
  }
  return {
    ...one,
    use,
    until: (at: Instant) => untilThen(atMoment(at, store), scope, at),
    found: () => one.subscription(subscriptionId),
    update: (patch: object, at: Instant) =>
      updateSubscription(atMoment(at, store), scope, { subscriptionId, patch }),
    billed: async () => {
      const payments = await one.payments()
      return payments
        .slice(1)
        .map(({ lines, purpose, status, totalAmount }) => [
          ...[purpose, status, totalAmount],
          lines.map(({ amount, description }) => [description, amount]),
        ])
    },
  }
}

const tenth = later(january, 10 * day)
const usage = ['Usage: 100 units, 10 of them free, at 0.025 EUR each', 225]
const overage = ['Overage: 20 credit beyond what was granted, at 0.05 EUR each', 100]

describe('what was used [subscriptions#renewals]', () => {
  it('stands on the payment of the renewal, usage and overage a line each, once', async () => {
    const { billed, until, use } = await metered()
    await use('mtr_money', 100, tenth)
    await use('mtr_credits', 120, tenth)
    await until(later(february, hour))
    const plan = [null, 1_000]
    expect(await billed()).toEqual([['renewal', 'succeeded', 1_325, [plan, usage, overage]]])
    await until(later(february, 29 * day))
    expect((await billed()).slice(1)).toEqual([['renewal', 'succeeded', 1_000, [plan]]])
  })

  it('ends the cycle all the same where it costs more than a charge can carry', async () => {
    const { billed, found, until, use } = await metered()
    const huge = 99_999_999_999_999_999_999n
    await use('mtr_money', huge, tenth)
    await use('mtr_credits', huge, tenth)
    await until(later(february, hour))
    const [first] = await billed()
    expect(first?.slice(0, 3)).toEqual(['renewal', 'succeeded', 1_000 + 10 ** 15])
    expect(await found()).toMatchObject({ previousBillingDate: february, unbilled: [] })
    await until(later(february, 29 * day))
    expect((await billed()).slice(1)).toEqual([['renewal', 'succeeded', 1_000, [[null, 1_000]]]])
  })

  it('is explained on the invoice in the language of the checkout [invoices#what-stands-on-it]', async () => {
    const { payments, scope, until, use } = await metered(good, 'de-AT')
    await use('mtr_money', 100, tenth)
    await use('mtr_credits', 120, tenth)
    await until(later(february, hour))
    const [first, renewal] = await payments()
    const sheets = await Promise.all(
      [first, renewal].map(async (payment) => {
        const invoice = await store.invoices.get(scope, 'payment', payment?.paymentId ?? '')
        if (invoice === null) throw new Error('no invoice')
        return sheetOf(invoice, 'live')
      }),
    )
    expect(sheets.map(({ heading }) => heading)).toEqual(['Rechnung', 'Rechnung'])
    const details = sheets[1]?.rows.flatMap((row) =>
      row.details.map((text) => text.replace(/\s/g, ' ')),
    )
    expect(details).toEqual([
      'Verbrauch: 100 Einheiten, davon 10 frei, je 0,025 €',
      'Mehrverbrauch: 20 credit über das Gewährte hinaus, je 0,05 €',
    ])
  })

  it('is charged once where the subscription is cancelled [subscriptions#settling]', async () => {
    const { billed, found, until, update, use } = await metered()
    await use('mtr_money', 100, tenth)
    await use('mtr_credits', 120, tenth)
    await update({ status: 'cancelled' }, later(tenth, day))
    const settled = ['settlement', 'succeeded', 325, [usage, overage]]
    expect(await billed()).toEqual([settled])
    expect(await found()).toMatchObject({ status: 'cancelled', unbilled: [], dues: null })
    await update({ status: 'cancelled' }, later(tenth, 2 * day))
    await until(later(february, 40 * day))
    expect(await billed()).toEqual([settled])
  })

  it('is charged once where it ends with its cycle', async () => {
    const { billed, until, update, use } = await metered()
    await use('mtr_money', 100, tenth)
    await update({ cancelAtNextBillingDate: true }, later(tenth, day))
    await until(later(february, hour))
    expect(await billed()).toEqual([['settlement', 'succeeded', 225, [usage]]])
  })

  it('is charged with a plan change that begins a new cycle, as its preview says', async () => {
    const { billed, product, scope, subscriptionId, use } = await metered()
    const other = productOf(store.newId('pdt'), product.price)
    await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row: other }))
    await use('mtr_money', 100, tenth)
    await use('mtr_credits', 120, tenth)
    const asked = {
      subscriptionId,
      productId: other.productId,
      quantity: 1,
      mode: 'full_immediately',
      addons: [],
      discountCodes: null,
      waits: null,
      replaces: false,
      onFailure: null,
      metadata: null,
    } as const
    const desk = atMoment(later(tenth, day), store)
    const seen = await previewPlanChange(desk, scope, asked)
    expect(await changePlan(desk, scope, asked)).toMatchObject({ totalAmount: 1_325 })
    expect(seen.cart?.total).toBe(1_325)
    expect(await billed()).toEqual([
      ['renewal', 'succeeded', 1_325, [[null, 1_000], usage, overage]],
    ])
  })
})

describe('what was used until a pause [subscriptions#pauses]', () => {
  const more = [
    'Usage: 150 units, 10 of them free, at 0.025 EUR each, less what was billed before',
    125,
  ]

  it('is charged with it, once, and the rest of the cycle with the renewal', async () => {
    const { billed, found, told, until, update, use } = await metered()
    await use('mtr_money', 100, tenth)
    await use('mtr_credits', 120, tenth)
    await Promise.all([
      update({ status: 'paused' }, later(tenth, day)),
      update({ status: 'paused' }, later(tenth, day)),
    ])
    const paused = ['renewal', 'succeeded', 225, [usage]]
    expect(await billed()).toEqual([paused])
    expect(await found()).toMatchObject({ status: 'paused', unbilled: [], dues: null })
    const facts = (await told()).filter((type) => !type.startsWith('credit.'))
    expect(facts.slice(-2)).toEqual(['subscription.paused', 'payment.succeeded'])
    await update({ status: 'active' }, later(tenth, 3 * day))
    await use('mtr_money', 50, later(tenth, 4 * day))
    await until(later(february, 2 * day + hour))
    const [, renewal] = await billed()
    expect(renewal).toEqual(['renewal', 'succeeded', 1_225, [[null, 1_000], more, overage]])
  })

  it('waits where it costs nothing, or nothing can pay it', async () => {
    const { billed, found, subscriptionId, update, use, ...one } = await metered()
    await update({ status: 'paused' }, later(tenth, day))
    expect(await billed()).toEqual([])
    await update({ status: 'active' }, later(tenth, day))
    await use('mtr_money', 100, tenth)
    const before = await found()
    const row = { ...before, paymentMethodId: null, version: before.version + 1 }
    const change = { noun: 'subscription', expected: before.version, row, over: [] } as const
    await store.changes.commit(rowAlone(one.scope, change))
    await update({ status: 'paused' }, later(tenth, 2 * day))
    expect(await billed()).toEqual([])
    expect(await found()).toMatchObject({ status: 'paused', subscriptionId, dues: null })
  })

  it('puts it on hold where the payment fails, until that is paid, without credits', async () => {
    const { balance, billed, found, told, until, update, use } = await metered('4000000000000341')
    await use('mtr_money', 100, tenth)
    const start = later(tenth, day)
    await update({ status: 'paused' }, start)
    const failed = ['renewal', 'failed', 225, [usage]]
    expect(await billed()).toEqual([failed])
    expect(await found()).toMatchObject({
      status: 'on_hold',
      pausedAt: null,
      nextBillingDate: february,
    })
    expect((await told()).slice(-4)).toEqual([
      ...['subscription.paused', 'payment.failed', 'subscription.on_hold', 'dunning.started'],
    ])
    await expect(update({ status: 'paused' }, start)).rejects.toMatchObject({ code: 'CONFLICT' })
    await until(later(start, 12 * hour))
    expect(await billed()).toEqual([failed, failed])
    expect(await balance()).toBe(100)
  })

  it('is void where it goes on without paying, and stands on the next renewal', async () => {
    const { billed, found, until, update, use, ...one } = await metered('4000000000000341')
    await use('mtr_money', 100, tenth)
    await update({ status: 'paused' }, later(tenth, day))
    await update({ status: 'active' }, later(tenth, day + hour))
    expect(await found()).toMatchObject({ status: 'active', dues: null })
    expect((await one.told()).slice(-1)).toEqual(['subscription.active'])
    await until(later(february, hour))
    expect(await billed()).toEqual([
      ['renewal', 'failed', 225, [usage]],
      ['renewal', 'failed', 1_225, [[null, 1_000], usage]],
    ])
    expect(await one.balance()).toBe(0)
  })
})

it('one that is over, and of an archived brand, stays as it is [resources#brands]', async () => {
  const { scope, subscriptionId, update } = await metered()
  const was = primaryBrand({ businessId: 'brn_1', name: 'Shop', createdAt: january })
  const brand = { ...was, archived: { at: january, movedTo: null } }
  const desk = { ...atMoment(tenth, store), brands: { get: async () => brand } }
  await update({ status: 'cancelled' }, tenth)
  const patched = updateSubscription(desk, scope, { subscriptionId, patch: { metadata: { a: 1 } } })
  await expect(patched).rejects.toMatchObject({ code: 'BRAND_NOT_ENABLED' })
})
