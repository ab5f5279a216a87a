import { expect } from 'vitest'
import { adjustBalance } from '../../src/operations/accounts/adjust-balance.ts'
import { settleAccount } from '../../src/operations/accounts/settle-accounts.ts'
import { verifyBooks } from '../../src/operations/verify/verify-books.ts'
import { audit } from '../../src/parts/store/postgres/audit/audit.ts'
import { balanceAt } from '../../src/rules/accounts/account.ts'
import { project } from '../../src/rules/accounts/project.ts'
import type { AccountKey } from '../../src/rules/accounts/view.ts'
import type { Instant } from '../../src/std/instant.ts'
import { after, day, minute } from '../../src/std/instant.ts'
import type { Outcome } from '../model/credit-programs.ts'
import type { ModelTerms, Step } from '../model/credits.ts'
import type { Increment, ScratchStore } from '../support/store/scratch-store.ts'
import { atMoment, february, january, measuredOf, sliceOf } from '../support/store/scratch-store.ts'
import { incrementOf } from '../support/store/usage.ts'

/** The log that all runs on a store are measured from: it has one partition. */
export interface ProgramLog {
  next: number
}

/** One account of a business of its own, and the steps of programs, done as operations do them. */
export async function beginRun(store: ScratchStore, log: ProgramLog) {
  const scope = await store.business()
  const customerId = await store.customer(scope)
  const key: AccountKey = { ...scope, customerId, entitlementId: await store.entitlement(scope) }
  const worths = new Map<string, bigint>()
  let at = february
  let refused = 0
  // Programs know no boundaries: so the account stays in its second month from the beginning.
  await settle()
  return { key, step, outcome, sentences: () => sentencesOf(store, key) }

  async function step(next: Step): Promise<void> {
    if (next.kind === 'usage') await use(next.meter, next.worth)
    if (next.kind === 'settle') await settle()
    if (next.kind === 'later') at = later(at, next.by)
    if (next.kind === 'terms') await change(next.terms)
    if (next.kind === 'grant') await adjust('credit', next.amount, next.lives)
    if (next.kind === 'debit') {
      await adjust('debit', next.amount, null).catch((error: { code?: string }) => {
        expect(error.code).toBe('INSUFFICIENT_BALANCE')
        refused += 1
      })
    }
  }

  async function use(name: string, worth: bigint): Promise<void> {
    const value = String(worth - (worths.get(name) ?? 0n))
    worths.set(name, worth)
    const slice = sliceOf({ start: log.next })
    log.next = slice.end
    const usage = [incrementOf(key, { ...placeOf(name), value })]
    await store.measuring.commit(measuredOf({ slices: [slice], usage, accounts: [key] }))
  }

  async function settle(): Promise<void> {
    await settleAccount(atMoment(at, store), key)
  }

  async function change({ overage, limit }: ModelTerms): Promise<void> {
    await settle()
    await store.db.query({
      text: `update credit_entitlements set overage_enabled = $1, overage_limit = $2
        where credit_entitlement_id = $3`,
      values: [overage, limit, key.entitlementId],
    })
    await settle()
  }

  async function adjust(type: 'credit' | 'debit', amount: bigint, lives: number | null) {
    await adjustBalance(atMoment(at, store), {
      key,
      type,
      amount: String(amount),
      reason: null,
      expiresAt: lives === null ? null : later(at, lives),
      idempotencyKey: null,
      metadata: null,
    })
  }

  async function outcome(): Promise<Outcome> {
    const [view] = await store.accounts.load([key])
    if (view === undefined) throw new Error('No view.')
    const { account } = project(view, at)
    const { state, grants } = account
    return {
      balance: balanceAt(account, at),
      initial: grants.map(({ initial }) => initial),
      remaining: state.holdings.map(({ remaining }) => remaining),
      drawn: state.holdings.map(({ drawn }) => drawn),
      overage: state.overage,
      dropped: state.dropped,
      unreturned: state.unreturned,
      refused,
    }
  }
}

/** What `verify` says of the business of an account. */
export async function sentencesOf(
  { db }: ScratchStore,
  { businessId }: AccountKey,
): Promise<readonly string[]> {
  const found: string[] = []
  const verification = verifyBooks({ audit: audit(db), log: null, window: day }, { businessId })
  for await (const { sentence } of verification) found.push(sentence)
  return found
}

const later = (at: Instant, minutes: number): Instant => after(at, minutes * minute)

/** The program without worths below 0, which one meter under one rate cannot have. */
export const sellable = (program: readonly Step[]): Step[] =>
  program.map((step) => (step.kind === 'usage' && step.worth < 0n ? { ...step, worth: 0n } : step))

/**
 * The row of usage that a program's name stands for: a meter, a cycle's month, and an entitlement.
 */
function placeOf(name: string): Partial<Increment> {
  const [meter, cycle, route] = name.split(' ')
  const at = cycle === '1' ? january : february
  const meterId = route === 'b' ? 'mtr_seats' : `mtr_${meter}`
  return { meterId, cycleAt: at, segmentAt: at }
}
