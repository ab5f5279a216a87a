import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../src/parts/store/postgres/connection/sql.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { scratchStore } from '../../support/store/scratch-store.ts'
import { grantsIn } from './bought-grants.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const { bought, found } = grantsIn(() => store)

describe('verify [entitlements#grants]', () => {
  it.each([
    [
      'a grant of a payment that was refunded',
      sql`update payments set refund_status = 'full' where payment_id = `,
      /Grant entg_.*was refunded/,
    ],
    [
      'a grant of a payment that failed',
      sql`update payments set status = 'failed' where payment_id = `,
      /Grant entg_.*is failed/,
    ],
    [
      'a grant without its key',
      sql`delete from license_keys where payment_id = `,
      /has no license key/,
    ],
    [
      'a key of a grant that was taken back',
      sql`update entitlement_grants set status = 'Revoked', revocation_reason = 'manual'
        where payment_id = `,
      /License key lic_.*can be used/,
    ],
    [
      'a grant that was taken back with a refund that did not happen',
      sql`update entitlement_grants set status = 'Revoked', revocation_reason = 'refund',
        revoked_at = created_at where integration_type = 'feature_flag' and payment_id = `,
      /taken back with a refund, but its payment pay_.* was not refunded whole/,
    ],
    [
      'a key whose grant is gone',
      sql`delete from entitlement_grants where payment_id = `,
      /its grant entg_.* is gone/,
    ],
  ])('finds %s', async (_, bend, sentence) => {
    const { paymentId, scope } = await bought(false)
    expect(await found(scope)).toEqual([])
    await store.db.query(sql`${bend}${paymentId}`)
    expect((await found(scope)).join('\n')).toMatch(sentence)
  })

  it('finds grants that do not follow their subscription', async () => {
    const { scope, subscriptionId } = await bought(true)
    const bend = (status: string) =>
      store.db.query(sql`
        update subscriptions set status = ${status} where subscription_id = ${subscriptionId}`)
    await bend('paused')
    expect((await found(scope)).join('\n')).toMatch(/its subscription sub_.* is paused/)
    await bend('active')
    await store.db.query(sql`
      update entitlement_grants set status = 'Revoked', revocation_reason = 'SubscriptionPaused'
      where subscription_id = ${subscriptionId}`)
    expect((await found(scope)).join('\n')).toMatch(/kept back .* its subscription is active/)
  })
})
