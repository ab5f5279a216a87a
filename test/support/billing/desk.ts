import { Fault } from '../../../src/faults.ts'
import { adjustBalance } from '../../../src/operations/accounts/adjust-balance.ts'
import { openInTurn } from '../../../src/operations/accounts/in-turn.ts'
import { settleAccount } from '../../../src/operations/accounts/settle-accounts.ts'
import { applyBoundary } from '../../../src/operations/boundaries/apply-boundary.ts'
import { updateCreditEntitlement } from '../../../src/operations/credit-entitlements/update-credit-entitlement.ts'
import { writtenEntitlement } from '../../../src/operations/credit-entitlements/written-entitlement.ts'
import { cancelScheduledChange } from '../../../src/operations/subscriptions/cancel-scheduled-change.ts'
import { changePlan } from '../../../src/operations/subscriptions/change-plan.ts'
import { createSubscription } from '../../../src/operations/subscriptions/create-subscription.ts'
import { updateSubscription } from '../../../src/operations/subscriptions/update-subscription.ts'
import type { Account } from '../../../src/rules/accounts/account.ts'
import type { AccountChange } from '../../../src/rules/accounts/change.ts'
import type { Entry } from '../../../src/rules/accounts/entry.ts'
import { project } from '../../../src/rules/accounts/project.ts'
import type { AccountKey, AccountView } from '../../../src/rules/accounts/view.ts'
import { addToFold, emptyFold } from '../../../src/rules/meter/fold.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { targetsAt } from '../../../src/rules/meter/target.ts'
import { powerOfTen } from '../../../src/std/decimal.ts'
import type { Instant } from '../../../src/std/instant.ts'
import { instantOf } from '../../../src/std/instant.ts'
import { subscriptionPatch } from '../../../src/wire/subscription-update.ts'
import type { Outcome } from '../../model/billing/model.ts'
import { beginning } from '../../model/billing/model.ts'
import type { Call, Program } from '../../model/billing/program.ts'
import type { ModelEvent } from '../../model/billing/state.ts'
import { entitlementChange, entitlementFor, meterIds, productFor, text } from './catalog.ts'
import type { Hold } from './needs.ts'
import { heldBack, needsOf } from './needs.ts'
import type { Counted, Shelf } from './shelf.ts'

export const microseconds = (seconds: number): Instant => instantOf(seconds * 1_000_000)

/** A program's business: the operations on a shelf, and a clock that stands where it is put. */
export interface BillingDesk {
  readonly key: AccountKey
  /** Whole seconds, and since when what was received waits to be measured, if anything does. */
  at(seconds: number, unmeasuredFrom?: number | null): void
  measure(events: readonly ModelEvent[]): Promise<void>
  takeBack(event: number): Promise<void>
  /**
   * `which`: the number of the subscription that it is about. Its first commit waits for `hold`.
   * False: it was refused.
   */
  call(call: Call, which: number | null, at: number, hold?: Hold): Promise<boolean>
  /** The test clock stands so many seconds ahead. */
  ahead(seconds: number): Promise<void>
  settle(): Promise<void>
  /** Applies everything that is due, in its order, settling as it is told to. */
  sweep(settling: boolean): Promise<void>
  /** A settling that is not saved. */
  read(): Promise<{ readonly account: Account; readonly entries: readonly Entry[] }>
  readonly subscriptionIds: readonly string[]
  subscriptions(): Promise<Outcome['subscriptions']>
  /** The kinds of the boundaries that were applied. */
  readonly applied: readonly string[]
  /** What was written so far. */
  readonly written: readonly Entry[]
  /** The number of a grant. */
  numberOf(grantId: string): number
}

type Needs = ReturnType<typeof needsOf>

