import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountIdOf } from '../../../src/operations/accounts/change.ts'
import { grantPurchase } from '../../../src/operations/accounts/grant-purchase.ts'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { CartItem } from '../../../src/rules/accounts/attached-credits.ts'
import { day, after as later } from '../../../src/std/instant.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { atMoment, january, scratchStore } from '../../support/store/scratch-store.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const item = (creditEntitlementId: string, rest: Partial<CartItem> = {}): CartItem => ({
  ...{ creditEntitlementId, productId: 'pdt_pack', creditsAmount: '12.5', expiresAfterDays: null },
  ...{ rolloverEnabled: false, rolloverPercentage: null, maxRolloverCount: null },
  ...{ rolloverTimeframeCount: null, rolloverTimeframeInterval: null },
  ...{ overageEnabled: false, overageBehavior: 'forgive_at_reset', overageLimit: null },
  ...{ pricePerUnit: null, currency: null, lowBalanceThresholdPercent: null },
  ...{ prorationBehavior: 'no_prorate', trialCredits: null, trialCreditsExpireAfterTrial: false },
  ...rest,
})

async function buyer() {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const [first, second] = [
    await store.entitlement(scope, { precision: 1 }),
    await store.entitlement(scope, { precision: 1 }),
  ]
  const accounts = [first, second].map((entitlementId) =>
    accountIdOf({ ...scope, customerId, entitlementId }),
  )
  const buy = (paymentId: string, quantity = 2) =>
    grantPurchase(atMoment(january, store), {
      ...{ scope, customerId, paymentId, quantity, metadata: { order: 7 } },
      mappings: [item(first), item(second, { expiresAfterDays: 30 })],
    })
  const grants = async () => {
    const filter = { status: null, at: january }
    const page = { limit: 10, offset: 0 }
    const found = accounts.map((account) => store.ledger.grants(account, filter, page))
    return Promise.all(found)
  }
  const told = () =>
    store.db.query<{ type: string }>(sql`
      select type from outbox where business_id = ${scope.businessId} order by id`)
  return { accounts, buy, grants, told }
}

describe('a one-time purchase [credits#grants]', () => {
  it('grants the credits of each entitlement times quantity, and tells it', async () => {
    const { accounts, buy, grants, told } = await buyer()
    await buy('pay_1')
    const [[first], [second]] = (await grants()) as [[unknown], [unknown]]
    const same = { sourceType: 'one_time', sourceId: 'pay_1', metadata: { order: 7 } }
    expect(first).toMatchObject({ ...same, expiresAt: null, initial: '25' })
    expect(second).toMatchObject({ ...same, expiresAt: later(january, 30 * day) })
    const none = { type: null, from: null, to: null }
    const [entry] = await store.ledger.entries(accounts[0] ?? '', none, { limit: 10, offset: 0 })
    expect(entry).toMatchObject({
      ...{ transactionType: 'credit_added', referenceType: 'payment', referenceId: 'pay_1' },
    })
    expect((await told()).map((fact) => fact.type)).toEqual(['credit.added', 'credit.added'])
  })

  it('grants once a payment, however often and by however many it is told', async () => {
    const { buy, grants, told } = await buyer()
    await Promise.all(Array.from({ length: 8 }, () => buy('pay_2')))
    await buy('pay_2')
    expect((await grants()).map((all) => all.length)).toEqual([1, 1])
    await buy('pay_3', 1)
    expect((await grants()).map((all) => all.length)).toEqual([2, 2])
    expect(await told()).toHaveLength(4)
  })
})
