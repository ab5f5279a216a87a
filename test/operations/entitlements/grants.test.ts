import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  fulfilLicenseKey,
  hearOfGrant,
  revokeGrant,
} from '../../../src/operations/entitlements/change-grant.ts'
import { updateLicenseKey } from '../../../src/operations/licenses/change-license-key.ts'
import { createRefund } from '../../../src/operations/refunds/create-refund.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import { subscriptionPatch } from '../../../src/wire/subscription-update.ts'
import { asked } from '../../rules/commerce/refunds/refunding.ts'
import type { ScratchStore } from '../../support/store/scratch-store.ts'
import { january, scratchStore } from '../../support/store/scratch-store.ts'
import { grantsIn, kinds, license } from './bought-grants.ts'

let store: ScratchStore
beforeAll(async () => {
  store = await scratchStore()
})
afterAll(() => store.drop())

const { bought, entitlements, found, needs, product, told } = grantsIn(() => store)

describe('a payment of what brings entitlements [entitlements#grants]', () => {
  it('grants each once, with keys for each unit, and tells of it', async () => {
    const { grants, keys, scope, paymentId, subscriptionId } = await bought(false)
    expect((await grants()).map((each) => [each.integrationType, each.status])).toEqual(
      expect.arrayContaining([
        ['feature_flag', 'Delivered'],
        ['license_key', 'Delivered'],
        ['license_key', 'Pending'],
        ['github', 'Pending'],
      ]),
    )
    expect(await grants()).toHaveLength(4)
    expect(new Set((await grants()).map((each) => each.paymentId))).toEqual(new Set([paymentId]))
    expect(subscriptionId).toBe('')
    expect(await keys()).toHaveLength(2)
    const types = await told(scope)
    expect(types.filter((type) => type === 'entitlement_grant.created')).toHaveLength(4)
    expect(types.filter((type) => type === 'entitlement_grant.delivered')).toHaveLength(2)
    expect(types.filter((type) => type === 'license_key.created')).toHaveLength(2)
    expect(types.lastIndexOf('license_key.created')).toBeLessThan(
      types.indexOf('entitlement_grant.delivered'),
    )
    expect(await found(scope)).toEqual([])
  })

  it('that is refunded whole loses them, and what waited for somebody, too', async () => {
    const { grants, keys, scope, paymentId } = await bought(false)
    await createRefund(store, scope, asked({ paymentId }))
    expect(new Set((await grants()).map((each) => each.revocationReason))).toEqual(
      new Set(['refund']),
    )
    expect((await keys()).every(({ disabled }) => disabled)).toBe(true)
    const types = await told(scope)
    expect(types.filter((type) => type === 'entitlement_grant.revoked')).toHaveLength(4)
    expect(await found(scope)).toEqual([])
  })

  it('that is refunded takes back nothing that the seller has taken for good [entitlements#revocation]', async () => {
    const { grants, scope, paymentId } = await bought(false)
    const [flag] = (await grants()).filter(
      ({ integrationType }) => integrationType === 'feature_flag',
    )
    const { entitlementId = '', grantId = '' } = flag ?? {}
    const taken = await revokeGrant(needs(), scope, { grantId, entitlementId, at: january })
    await createRefund(store, scope, asked({ paymentId }))
    expect((await grants()).find((each) => each.grantId === grantId)).toEqual(taken.grant)
    const types = await told(scope)
    expect(types.filter((type) => type === 'entitlement_grant.revoked')).toHaveLength(4)
    expect(await found(scope)).toEqual([])
  })
})

