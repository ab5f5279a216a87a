import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EntitlementGrant } from '../../../../src/rules/commerce/entitlements/entitlement-grant.ts'
import type { GrantMoves } from '../../../../src/rules/commerce/entitlements/granting.ts'
import { granted, revoked } from '../../../../src/rules/commerce/entitlements/granting.ts'
import type { ProductEntitlement } from '../../../../src/rules/commerce/entitlements/product-entitlement.ts'
import { subscriptionGrants } from '../../../../src/rules/commerce/entitlements/subscription-grants.ts'
import type { LicenseKey } from '../../../../src/rules/commerce/licenses/license-key.ts'
import type { Subscription } from '../../../../src/rules/commerce/subscriptions/subscription.ts'
import { instantOf } from '../../../../src/std/instant.ts'
import { runs } from '../../../support/run/runs.ts'

const entitlementOf = (
  entitlementId: string,
  config: ProductEntitlement['config'],
): ProductEntitlement => ({
  entitlementId,
  name: entitlementId,
  description: null,
  config,
  metadata: {},
  deletedAt: null,
  createdAt: instantOf(0),
  updatedAt: instantOf(0),
})

const license = (fulfillment: 'auto' | 'manual') =>
  ({
    type: 'license_key',
    activationMessage: null,
    activationsLimit: null,
    duration: null,
    fulfillment,
  }) as const

const all = [
  entitlementOf('flag', { type: 'feature_flag', featureId: 'beta' }),
  entitlementOf('keys', license('auto')),
  entitlementOf('own', license('manual')),
  entitlementOf('guild', { type: 'discord', settings: { guild_id: '1' } }),
]

/** What each plan brings. */
const plans: Readonly<Record<string, readonly string[]>> = {
  small: ['flag'],
  large: ['flag', 'keys', 'guild'],
  other: ['keys', 'own'],
  bare: [],
}

const moves = ['active', 'on_hold', 'paused', ...Object.keys(plans), 'manual'] as const

/** A subscription with its grants and keys, moved as operations move it. */
function world() {
  let at = 0
  let ids = 0
  let subscription = { status: 'active', productId: 'large', quantity: 2 } as Subscription
  const grants = new Map<string, EntitlementGrant>()
  const keys = new Map<string, LicenseKey>()
  const known = new Map(all.map((each) => [each.entitlementId, each]))
  const broughtBy = new Map(
    Object.entries(plans).map(([id, names]) => [
      id,
      names.flatMap((name) => known.get(name) ?? []),
    ]),
  )
  const moment = () => ({
    at: instantOf(++at),
    newId: (prefix: string) => `${prefix}_${++ids}`,
    newKey: () => `KEY-${++ids}`,
  })
  const purchase = {
    customerId: 'cus_1',
    brandId: 'brn_1',
    paymentId: 'pay_1',
    subscriptionId: 'sub_1',
    metadata: {},
  }
  const first = (broughtBy.get('large') ?? []).map((entitlement) => ({
    entitlement,
    productId: 'large',
    quantity: 2,
  }))
  write(granted(purchase, first, moment()))
  return { grants, keys, move, revokes, state: () => subscription }

  function write({ grants: moved, keys: made }: GrantMoves): void {
    for (const { was, grant } of moved) {
      expect(was ?? null).toBe(grants.get(grant.grantId) ?? null)
      grants.set(grant.grantId, grant)
    }
    for (const { was, key } of made) {
      expect(was ?? null).toBe(keys.get(key.licenseKeyId) ?? null)
      keys.set(key.licenseKeyId, key)
    }
  }

  function move(change: Partial<Subscription>): void {
    const after = { ...subscription, ...change, subscriptionId: 'sub_1' }
    const of = { before: subscription, after }
    const now = { grants: [...grants.values()], keys: [...keys.values()] }
    write(subscriptionGrants(of, { ...now, entitlements: known, broughtBy }, moment()))
    subscription = after
  }

  function revokes(entitlementId: string): void {
    const grant = [...grants.values()].find((each) => each.entitlementId === entitlementId)
    if (grant === undefined || grant.status === 'Revoked') return
    write(revoked(grant, { keys: [...keys.values()], reason: 'manual' }, moment().at))
  }
}

describe('grants of a subscription [entitlements#subscriptions]', () => {
  it('live while it is active and its plan brings them, in whatever order things happen', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 14 }), (steps) => {
        const { grants, keys, move, revokes, state } = world()
        const taken = new Set<string>()
        for (const step of steps) {
          if (step === 'manual') {
            const lives = [...grants.values()].some(
              ({ entitlementId, status }) => entitlementId === 'keys' && status !== 'Revoked',
            )
            if (lives) taken.add('keys')
            revokes('keys')
          } else if (step in plans) move({ productId: step })
          else move({ status: step as Subscription['status'] })
          const { productId, status } = state()
          const carried = plans[productId] ?? []
          for (const name of carried) {
            const mine = [...grants.values()].filter((grant) => grant.entitlementId === name)
            expect(mine, name).toHaveLength(1)
          }
          for (const grant of grants.values()) {
            const name = grant.entitlementId
            const lives = status === 'active' && carried.includes(name) && !taken.has(name)
            expect(grant.status !== 'Revoked', `${name} after ${steps}`).toBe(lives)
            expect(grant.revocationReason !== null).toBe(grant.status === 'Revoked')
            const own = [...keys.values()].filter(({ grantId }) => grantId === grant.grantId)
            if (lives && name === 'keys') expect(own).toHaveLength(2)
            if (lives && (name === 'guild' || name === 'own')) expect(grant.status).toBe('Pending')
            // The subscription alone keeps back keys of a plan that it has.
            const isOff = taken.has(name) || !carried.includes(name)
            for (const key of own) expect(key.disabled, `${name} after ${steps}`).toBe(isOff)
          }
        }
      }),
      runs(150),
    )
  })

  it('end with it for good', () => {
    for (const [status, reason] of [
      ['cancelled', 'subscription_cancelled'],
      ['expired', 'subscription_expired'],
    ] as const) {
      const { grants, move } = world()
      move({ status })
      expect([...grants.values()].map((grant) => grant.revocationReason)).toEqual(
        [...grants.values()].map(() => reason),
      )
    }
  })
})
