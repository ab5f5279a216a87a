import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { moveDispute } from '../../../src/operations/disputes/move-dispute.ts'
import { openDispute } from '../../../src/operations/disputes/open-dispute.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import { adjustWallet } from '../../../src/operations/wallets/adjust-wallet.ts'
import { auditCommerce } from '../../../src/parts/store/postgres/audit/audit-commerce.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import { differencesOf } from '../../support/store/differences.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import {
  atMoment,
  february,
  instantAt,
  january,
  scratchStore,
} from '../../support/store/scratch-store.ts'
import type { Subscribed } from './subscribing.ts'
import { good, subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const payOnce = '4000000000000341'

/** A plan of 10 dollars a month, whose customer has so many cents in a wallet. */
async function holding(cents: number, card = good) {
  const of = await subscribed(store, { card, price: { currency: 'USD' } })
  const key = { ...of.scope, customerId: of.customerId }
  if (cents > 0) await adjust(of, cents, 'there')
  const entries = () => store.wallets.entries(key, null, { limit: 20, offset: 0 })
  return { ...of, adjusted: (more: number) => adjust(of, more, null), entries }
}

const adjust = (of: Subscribed, amount: number, idempotencyKey: string | null) =>
  adjustWallet(
    store,
    { ...of.scope, customerId: of.customerId },
    {
      at: january,
      adjustment: { amount, currency: 'USD', isCredit: true, reason: null, idempotencyKey },
    },
  )

/** What the audits of wallets and of the business's money find. */
async function bent(businessId: string): Promise<readonly string[]> {
  const audit = auditCommerce(store.db)
  const found: string[] = []
  for await (const { what } of audit.bentWallets(businessId)) found.push(what)
  for await (const { what } of audit.bentBalances(businessId)) found.push(what)
  return found
}

const shown = (entries: Awaited<ReturnType<Awaited<ReturnType<typeof holding>>['entries']>>) =>
  entries.map(({ amount, balanceAfter, eventType }) => [eventType, amount, balanceAfter])

describe('a renewal of a customer with a wallet [resources#wallets]', () => {
  it('takes what the wallet holds, and charges the card the rest', async () => {
    const { scope, entries, payments, balance } = await holding(400)
    const asked: unknown[] = []
    const { test } = store.processors
    const charge = (request: Parameters<typeof test.charge>[0]) => {
      asked.push([request.amount, request.currency])
      return test.charge(request)
    }
    const processors = { ...store.processors, test: { ...test, charge } }
    await untilThen({ ...store, processors }, scope, february)
    expect(asked).toEqual([[600, 'USD']])
    const [, renewal] = await payments()
    expect(renewal).toMatchObject({
      status: 'succeeded',
      totalAmount: 1_000,
      fromWallet: 400,
      card: { lastFour: '4242' },
    })
    const [taken] = await entries()
    expect(taken).toMatchObject({ eventType: 'payment', amount: 400, balanceAfter: 0 })
    expect(taken?.referenceId).toBe(renewal?.paymentId)
    expect(await balance()).toBe(100)
    const booked = await store.db.query<{ amount: number }>(sql`
      select amount from balance_entries
      where reference_id = ${renewal?.paymentId ?? ''} and event_type = 'payment'`)
    expect(booked.map(({ amount }) => amount)).toEqual([600])
    expect(await bent(scope.businessId)).toEqual([])
  })

  it('charges nothing where the wallet is enough, and no card is left', async () => {
    const { scope, subscriptionId, entries, payments, subscription } = await holding(1_500, payOnce)
    const march = instantAt('2026-03-01T00:00:00Z')
    await untilThen(store, scope, february)
    const [, renewal] = await payments()
    expect(renewal).toMatchObject({
      status: 'succeeded',
      fromWallet: 1_000,
      token: null,
      card: null,
    })
    expect((await subscription(subscriptionId)).status).toBe('active')
    // The next one needs the card for a part, which declines: the wallet has its part back.
    await untilThen(store, scope, march)
    expect((await subscription(subscriptionId)).status).toBe('on_hold')
    expect(shown(await entries())).toEqual([
      ['payment_reversal', 500, 500],
      ['payment', 500, 0],
      ['payment', 1_000, 500],
      ['merchant_adjustment', 1_500, 1_500],
    ])
    expect(await bent(scope.businessId)).toEqual([])
  })

  it('pays a retry from what has come into the wallet meanwhile', async () => {
    const { scope, subscriptionId, adjusted, entries, payments, subscription, told } =
      await holding(0, payOnce)
    await untilThen(store, scope, february)
    expect((await subscription(subscriptionId)).status).toBe('on_hold')
    await adjusted(1_000)
    await untilThen(store, scope, instantAt('2026-02-01T13:00:00Z'))
    expect(await subscription(subscriptionId)).toMatchObject({ status: 'active', dues: null })
    expect((await told()).slice(-5)).toEqual([
      ...['payment.succeeded', 'subscription.active', 'subscription.renewed', 'dunning.recovered'],
      'credit.added',
    ])
    const [, failed, retried] = await payments()
    expect([failed?.fromWallet, retried?.fromWallet, retried?.retryAttempt]).toEqual([0, 1_000, 1])
    expect(shown(await entries())[0]).toEqual(['payment', 1_000, 0])
  })

  it('gives back to the wallet what disputes leave of its part, and nothing twice [refunds#wallets]', async () => {
    const { scope, entries, payments } = await holding(400)
    await untilThen(store, scope, february)
    const [, renewal] = await payments()
    const paymentId = renewal?.paymentId ?? ''
    const desk = atMoment(february, store)
    const refund = () => createRefund(desk, scope, asked({ paymentId }))
    const dispute = { paymentId, reason: null, stage: 'dispute' } as const
    await expect(openDispute(desk, { ...dispute, amount: 601 })).rejects.toThrow('from 1 to 600')
    const { disputeId } = await openDispute(desk, { ...dispute, amount: 450 })
    // 150 of the charge are left, and the 400 that the wallet has paid.
    expect((await refund()).refund).toMatchObject({ amount: 550, isPartial: true })
    expect(shown(await entries())[0]).toEqual(['refund', 400, 400])
    await expect(refund()).rejects.toMatchObject({ code: 'NOTHING_TO_REFUND' })
    await expect(openDispute(desk, { ...dispute, amount: 1 })).rejects.toThrow('left nothing')
    await moveDispute(desk, { disputeId, status: 'dispute_cancelled', remarks: null })
    expect((await refund()).refund.amount).toBe(450)
    expect(shown(await entries())[0]).toEqual(['refund', 400, 400])
    const booked = await store.db.query<{ event_type: string; amount: number }>(sql`
      select event_type, amount from balance_entries
      where business_id = ${scope.businessId} order by number`)
    expect(booked.map((each) => [each.event_type, each.amount])).toEqual([
      ['payment', 1_000],
      ['payment', 600],
      ['dispute', 450],
      ['refund', 150],
      ['dispute_reversal', 450],
      ['refund', 450],
    ])
    expect(await differencesOf(store, scope)).toEqual([])
  })

  it('finds room for what comes back, however much is put in meanwhile', async () => {
    const { scope, adjusted, entries, payments } = await holding(400)
    await untilThen(store, scope, february)
    await expect(adjusted(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
      code: 'INTEGER_CONVERSION_FAILURE',
    })
    await adjusted(limits.walletAdjustedMax)
    const [, renewal] = await payments()
    const request = asked({ paymentId: renewal?.paymentId ?? '' })
    await createRefund(atMoment(february, store), scope, request)
    expect(shown(await entries())[0]).toEqual(['refund', 400, limits.walletAdjustedMax + 400])
  })

  it('is refunded to the card first, and then into the wallet [refunds#wallets]', async () => {
    const { scope, product, entries, payments } = await holding(400)
    await untilThen(store, scope, february)
    const [, renewal] = await payments()
    const desk = atMoment(february, store)
    const request = asked({ paymentId: renewal?.paymentId ?? '' })
    const item = { itemId: product.productId, amount: 700, taxInclusive: true }
    const { refund } = await createRefund(desk, scope, { ...request, items: [item] })
    expect(shown(await entries())[0]).toEqual(['refund', 100, 100])
    expect((await entries())[0]?.referenceId).toBe(refund.refundId)
    await createRefund(desk, scope, request)
    expect(shown(await entries())[0]).toEqual(['refund', 300, 400])
    const booked = await store.db.query<{ total: string }>(sql`
      select sum(amount) as total from balance_entries
      where business_id = ${scope.businessId} and event_type = 'refund'`)
    expect(booked[0]?.total).toBe('600')
    expect(await bent(scope.businessId)).toEqual([])
  })

  it('is found by the audit where a payment and its wallet say different things', async () => {
    const { scope, payments } = await holding(400)
    await untilThen(store, scope, february)
    const [, renewal] = await payments()
    await store.db.query(sql`
      update payments set document = document || '{"fromWallet": 300}'
      where payment_id = ${renewal?.paymentId ?? ''}`)
    const found = await bent(scope.businessId)
    expect(found).toEqual([
      expect.stringContaining('USD wallet has paid 400 of payment'),
      expect.stringContaining('its ledger books 600'),
    ])
  })
})
