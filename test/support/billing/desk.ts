import { Fault } from '../../../src/faults.ts'
import { openInTurn } from '../../../src/operations/accounts/in-turn.ts'
import { settleAccount } from '../../../src/operations/accounts/settle-accounts.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import type { Account } from '../../../src/rules/accounts/account.ts'
import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import type { Entry } from '../../../src/rules/accounts/entry.ts'
import { project } from '../../../src/rules/accounts/project.ts'
import type { AccountKey, AccountView } from '../../../src/rules/accounts/view.ts'
import type { Instant } from '../../../src/std/instant.ts'
import type { Outcome } from '../../model/billing/model.ts'
import { beginning } from '../../model/billing/model.ts'
import type { Call, Program } from '../../model/billing/program.ts'
import type { ModelEvent } from '../../model/billing/state.ts'
import { eventIdOf, microseconds, stocked } from './catalog.ts'
import { countedOf } from './counted.ts'
import { deskCalls } from './desk-calls.ts'
import type { Hold } from './needs.ts'
import { heldBack, needsOf } from './needs.ts'
import type { Shelf } from './shelf.ts'

/**
 * A program's business: the real operations on a shelf, and a clock that stands where it is put.
 */
export interface BillingDesk {
  readonly key: AccountKey
  /**
   * Sets the clock, in seconds. `unmeasuredFrom`: when the oldest event was received that still
   * waits to be measured; null when none waits.
   */
  at(seconds: number, unmeasuredFrom?: number | null): void
  measure(events: readonly ModelEvent[]): Promise<void>
  takeBack(event: number): Promise<void>
  /**
   * Runs a call at the moment `at`. `which`: the number of the subscription that it is about. Its
   * first commit waits for `hold`. Answers false where the call is refused.
   */
  call(call: Call, which: number | null, at: number, hold?: Hold): Promise<boolean>
  /** Sets how many seconds the test clock is ahead. */
  ahead(seconds: number): Promise<void>
  settle(): Promise<void>
  /** Applies everything that is due, in its order; settles before each where `settling` says so. */
  sweep(settling: boolean): Promise<void>
  /** What settling would make of the account now; it is not saved. */
  read(): Promise<{ readonly account: Account; readonly entries: readonly Entry[] }>
  readonly subscriptionIds: readonly string[]
  subscriptions(): Promise<Outcome['subscriptions']>
  /** The kinds of the boundaries that were applied so far. */
  readonly applied: readonly string[]
  /** The ledger entries that were written so far. */
  readonly written: readonly Entry[]
  /** The number of a grant, in order of creation. */
  numberOf(grantId: string): number
}

export async function openBillingDesk(shelf: Shelf, program: Program): Promise<BillingDesk> {
  const { scope, customerId } = shelf
  const { entitlementId, productIds } = await stocked(shelf, {
    program,
    at: microseconds(beginning),
  })
  const key = { ...scope, customerId, entitlementId }
  const subscriptionIds: string[] = []
  const numbers = new Map<string, number>()
  const applied: string[] = []
  let written: readonly Entry[] = []
  let now = microseconds(beginning)
  let watermark = now
  const calls = deskCalls({ key, shelf, productIds, subscriptionIds })
  const needs = needsOf(shelf, { now: () => now, watermark: () => watermark, keep })

  return {
    key,
    measure,
    takeBack,
    call,
    settle,
    sweep,
    read,
    subscriptionIds,
    subscriptions,
    applied,
    ahead: (seconds: number) => shelf.setAhead(seconds * 1_000_000),
    at: (seconds, unmeasuredFrom) => {
      now = microseconds(seconds)
      watermark = microseconds(unmeasuredFrom ?? Number.MAX_SAFE_INTEGER)
    },
    get written() {
      return written
    },
    numberOf: (grantId) => numbers.get(grantId) ?? Number.NaN,
  }

  function keep(changes: readonly AccountChange[]): void {
    for (const { account, entries } of changes) {
      written = [...written, ...entries]
      remember(account)
    }
  }

  function remember({ grants, ended }: Account): void {
    for (const grant of [...grants, ...ended.map((each) => each.grant)]) {
      numbers.set(grant.grantId, grant.number)
    }
  }

  async function viewed(): Promise<AccountView> {
    const [view] = await shelf.accounts.load([key])
    if (view === undefined) throw new Error('A key without a view.')
    return view
  }

  async function read() {
    const { account, entries } = project(await viewed(), now)
    remember(account)
    return { account, entries }
  }

  async function measure(events: readonly ModelEvent[]): Promise<void> {
    const routes = await shelf.routes()
    const found = (await shelf.creditEntitlements.get(scope, entitlementId))?.stretches ?? []
    const links = [{ entitlementId, stretches: found }]
    const counted = countedOf(events, { key, routes, links, aggregations: program.aggregations })
    await shelf.commit(counted)
    // As settling does, which makes an account that does not exist yet.
    if (counted.length > 0 && (await viewed()).stored === null) await settle()
  }

  async function takeBack(event: number): Promise<void> {
    await shelf.takeBack(eventIdOf(event))
  }

  /** As settling does: an account that does not exist is made only where there is usage. */
  async function settle(): Promise<void> {
    const { stored, unsettled } = await viewed()
    if (stored === null && unsettled.length === 0) return
    await settleAccount(needs, key)
  }

  async function sweep(settling: boolean): Promise<void> {
    for (;;) {
      const [next] = await shelf.boundaries.due(now, scope, 1)
      if (next === undefined) return
      if (settling) await settle()
      await applyBoundary(needs, next)
      applied.push(next.kind)
    }
  }

  async function call(
    next: Call,
    which: number | null,
    at: number,
    hold: Hold = async () => undefined,
  ): Promise<boolean> {
    try {
      // Each call runs in a process of its own, which has its own clock and its own turns.
      const moment = (): Instant => microseconds(at)
      const own = heldBack(
        { ...needs, clock: { now: moment, believed: moment }, inTurn: openInTurn() },
        hold,
      )
      await calls.make(own, next, which === null ? '' : (subscriptionIds[which] ?? ''))
      return true
    } catch (error) {
      // A refusal that asks the caller to try again counts as one, too.
      if (error instanceof Fault) return false
      throw error
    }
  }

  async function subscriptions(): Promise<Outcome['subscriptions']> {
    const all = await Promise.all(subscriptionIds.map(calls.found))
    return all.map(({ status, previousBillingDate, nextBillingDate }) => ({
      status: status as 'active',
      start: previousBillingDate / 1_000_000,
      end: nextBillingDate / 1_000_000,
    }))
  }
}
