import { describe, expect, it } from 'vitest'
import type { Adjustment } from '../../../src/rules/accounts/adjustment.ts'
import { adjusting } from '../../../src/rules/accounts/adjustment.ts'
import { project } from '../../../src/rules/accounts/project.ts'
import type { AccountView } from '../../../src/rules/accounts/view.ts'
import { entitlementFor, plainProgram } from '../../support/billing/catalog.ts'
import { noon } from '../meter/arbitraries.ts'

const entitlement = {
  ...entitlementFor('cde_1', plainProgram, noon),
  precision: 2,
  deleted: false,
}
const key = {
  businessId: 'bus_1',
  mode: 'test' as const,
  customerId: 'cus_1',
  entitlementId: 'cde_1',
}
const view: AccountView = {
  key,
  measured: {},
  customerExists: true,
  clockAhead: 0,
  entitlement,
  stored: null,
  usage: [],
  subscriptions: [],
  unsettled: [],
}

const credit: Adjustment = {
  key,
  type: 'credit',
  amount: '1.5',
  reason: null,
  expiresAt: null,
  idempotencyKey: null,
  metadata: null,
}
const adjusted = (change: Partial<Adjustment>, of: AccountView = view) =>
  adjusting({ ...credit, ...change }, of, { at: noon, newId: () => 'cgr_1' })

describe('an adjustment [resources#adjustments]', () => {
  it('gives a grant of its amount', () => {
    const command = adjusted({})
    if (typeof command !== 'function') throw new Error(command.problem)
    expect(command(project(view, noon))).toMatchObject({
      account: { grants: [{ grantId: 'cgr_1', initial: 150n }] },
      entries: [{ type: 'manual_adjustment', amount: 150n }],
    })
  })

  it('takes no more than there is', () => {
    const command = adjusted({ type: 'debit' })
    if (typeof command !== 'function') throw new Error(command.problem)
    expect(command(project(view, noon))).toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
  })

  // Each case also has what is refused later: the order is part of the answer. [requests#refusals]
  const late: Partial<Adjustment> = { expiresAt: noon }
  const marked: Partial<Adjustment> = { ...late, metadata: { a: 2 ** 60 } }
  const large: Partial<Adjustment> = { ...marked, amount: '10000000000' }
  const fine: Partial<Adjustment> = { ...marked, amount: '10000000000.001' }
  const nobody = { ...view, customerExists: false }
  const nothing = { ...nobody, entitlement: { ...entitlement, deleted: true } }

  it.each<[string, Partial<Adjustment>, AccountView, string]>([
    ['NOT_FOUND', fine, { ...nothing, entitlement: null }, "entitlement with the id 'cde_1'"],
    ['NOT_FOUND', fine, nothing, "entitlement with the id 'cde_1'"],
    ['NOT_FOUND', fine, nobody, "customer with the id 'cus_1'"],
    ['INVALID_REQUEST_BODY', fine, view, 'at most 2 digits'],
    ['INVALID_REQUEST_PARAMETERS', large, view, 'below 10000000000'],
    ['INVALID_REQUEST_PARAMETERS', marked, view, 'metadata.a'],
    ['INVALID_REQUEST_BODY', late, view, 'in the future'],
  ])('is refused: %s', (code, change, of, problem) => {
    expect(adjusted(change, of)).toEqual({ code, problem: expect.stringContaining(problem) })
  })
})
