import { describe, expect, test } from 'vitest'
import { emptyAccount } from '../../../src/rules/accounts/account.ts'
import { noCause } from '../../../src/rules/accounts/cause.ts'
import { debit, earliest, expiryAfter, grant } from '../../../src/rules/accounts/commands.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import { after, instantOf } from '../../../src/std/instant.ts'

const at = instantOf(1_700_000_000_000_000)
const given = {
  grantId: 'cgr_1',
  amount: credits(1_050n),
  source: { type: 'subscription' as const, id: 'sub_1' },
  cycleAt: at,
  expiresAt: expiryAfter(30, at),
  metadata: { plan: 'pro' },
  entryType: 'credit_added' as const,
  cause: { ...noCause, referenceType: 'subscription', referenceId: 'sub_1' },
}

describe('a grant', () => {
  test('holds what it was given, and everything that was said about it', () => {
    const { account, entries } = grant(emptyAccount(2), given, at)
    const { grantId, cycleAt, expiresAt, metadata } = given
    expect(account.grants).toEqual([
      {
        grantId,
        number: 1,
        sourceType: 'subscription',
        sourceId: 'sub_1',
        parentGrantId: null,
        rolloverCount: 0,
        initial: 1_050n,
        cycleAt,
        expiresAt,
        metadata,
        createdAt: at,
      },
    ])
    expect(account.base).toEqual(account.state)
    expect(entries).toMatchObject([
      { number: 1, type: 'credit_added', isCredit: true, amount: 1_050n, grantId: 'cgr_1', at },
    ])
    expect(entries[0]?.cause).toEqual(given.cause)
  })

  test('of nothing is a bug', () => {
    expect(() => grant(emptyAccount(2), { ...given, amount: credits(0n) }, at)).toThrow()
  })
})

describe('a debit', () => {
  test('that is refused says what there is and what there would have to be', () => {
    const { account } = grant(emptyAccount(2), given, at)
    expect(debit(account, { amount: credits(1_051n), cause: noCause }, at)).toEqual({
      code: 'INSUFFICIENT_BALANCE',
      problem: 'The balance is 10.5 credits; a debit of 10.51 needs at least as many.',
    })
  })

  test('of nothing is a bug', () => {
    const nothing = { amount: credits(0n), cause: noCause }
    expect(() => debit(emptyAccount(2), nothing, at)).toThrow()
  })
})

describe('ends', () => {
  test('an expiry is whole days of 24 hours after the grant; none never comes [credits#grants]', () => {
    expect(expiryAfter(7, at)).toBe(after(at, 7 * 24 * 3_600 * 1_000_000))
    expect(expiryAfter(null, at)).toBeNull()
  })

  test('the earliest of two is the one there is, or the earlier', () => {
    const later = instantOf(at + 1)
    expect(earliest(at, later)).toBe(at)
    expect(earliest(later, at)).toBe(at)
    expect(earliest(null, at)).toBe(at)
    expect(earliest(at, null)).toBe(at)
    expect(earliest(null, null)).toBeNull()
  })
})
