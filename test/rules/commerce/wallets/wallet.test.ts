import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import type {
  MovedWallet,
  Wallet,
  WalletEntry,
  WalletMove,
} from '../../../../src/rules/commerce/wallets/wallet.ts'
import {
  isReplay,
  movedWallet,
  totalInUsd,
  walletAfter,
} from '../../../../src/rules/commerce/wallets/wallet.ts'
import { instantOf } from '../../../../src/std/instant.ts'

const start = 1_800_000_000_000_000

const move = (amount: number, isCredit: boolean): WalletMove => ({
  customerId: 'cus_1',
  currency: 'USD',
  eventType: 'merchant_adjustment',
  idempotencyKey: null,
  reason: null,
  referenceId: null,
  amount,
  isCredit,
})

const moving = (was: Wallet | null, wanted: WalletMove, at = start) =>
  movedWallet(was, wanted, { at: instantOf(at), entryId: 'wle_1' })

function moved(...given: Parameters<typeof moving>): MovedWallet {
  const done = moving(...given)
  if ('problem' in done) throw new Error(done.problem)
  return done
}

describe('a wallet [resources#wallets]', () => {
  it('has entries from the first move on', () => {
    expect(moved(null, move(500, true))).toEqual({
      wallet: {
        customerId: 'cus_1',
        currency: 'USD',
        balance: 500,
        entries: 1,
        createdAt: start,
        updatedAt: start,
      },
      entry: {
        ...move(500, true),
        entryId: 'wle_1',
        number: 1,
        balanceBefore: 0,
        balanceAfter: 500,
        createdAt: start,
      },
    })
  })

  it('gives all that it has, and no more', () => {
    const { wallet } = moved(null, move(500, true))
    expect(moved(wallet, move(500, false)).wallet.balance).toBe(0)
    const short = { code: 'INSUFFICIENT_WALLET_FUNDS' }
    expect(moving(wallet, move(501, false))).toMatchObject(short)
    expect(moving(null, move(1, false))).toMatchObject(short)
  })

  it('holds no more than a number can say, and has room for what comes back', () => {
    const { wallet } = moved(null, move(limits.walletAdjustedMax, true))
    const full = { code: 'INTEGER_CONVERSION_FAILURE' }
    expect(moving(wallet, move(1, true))).toMatchObject(full)
    const back = { ...move(1, true), eventType: 'payment_reversal' as const }
    const free = Number.MAX_SAFE_INTEGER - limits.walletAdjustedMax
    const { wallet: whole } = moved(wallet, { ...back, amount: free })
    expect(whole.balance).toBe(Number.MAX_SAFE_INTEGER)
    expect(moving(whole, back)).toMatchObject(full)
    expect(moved(whole, move(1, false)).wallet.balance).toBe(whole.balance - 1)
    expect(totalInUsd([whole, whole])).toBe(Number.MAX_SAFE_INTEGER)
    expect(totalInUsd([])).toBe(0)
    expect(totalInUsd([{ balance: 5 }, { balance: 7 }])).toBe(12)
  })

  it('has a ledger that never runs backwards', () => {
    const { wallet } = moved(null, move(1, true), start + 5)
    const { entry, wallet: after } = moved(wallet, move(1, true), start)
    expect([entry.createdAt, after.updatedAt, after.createdAt]).toEqual([
      start + 5,
      start + 5,
      start + 5,
    ])
  })

  it('is the sum of its entries, whatever happens to it', () => {
    const moves = fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean()))
    fc.assert(
      fc.property(moves, (all) => {
        let wallet: Wallet | null = null
        let held = 0n
        const entries: WalletEntry[] = []
        for (const [amount, isCredit] of all) {
          const next = held + BigInt(isCredit ? amount : -amount)
          const done = moving(wallet, move(amount, isCredit), start + entries.length)
          expect('problem' in done).toBe(next < 0n)
          if ('problem' in done) continue
          held = next
          wallet = done.wallet
          entries.push(done.entry)
        }
        const balance = wallet === null ? 0 : (wallet as Wallet).balance
        expect(BigInt(balance)).toBe(held)
        let before = 0
        for (const [index, entry] of entries.entries()) {
          expect([entry.number, entry.balanceBefore]).toEqual([index + 1, before])
          before = entry.balanceAfter
          expect(walletAfter(wallet as unknown as Wallet, entry).balance).toBe(before)
        }
        expect(before).toBe(balance)
      }),
    )
  })
})

describe('a repeat', () => {
  it('is the same but for its words', () => {
    const { entry } = moved(null, move(500, true))
    expect(isReplay(entry, { ...move(500, true), reason: 'again' })).toBe(true)
    expect(isReplay(entry, move(501, true))).toBe(false)
    expect(isReplay(entry, move(500, false))).toBe(false)
    expect(isReplay(entry, { ...move(500, true), currency: 'INR' })).toBe(false)
    expect(isReplay(entry, { ...move(500, true), eventType: 'payment' })).toBe(false)
  })
})
