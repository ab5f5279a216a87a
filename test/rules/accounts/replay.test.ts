import { describe, expect, test } from 'vitest'
import { noCause } from '../../../src/rules/accounts/cause.ts'
import { credits } from '../../../src/rules/accounts/credits.ts'
import type { ReplayedEntry } from '../../../src/rules/accounts/replay.ts'
import { emptyReplay, replayEntry } from '../../../src/rules/accounts/replay.ts'
import { replayed } from '../../support/billing/replayed.ts'

const first: ReplayedEntry = {
  number: 1,
  type: 'credit_added',
  amount: credits(10n),
  balanceBefore: credits(0n),
  balanceAfter: credits(10n),
  overageBefore: credits(0n),
  overageAfter: credits(0n),
  grantId: 'cgr_1',
  cause: noCause,
}
const second: ReplayedEntry = {
  ...first,
  number: 2,
  type: 'credit_deducted',
  amount: credits(4n),
  balanceBefore: credits(10n),
  balanceAfter: credits(6n),
}

describe('books', () => {
  test('are the fold of the entries: balance, overage and what each grant holds', () => {
    const books = replayed(emptyReplay, [first, second])
    expect(books.entries).toBe(2)
    expect(books.balance).toBe(6n)
    expect(books.overage).toBe(0n)
    expect(books.grants).toEqual(new Map([['cgr_1', 6n]]))
  })

  test('an entry that skips or repeats a number is named', () => {
    expect(replayEntry(emptyReplay, second)).toBe('entry 2 follows 0')
    const books = replayed(emptyReplay, [first])
    expect(replayEntry(books, { ...second, number: 1 })).toBe('entry 1 follows 1')
  })

  test('an entry whose before is not the previous after is named', () => {
    const books = replayed(emptyReplay, [first])
    expect(replayEntry(books, { ...second, balanceBefore: credits(9n) })).toContain(
      'balance_before',
    )
    expect(replayEntry(books, { ...second, overageBefore: credits(1n) })).toContain(
      'overage_before',
    )
  })

  test('an amount is the change of balance and overage together', () => {
    const books = replayed(emptyReplay, [first])
    expect(replayEntry(books, { ...second, amount: credits(5n) })).toContain('amount')
    expect(replayEntry(books, { ...second, overageAfter: credits(1n) })).toContain('amount')
    const both = { ...second, overageAfter: credits(1n), amount: credits(5n) }
    expect(typeof replayEntry(books, both)).toBe('object')
  })

  test('what is billed of the overage moves nothing: its amount is free [credits#ledger]', () => {
    const books = replayed(emptyReplay, [first])
    const flat = { ...second, balanceAfter: credits(10n), amount: credits(7n) }
    expect(typeof replayEntry(books, { ...flat, type: 'overage_charged' })).toBe('object')
    expect(typeof replayEntry(books, { ...flat, type: 'credit_expired' })).toBe('string')
  })

  test('a roll moves credits from the grant that it names to its own [credits#cycle-end]', () => {
    const books = replayed(emptyReplay, [first])
    const roll: ReplayedEntry = {
      ...second,
      type: 'credit_rolled_over',
      amount: credits(7n),
      balanceAfter: credits(10n),
      grantId: 'cgr_2',
      cause: { inputs: { rule: 'credit_rolled_over', parentGrantId: 'cgr_1' } },
    }
    const rolled = new Map([
      ['cgr_1', 3n],
      ['cgr_2', 7n],
    ])
    expect(replayed(books, [roll])).toMatchObject({ balance: 10n, grants: rolled })
    expect(replayEntry(books, { ...roll, cause: noCause })).toContain(
      'does not say from which grant',
    )
    expect(replayEntry(books, { ...roll, grantId: null })).toContain(
      'does not say from which grant',
    )
  })

  test('a repayment takes the same from balance and overage, and counts it once [credits#rollover]', () => {
    const owing: ReplayedEntry = {
      ...second,
      balanceAfter: credits(10n),
      overageAfter: credits(4n),
      grantId: null,
    }
    const books = replayed(emptyReplay, [first, owing])
    const repayment: ReplayedEntry = {
      ...second,
      number: 3,
      amount: credits(3n),
      balanceAfter: credits(7n),
      overageBefore: credits(4n),
      overageAfter: credits(1n),
    }
    expect(replayEntry(books, repayment)).toMatchObject({ balance: 7n, overage: 1n })
    expect(replayEntry(books, { ...repayment, amount: credits(6n) })).toContain('amount')
    const uneven = { ...repayment, overageAfter: credits(2n) }
    expect(replayEntry(books, uneven)).toContain('amount')
    // When both rise, these are two changes.
    const rising = { ...repayment, balanceAfter: credits(13n), overageAfter: credits(7n) }
    expect(replayEntry(books, rising)).toContain('amount')
    expect(replayEntry(books, { ...rising, amount: credits(6n) })).toMatchObject({ balance: 13n })
  })

  test('a rule that makes a broken chain is a bug', () => {
    expect(() => replayed(emptyReplay, [second])).toThrow()
  })
})