export async function openBillingDesk(shelf: Shelf, program: Program): Promise<BillingDesk> {
  const { scope, customerId } = shelf
  const row = entitlementFor(shelf.newId('cde'), program, microseconds(beginning))
  const entitlementId = row.creditEntitlementId
  await shelf.changes.commit(writtenEntitlement(scope, { expected: null, row, over: [] }))
  const productIds: string[] = []
  for (const plan of program.plans) {
    const product = productFor(plan, { entitlementId, newId: shelf.newId, scope })
    await shelf.products.insert(scope, product)
    productIds.push(product.productId)
  }
  const key = { ...scope, customerId, entitlementId }
  const subscriptionIds: string[] = []
  const numbers = new Map<string, number>()
  const applied: string[] = []
  let written: readonly Entry[] = []
  let now = microseconds(beginning)
  let watermark = now
  const needs = needsOf(shelf, { now: () => now, watermark: () => watermark, keep })

  return {
    ...{ key, measure, takeBack, call, settle, sweep, read, subscriptionIds, subscriptions },
    ...{ applied, ahead: (seconds: number) => shelf.setAhead(seconds * 1_000_000) },
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
    const counted = events.flatMap((event): readonly Counted[] => {
      const aggregation = program.aggregations[event.meter]
      const meterId = meterIds[event.meter]
      const group = { ...scope, customerId, meterId, aggregation }
      const [timestamp, received] = [microseconds(event.timestamp), microseconds(event.received)]
      const eventId = `evt_${String(event.id).padStart(6, '0')}`
      const quantity = usage(BigInt(event.quantity) * powerOfTen(18))
      const sample = { at: timestamp, received, eventId, quantity }
      const fold = addToFold(emptyFold(aggregation), sample)
      return targetsAt({ group, routes, links }, { timestamp, receivedAt: received }).map(
        (target) => ({ eventId, meterId, target, fold }),
      )
    })
    await shelf.commit(counted)
    // As settling does: an account that is not there yet is made at once.
    if (counted.length > 0 && (await viewed()).stored === null) await settle()
  }

  async function takeBack(event: number): Promise<void> {
    await shelf.takeBack(`evt_${String(event).padStart(6, '0')}`)
  }

  /** As settling does: only usage makes an account. */
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
      // Each has a process of its own, and so a clock, and turns.
      const moment = (): Instant => microseconds(at)
      const own = heldBack(
        { ...needs, clock: { now: moment, believed: moment }, inTurn: openInTurn() },
        hold,
      )
      await made(own, next, which === null ? '' : (subscriptionIds[which] ?? ''))
      return true
    } catch (error) {
      // What cannot be decided just now would be asked again.
      if (error instanceof Fault) return false
      throw error
    }
  }

  async function made(own: Needs, next: Call, subscriptionId: string): Promise<void> {
    switch (next.kind) {
      case 'credit':
      case 'debit': {
        const days = next.kind === 'credit' ? next.days : null
        await adjustBalance(own, {
          ...{ key, type: next.kind, amount: text(next.amount), reason: null },
          ...{ idempotencyKey: null, metadata: null },
          expiresAt: days === null ? null : instantOf(own.clock.now() + days * 86_400_000_000),
        })
        return
      }
      case 'subscribe': {
        const { subscription } = await createSubscription(own, scope, {
          ...{ customer: { id: customerId }, productId: productOf(next.plan), quantity: 1 },
          ...{ metadata: {}, taxId: null, customerBusinessName: null },
          trialPeriodDays: next.trialDays,
          billing: { country: 'DE', city: null, state: null, street: null, zipcode: null },
        })
        subscriptionIds.push(subscription.subscriptionId)
        return
      }
      case 'reterm':
      case 'relink':
        await updateCreditEntitlement(own, scope, {
          ...{ id: entitlementId, at: own.clock.now() },
          change: entitlementChange(next),
        })
        return
      default:
        if (subscriptionId === '') throw new Fault('NOT_FOUND', 'There is no subscription.')
        await changed(own, next, subscriptionId)
    }
  }

  function productOf(index: number): string {
    return productIds[index % productIds.length] ?? ''
  }

  async function changed(
    own: Needs,
    next: Extract<Call, { readonly which: number }>,
    subscriptionId: string,
  ): Promise<void> {
    const update = (body: object, nextBillingDate: Instant | null = null): Promise<void> =>
      updateSubscription(own, scope, {
        subscriptionId,
        patch: subscriptionPatch(body, nextBillingDate),
      })
    switch (next.kind) {
      case 'replan': {
        const waits = next.mode === 'at_the_end'
        const mode = next.mode === 'at_the_end' ? 'full_immediately' : next.mode
        return changePlan(own, scope, {
          ...{ subscriptionId, productId: productOf(next.plan), quantity: 1, mode, waits },
          ...{ replaces: true, metadata: null },
        })
      }
      case 'unschedule':
        return cancelScheduledChange(own, scope, subscriptionId)
      case 'pause':
        return update({ status: 'paused' })
      case 'resume':
        return update({ status: 'active' })
      case 'cancel':
        return update({ status: 'cancelled' })
      case 'cancelAtEnd':
        return update({ cancel_at_next_billing_date: true })
      case 'redate': {
        return update({}, await newEnd(subscriptionId, next.days, own.clock.now()))
      }
      case 'recart': {
        const { amount, limit, overage, rollover, percentage, countMax } = next.patch
        const changes = {
          credit_entitlement_id: entitlementId,
          credits_amount: amount == null ? amount : text(amount),
          overage_limit: limit == null ? limit : text(limit),
          ...{ overage_enabled: overage, rollover_enabled: rollover },
          ...{ rollover_percentage: percentage, max_rollover_count: countMax },
        }
        return update({ credit_entitlement_cart: [changes] })
      }
    }
  }

  async function newEnd(subscriptionId: string, days: number, at: Instant): Promise<Instant> {
    const all = await Promise.all(subscriptionIds.map(found))
    const other = all.find(
      (each) =>
        each.subscriptionId !== subscriptionId &&
        each.status === 'active' &&
        each.nextBillingDate > at,
    )
    const { nextBillingDate: end } = await found(subscriptionId)
    if (days === 0) return other?.nextBillingDate ?? instantOf(end + 1_000_000)
    return instantOf(Math.max(end + days * 86_400_000_000, at + 3_600_000_000))
  }

  async function subscriptions(): Promise<Outcome['subscriptions']> {
    const all = await Promise.all(subscriptionIds.map(found))
    return all.map(({ status, previousBillingDate, nextBillingDate }) => ({
      status: status as 'active',
      ...{ start: previousBillingDate / 1_000_000, end: nextBillingDate / 1_000_000 },
    }))
  }

  async function found(subscriptionId: string) {
    const subscription = await shelf.subscriptions.find(scope, subscriptionId)
    if (subscription === null) throw new Error('A subscription is gone.')
    return subscription
  }
}
