import assert from 'node:assert/strict'
import { Fault } from '../faults.ts'
import { limits } from '../limits.ts'
import { accountIdOf } from '../operations/accounts/account-id.ts'
import type { Accounts, Share } from '../parts/store/accounts.ts'
import type { Changes } from '../parts/store/changes.ts'
import type { Scope } from '../parts/store/scope.ts'
import type { AccountChange } from '../rules/accounts/change.ts'
import { changeOf } from '../rules/accounts/change.ts'
import { settlingTimeOf } from '../rules/accounts/command-time.ts'
import type { AccountKey, AccountView } from '../rules/accounts/view.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Loop } from '../runtime/loop.ts'
import { loop } from '../runtime/loop.ts'
import { passing } from '../runtime/moments.ts'
import { pauseFor } from '../runtime/pause.ts'
import { scopeName } from '../runtime/scope-counts.ts'
import type { NewId } from '../std/id.ts'
import { after } from '../std/instant.ts'

export interface SettlingNeeds {
  readonly accounts: Accounts
  readonly changes: Pick<Changes, 'commitEach'>
  /** Which accounts this process settles; null: all. */
  readonly share: () => Share | null
  readonly newId: NewId
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: {
    readonly entries: (type: string, count: number) => void
    readonly settled: (accounts: number) => void
    /** Accounts that another process changed first, and that come again in the next round. */
    readonly retried: (accounts: number) => void
  }
  /** Called after every commit, since there may be something to tell. */
  readonly onSettled: () => void
}

/** So many due accounts mean that there is more to do than gets done. */
const accountsLookedFor = 200

/**
 * Accounts in a transaction then: one of all of them would save little, and hold up measuring for
 * longer than a balance may be late.
 */
const accountsPerTransaction = 50

/**
 * And otherwise. Measuring works in the same thread and store, and what reads a balance waits for
 * it: many accounts at once would hold it up for longer than all of its own work takes. So accounts
 * that became due together are settled a few at a time, with rests between, and become due again as
 * far apart.
 */
const fewAccounts = 25
const restMsMax = 100

/**
 * To look for what is due costs by all that waits, and each commit of measuring asks for a look: so
 * looks take a twentieth of the time at most, unless there is more to do than gets done.
 */
const looksApart = 19

/** How often a process also looks at the others' accounts, whose process may have vanished. */
const othersMs = 1_000

/**
 * How often to look without a nudge: while accounts that were settled a moment ago may become due
 * again, and when nothing was measured or settled for a while.
 */
const lookMs = { busy: 100, quiet: 500 }

/**
 * Usage → ledger: makes what is charged equal to what usage is worth, many accounts in a
 * transaction. A quiet account is settled at once; a busy one at most once per interval, which
 * grows while there is more to do than gets done. Then businesses take turns. Several processes
 * share the accounts as they share the partitions. Two that settle the same account do no harm,
 * only double work. [machines#writers]
 */
