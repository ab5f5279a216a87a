import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import type { ChargeAnswer } from '../../../src/parts/processors/port.ts'
import { rowAlone } from '../../../src/parts/store/changes.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { day, after as later, minute } from '../../../src/std/instant.ts'
import { randomFrom } from '../../chaos/random.ts'
import { productOf } from '../../rules/commerce/payments/purchases.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january, scratchStore } from '../../support/store/scratch-store.ts'
import { subscribed, untilThen } from './subscribing.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const paid = { status: 'succeeded' } as const
const waits = { status: 'processing' } as const
const declined = { status: 'failed', code: 'CARD_DECLINED', message: 'No.' } as const
const answers: readonly ChargeAnswer[] = [
  { outcome: paid, news: [] },
  { outcome: paid, news: [{ after: minute, outcome: paid }] },
  { outcome: declined, news: [] },
  { outcome: waits, news: [{ after: 3 * day, outcome: paid }] },
  { outcome: waits, news: [{ after: 3 * day, outcome: declined }] },
  { outcome: waits, news: [{ after: 40 * day, outcome: paid }] },
]

const given = 700

async function program(seed: number): Promise<void> {
  const random = randomFrom(seed).next
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const { scope, subscriptionId, entitlementId, product, ...read } = await subscribed(store)
  if (product.price.type !== 'recurring_price') throw new Error('A plan without a price.')
  const monthly = product.price
  const others = [1_000, 2_500].map((price) =>
    productOf(
      store.newId('pdt'),
      { ...monthly, price },
      {
        creditEntitlements: product.creditEntitlements.map((mapping) => ({
          ...mapping,
          creditsAmount: String(price / 10),
        })),
      },
    ),
  )
  for (const row of others) {
    await store.changes.commit(rowAlone(scope, { noun: 'product', expected: null, row }))
  }
  // Less than any price, so that a charge takes a part of it, and gives it back if it fails.
  const begun = await read.subscription(subscriptionId)
  const row = { ...begun, owed: given, version: begun.version + 1 }
  const owing = { noun: 'subscription', expected: begun.version, row, over: [] } as const
  await store.changes.commit(rowAlone(scope, owing))
  const known = new Map<string, ChargeAnswer>()
  const charge = async ({ key }: { readonly key: string }): Promise<ChargeAnswer> => {
    const answer = known.get(key) ?? oneOf(answers)
    known.set(key, answer)
    return answer
  }
  const test = { ...store.processors.test, charge }
  const processors = { ...store.processors, test }
  let now: Instant = january
  for (let step = 0; step < 14; step += 1) {
    now = later(now, Math.floor(random() * 12 * day) + 1)
    const desk = atMoment(now, { ...store, processors })
    await untilThen(desk, scope, now)
    const patch = { status: oneOf(['active', 'paused'] as const) }
    const change = {
      subscriptionId,
      productId: oneOf([product, ...others]).productId,
      quantity: 1,
      mode: 'full_immediately',
      addons: [],
      discountCodes: null,
      waits: random() < 0.2,
      replaces: true,
      onFailure: oneOf(['prevent_change', 'apply_change'] as const),
      metadata: null,
    } as const
    const command =
      random() < 0.7
        ? changePlan(desk, scope, change)
        : updateSubscription(desk, scope, { subscriptionId, patch })
    await command.catch(refused)
    await conserved()
  }

  /** A credit costs 10, and whatever else was paid is still the customer's. */
  async function conserved(): Promise<void> {
    const payments = await read.payments()
    const [{ granted } = { granted: 0 }] = await store.db.query<{ granted: number }>(sql`
      select coalesce(sum(initial), 0)::int as granted from grants join accounts using (account_id)
      where entitlement_id = ${entitlementId} and source_type = 'subscription'`)
    const { changing, dues, owed, recurringPreTaxAmount, status } =
      await read.subscription(subscriptionId)
    expect(['active', 'on_hold', 'paused']).toContain(status)
    const asked = payments.find(({ paymentId }) => paymentId === dues?.paymentId)
    const spent = asked === undefined ? 0 : recurringPreTaxAmount - asked.totalAmount
    const came = payments
      .filter((payment) => payment.status === 'succeeded')
      .reduce((all, { totalAmount }) => all + totalAmount, 0)
    expect(came + given).toBe(10 * granted + owed + (changing?.used ?? 0) + spent)
  }
}

const refused = (error: { readonly code?: string }): void => {
  expect([
    'CONFLICT',
    'PREVIOUS_PAYMENT_PENDING',
    'PENDING_PLAN_CHANGE_EXISTS',
    'INACTIVE_SUBSCRIPTION_PLAN_CHANGE_NOT_SUPPORTED',
  ]).toContain(error.code)
}

describe('programs of plan changes [subscriptions#paying-for-a-change]', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('make and lose no money: seed %i', program)
})
