import { describe, expect, it } from 'vitest'
import type { CartItem } from '../../../../src/rules/accounts/attached-credits.ts'
import { patchedCart } from '../../../../src/rules/commerce/subscriptions/cart-patch.ts'
import { item } from './subscribed.ts'

const bought = [item('cde_1'), item('cde_2')]

describe('a patch of the cart [resources#attached-credits, requests#nulls]', () => {
  const patched = (cart: readonly CartItem[], ...patches: readonly object[]) => {
    const all = patches.map((each) => ({ creditEntitlementId: 'cde_1', ...each }))
    return patchedCart(cart, all, { quantity: 2, precisionOf: () => 2 })
  }
  const patch = (...patches: readonly object[]) => patched(bought, ...patches)

  it('changes what it names, keeps what is absent, and remembers what it hides', () => {
    expect(patch({ creditsAmount: '5', rolloverEnabled: false, overageLimit: undefined })).toEqual([
      item('cde_1', {
        creditsAmount: '5',
        rolloverEnabled: false,
        overridden: {
          creditsAmount: item('cde_1').creditsAmount,
          rolloverEnabled: item('cde_1').rolloverEnabled,
        },
      }),
      item('cde_2'),
    ])
  })

  it('clears with null, and only what is null', () => {
    const settings = {
      creditsAmount: '7',
      expiresAfterDays: 9,
      lowBalanceThresholdPercent: 1,
      maxRolloverCount: 3,
      overageLimit: '4',
      rolloverEnabled: false,
      rolloverPercentage: 1,
      rolloverTimeframeCount: 2,
      rolloverTimeframeInterval: 'Week',
      overageEnabled: false,
    }
    const once = patch(settings)
    const twice = 'code' in once ? [] : patched(once, { ...settings, creditsAmount: '8' })
    if ('code' in twice) throw new Error(twice.problem)
    expect(twice[0]).toMatchObject({ ...settings, creditsAmount: '8' })
    const nulls = Object.fromEntries(Object.keys(settings).map((key) => [key, null]))
    expect(patched(twice, nulls)).toEqual([{ ...bought[0], overridden: {} }, bought[1]])
    expect(patched(twice, { creditsAmount: null })).toEqual([
      { ...twice[0], creditsAmount: bought[0]?.creditsAmount, overridden: expect.anything() },
      bought[1],
    ])
    // What is no override has nothing to clear.
    expect(patch(nulls)).toEqual([{ ...bought[0], overridden: {} }, bought[1]])
  })

  it.each([
    [[{ creditEntitlementId: 'cde_9' }], 'credit_entitlement_cart[0] names'],
    [[{}, {}], 'credit_entitlement_cart[1] names'],
    [[{ creditsAmount: '1.234' }], 'credit_entitlement_cart[0].credits_amount must have'],
    [[{ overageLimit: '0.001' }], 'credit_entitlement_cart[0].overage_limit must have'],
    [[{ overageEnabled: true }], 'credit_entitlement_cart[0].price_per_unit is required'],
    [[{ rolloverTimeframeCount: 2 }], 'credit_entitlement_cart[0].rollover_timeframe_count needs'],
    [[{ creditsAmount: '5000000000' }], 'credit_entitlement_cart[0].credits_amount times quantity'],
  ])('refuses %j', (patches, problem) => {
    const refused = patch(...patches)
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST_BODY' })
    expect(refused).toHaveProperty('problem', expect.stringContaining(problem))
  })
})