describe('a grant [entitlements#fulfilment]', () => {
  it('waits for the key of its seller, who gives one, once', async () => {
    const { grants, scope } = await bought(false, [license('manual')])
    const [grant] = await grants()
    const grantId = grant?.grantId ?? ''
    const given = { key: `OWN-${store.newId('lic')}`, activationsLimit: 9, expiresAt: undefined }
    const both = await Promise.allSettled(
      [1, 2].map((number) =>
        fulfilLicenseKey(needs(), scope, {
          grantId,
          at: january,
          given: { ...given, key: given.key + number },
        }),
      ),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [key] = await store.licenseKeys.broughtBy(scope, { grantIds: [grantId] })
    expect(key).toMatchObject({ source: 'manual', activationsLimit: 9 })
    expect((await told(scope)).slice(-2)).toEqual([
      'license_key.created',
      'entitlement_grant.delivered',
    ])
    const other = await bought(false, [license('manual')])
    const [second] = await other.grants()
    const again = {
      grantId: second?.grantId ?? '',
      at: january,
      given: { ...given, key: key?.key ?? '' },
    }
    await expect(fulfilLicenseKey(needs(), other.scope, again)).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await expect(fulfilLicenseKey(needs(), scope, again)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('that somebody else delivers goes through its states by what they say', async () => {
    const { grants, scope } = await bought(false, kinds.slice(3))
    const [grant] = await grants()
    const grantId = grant?.grantId ?? ''
    const say = async (status: 'Pending' | 'Delivered' | 'Failed' | 'Revoked', more = {}) => {
      const none = { errorCode: null, errorMessage: null, oauthUrl: null, oauthExpiresAt: null }
      const news = { ...none, status, ...more }
      return hearOfGrant(needs(), scope, { grantId, at: january, news }).then(
        (shown) => shown.grant.status,
        (error: { readonly code: string }) => error.code,
      )
    }
    expect(await say('Pending', { oauthUrl: 'https://example.com/' })).toBe('Pending')
    expect(await say('Failed', { errorCode: 'no_seat' })).toBe('Failed')
    expect((await grants())[0]).toMatchObject({ errorCode: 'no_seat', oauthUrl: null })
    expect(await say('Delivered')).toBe('Delivered')
    expect(await say('Delivered')).toBe('Delivered')
    expect(await say('Failed')).toBe('CONFLICT')
    expect(await say('Revoked')).toBe('Revoked')
    expect(await say('Revoked')).toBe('Revoked')
    expect(await say('Delivered')).toBe('CONFLICT')
    expect((await grants())[0]?.revocationReason).toBe('platform_external')
    expect((await told(scope)).slice(1)).toEqual([
      'entitlement_grant.failed',
      'entitlement_grant.delivered',
      'entitlement_grant.revoked',
    ])
  })

  it('goes with its last key, and comes back with one; taken back otherwise, it stays', async () => {
    const { grants, ids, keys, scope } = await bought(false, [license('auto')])
    const set = (licenseKeyId: string, disabled: boolean) =>
      updateLicenseKey(needs(), scope, { licenseKeyId, change: { disabled }, at: january })
    const state = async () => (await grants()).map((each) => each.revocationReason)
    const [one, two] = (await keys()).map(({ licenseKeyId }) => licenseKeyId)
    await Promise.all([set(one ?? '', true), set(two ?? '', true)])
    expect(await state()).toEqual(['license_key_disabled'])
    await set(two ?? '', false)
    expect(await state()).toEqual([null])
    const [grant] = await grants()
    const target = { entitlementId: ids[0] ?? '', grantId: grant?.grantId ?? '', at: january }
    const first = await revokeGrant(needs(), scope, target)
    const again = await revokeGrant(needs(), scope, target)
    expect(again.grant).toEqual(first.grant)
    await expect(set(one ?? '', false)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await found(scope)).toEqual([])
  })
})

describe('a subscription [entitlements#subscriptions]', () => {
  it('takes its grants back while it is paused, and gives them again', async () => {
    const { grants, scope, subscriptionId } = await bought(true)
    const set = (body: object) =>
      updateSubscription(store, scope, { subscriptionId, patch: subscriptionPatch(body, null) })
    const state = async () => new Set((await grants()).map((each) => each.revocationReason))
    expect(await state()).toEqual(new Set([null]))
    await set({ status: 'paused' })
    expect(await state()).toEqual(new Set(['SubscriptionPaused']))
    expect(await found(scope)).toEqual([])
    await set({ status: 'active' })
    expect(await state()).toEqual(new Set([null]))
    await set({ status: 'cancelled' })
    expect(await state()).toEqual(new Set(['subscription_cancelled']))
    expect(await found(scope)).toEqual([])
  })

  it.each(['do_not_bill', 'full_immediately'] as const)(
    'that moves to another plan (%s) has what that one brings',
    async (mode) => {
      const { ids, scope, subscriptionId } = await bought(true)
      const more = await entitlements(scope, [{ type: 'feature_flag', featureId: 'more' }])
      const productId = await product(scope, [...ids.slice(0, 1), ...more], true)
      await changePlan(store, scope, {
        subscriptionId,
        productId,
        quantity: 1,
        mode,
        waits: false,
        replaces: false,
        metadata: null,
        addons: [],
        discountCodes: null,
        onFailure: null,
      })
      const all = await store.entitlementGrants.broughtBy(scope, {
        paymentIds: [],
        subscriptionIds: [subscriptionId],
      })
      const live = all.filter(({ status }) => status !== 'Revoked')
      expect(live.map(({ entitlementId }) => entitlementId).toSorted()).toEqual(
        [...ids.slice(0, 1), ...more].toSorted(),
      )
      expect(all).toHaveLength(5)
      expect(await found(scope)).toEqual([])
    },
  )
})