export function openSettling(needs: SettlingNeeds): Loop {
  let intervalMs: number = limits.settleIntervalMs
  let lookedAt = performance.now()
  let busyAt = performance.now()
  let nextLookAt = performance.now()
  const settling = loop({ name: 'settling', logger: needs.logger, idleMs, work })
  return { ...settling, nudge }

  function nudge(): void {
    busyAt = performance.now()
    settling.nudge()
  }

  function idleMs(): number {
    const isBusy = performance.now() - busyAt <= 2 * intervalMs
    return isBusy ? lookMs.busy : lookMs.quiet
  }

  async function work(): Promise<boolean> {
    const due = await look()
    const behind = due.length === accountsLookedFor
    intervalMs = behind
      ? Math.min(intervalMs * 2, limits.settleIntervalMsMax)
      : limits.settleIntervalMs
    if (due.length === 0) return false
    busyAt = performance.now()
    if (behind) {
      nextLookAt = 0
      const all = await divided(due)
      for (let from = 0; from < all.length; from += accountsPerTransaction) {
        await settle(all.slice(from, from + accountsPerTransaction))
      }
      return true
    }
    const isWhole = await settle(due.slice(0, fewAccounts))
    if (due.length > fewAccounts) await pauseFor(Math.min(performance.now() - busyAt, restMsMax))
    return due.length > fewAccounts || !isWhole
  }

  async function look(): Promise<readonly AccountKey[]> {
    const restMs = nextLookAt - performance.now()
    if (restMs > 0) await pauseFor(Math.min(restMs, restMsMax))
    const began = performance.now()
    const due = await needs.accounts.due(accountsLookedFor, intervalMs, share())
    const now = performance.now()
    nextLookAt = now + looksApart * (now - began)
    return due
  }

  /**
   * Half as many more come first, at their usual interval: of each business but the one that has
   * most of those that are due the same number. Or else one with a million accounts would hold up
   * all others.
   */
  async function divided(due: readonly AccountKey[]): Promise<readonly AccountKey[]> {
    const whose = { share: needs.share(), except: mostOf(due) }
    const most = accountsLookedFor / 2
    const each = await needs.accounts.dueOfEach(most, limits.settleIntervalMs, whose)
    const names = new Set(each.map(accountIdOf))
    return [...each, ...due.filter((key) => !names.has(accountIdOf(key)))]
  }

  /**
   * False: others have changed some of the accounts first. These are still unsettled, and come
   * again in the next round.
   */
  async function settle(keys: readonly AccountKey[]): Promise<boolean> {
    const views = await loaded(keys)
    const changes: AccountChange[] = []
    for (const view of views) {
      const change = await decided(view)
      if (change !== null) changes.push(change)
    }
    passing('settling')
    const saved = await savedOf(changes)
    passing('settled')
    report(changes.filter((change) => saved.has(change.accountId)))
    if (saved.size < changes.length) needs.metrics.retried(changes.length - saved.size)
    needs.onSettled()
    return saved.size === changes.length
  }

  function share(): Share | null {
    if (performance.now() - lookedAt < othersMs) return needs.share()
    lookedAt = performance.now()
    return null
  }

  /** One account that cannot be read must not keep the others from being settled. */
  async function loaded(keys: readonly AccountKey[]): Promise<readonly AccountView[]> {
    try {
      return await needs.accounts.load(keys)
    } catch (error) {
      if (error instanceof Fault) throw error
    }
    const views: AccountView[] = []
    for (const key of keys) {
      const [view] = await needs.accounts.load([key]).catch((error) => aside(key, error))
      if (view !== undefined) views.push(view)
    }
    return views
  }

  /** One account that cannot be written must not keep the others from being settled. */
  async function savedOf(changes: readonly AccountChange[]): Promise<ReadonlySet<string>> {
    try {
      return await needs.changes.commitEach(changes)
    } catch (error) {
      if (error instanceof Fault) throw error
    }
    const saved = new Set<string>()
    for (const change of changes) {
      const one = await needs.changes
        .commitEach([change])
        .catch((error) => aside(change.key, error))
      for (const accountId of one) saved.add(accountId)
    }
    return saved
  }

  async function aside(key: AccountKey, error: unknown): Promise<[]> {
    if (error instanceof Fault) throw error
    needs.logger.error({ error, account: key }, 'account set aside: settling it failed')
    await needs.accounts.setAside(key, accountIdOf(key), String(error))
    return []
  }

  /**
   * An account whose decision throws is set aside with the reason, and so does not block the
   * others.
   */
  async function decided(view: AccountView): Promise<AccountChange | null> {
    try {
      const at = settlingTimeOf([view], after(needs.clock.now(), view.clockAhead))
      const ids = { newId: needs.newId, accountIdOf }
      return changeOf(ids, view, { at, decide: () => null, idempotencyKey: null })
    } catch (error) {
      await aside(view.key, error)
      return null
    }
  }

  function report(changes: readonly AccountChange[]): void {
    needs.metrics.settled(changes.length)
    for (const { entries } of changes) {
      for (const entry of entries) needs.metrics.entries(entry.type, 1)
    }
  }
}

/** The business and mode to which most of the accounts belong. */
function mostOf(keys: readonly AccountKey[]): Scope {
  const counts = new Map<string, { readonly scope: Scope; count: number }>()
  for (const { businessId, mode } of keys) {
    const scope = { businessId, mode }
    const found = counts.get(scopeName(scope)) ?? { scope, count: 0 }
    found.count += 1
    counts.set(scopeName(scope), found)
  }
  const [first] = [...counts.values()].toSorted((a, b) => b.count - a.count)
  assert(first !== undefined, 'Of no accounts none has most.')
  return first.scope
}
