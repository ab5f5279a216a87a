import { describe, expect, it } from 'vitest'
import { emptyAccount, storedBalance } from '../../../src/rules/accounts/account.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import type { Worth } from '../../../src/rules/accounts/settle.ts'
import { settle } from '../../../src/rules/accounts/settle.ts'
import { noOverage, sameOverageTerms } from '../../../src/rules/accounts/terms.ts'
import { accountOf, begin } from './cycles.ts'

const worth = (meterId: string, amount: bigint): Worth => ({
  routeId: 'sub_1',
  meterId,
  cycleAt: begin,
  worth: credits(amount),
})

describe('the order of a settling', () => {
  const account = accountOf([{ id: 'a' }])
  const overage = account.overageTerms
  const metersOf = (worths: readonly Worth[], from = account): readonly (string | null)[] =>
    settle(from, { worths, overage }, begin).entries.map((entry) => entry.cause.referenceId)

  it('is that of the meters’ names, in whatever order they come', () => {
    const worths = ['calls', 'bytes', 'seats'].map((meterId) => worth(meterId, 5n))
    expect(metersOf(worths)).toEqual(['bytes', 'calls', 'seats'])
    expect(metersOf(worths.toReversed())).toEqual(['bytes', 'calls', 'seats'])
  })

  it('takes falls before rises, in whatever order they come', () => {
    const first = ['bytes', 'calls', 'seats', 'turns'].map((meterId) => worth(meterId, 9n))
    const before = settle(account, { worths: first, overage }, begin).account
    const next = [worth('bytes', 11n), worth('calls', 3n), worth('seats', 12n), worth('turns', 2n)]
    for (const worths of [next, next.toReversed()]) {
      expect(metersOf(worths, before)).toEqual(['calls', 'turns', 'bytes', 'seats'])
    }
  })

  it('leaves out what stands: it is no charge, and no entry', () => {
    const settled = settle(account, { worths: [worth('calls', 0n)], overage }, begin)
    expect(settled.entries).toEqual([])
    expect(settled.account.charges).toEqual([])
  })
})

describe('overage terms', () => {
  it('are none to begin with, and forgive', () => {
    expect(noOverage).toEqual({ enabled: false, limit: null, behavior: 'forgive_at_reset' })
    expect(emptyAccount(2).overageTerms).toBe(noOverage)
  })

  it('are other terms when any part is, and then what stands is the base', () => {
    const terms = { ...noOverage, limit: credits(5n) }
    expect(sameOverageTerms(terms, { ...terms })).toBe(true)
    expect(sameOverageTerms(terms, { ...terms, enabled: true })).toBe(false)
    expect(sameOverageTerms(terms, { ...terms, limit: null })).toBe(false)
    expect(sameOverageTerms(terms, { ...terms, behavior: 'carry_deficit' })).toBe(false)
    const used = accountOf([{ id: 'a' }], 30n)
    const overage = { ...used.overageTerms, behavior: 'carry_deficit' as const }
    const { account } = settle(used, { worths: [], overage }, begin)
    expect([account.base, account.overageTerms]).toEqual([used.state, overage])
    expect(storedBalance(account)).toBe(70n)
  })
})
