import type { Catalogue, Customer, EntitlementPlan, LinkPlan, MeterPlan } from './catalogue.ts'
import { linked, meterPlans } from './catalogue.ts'
import { dividedAndCut, exact, plain } from './decimals.ts'

/** A usage event as it is sent. */
export interface SentEvent {
  readonly event_id: string
  readonly customer_id: string
  readonly event_name: string
  readonly timestamp?: string
  readonly metadata: Readonly<Record<string, string | number | boolean>>
}

export interface Folded {
  events: number
  value: bigint
  /** The timestamp in µs of the event that `last` takes. */
  lastAt: bigint
}

/** What an account must show at the end. */
export interface ExpectedAccount {
  readonly customer: Customer
  readonly plan: EntitlementPlan
  readonly entitlementId: string
  readonly balance: string
  readonly overage: string
  readonly dropped: string
}

/**
 * The independent ledger: usage and credits as the specification has them, computed event by event
 * in the simplest way. It shares no code with the rules that it judges.
 */
export interface Model {
  /** Counts an event that was accepted for the first time. */
  count(event: SentEvent): void
  /** Applies a manual credit (above 0) or debit (below 0) that was accepted for the first time. */
  adjust(customer: Customer, plan: EntitlementPlan, amount: string): void
  /** How many events were counted, including those that match nothing. */
  readonly events: number
  /** By `usageKey`. */
  readonly usage: ReadonlyMap<string, Folded>
  account(customer: Customer, plan: EntitlementPlan): ExpectedAccount
}

/** The key of a row of usage. Cycles matter only where the calendar month ends them. */
export const usageKey = (
  customerId: string,
  entitlement: string,
  meter: string,
  cycle: string,
): string => JSON.stringify([customerId, entitlement, meter, cycle])

/** How long before its start a subscription takes events already. */
const leadMs = 5 * 60_000

export function openModel(catalogue: Catalogue): Model {
  const usage = new Map<string, Folded>()
  const adjusted = new Map<string, bigint>()
  const customers = new Map(
    [...catalogue.customers, catalogue.solo].map((customer) => [customer.id, customer]),
  )
  let events = 0
  return {
    count,
    adjust,
    get events() {
      return events
    },
    usage,
    account,
  }

  function count(event: SentEvent): void {
    events += 1
    const customer = customers.get(event.customer_id)
    if (customer === undefined) throw new Error(`Nobody is ${event.customer_id}.`)
    for (const meter of meterPlans) {
      const quantity = quantityOf(meter, event)
      if (quantity === null) continue
      if (customer.plan !== null && isInTime(customer, event)) {
        add(customer, { plan: customer.plan, meter, cycle: '' }, event, quantity)
      }
      const cycle = (event.timestamp ?? new Date().toISOString()).slice(0, 7)
      add(customer, { plan: linked, meter, cycle }, event, quantity)
    }
  }

  function add(
    customer: Customer,
    to: { plan: EntitlementPlan; meter: MeterPlan; cycle: string },
    event: SentEvent,
    quantity: bigint,
  ): void {
    if (!to.plan.links.some((link) => link.meter === to.meter.name)) return
    const key = usageKey(customer.id, to.plan.name, to.meter.name, to.cycle)
    const folded = usage.get(key)
    const at = event.timestamp === undefined ? 0n : microseconds(event.timestamp)
    if (folded === undefined) {
      usage.set(key, { events: 1, value: quantity, lastAt: at })
      return
    }
    folded.events += 1
    switch (to.meter.aggregation) {
      case 'count':
      case 'sum':
        folded.value += quantity
        break
      case 'max':
        if (quantity > folded.value) folded.value = quantity
        break
      case 'last':
        if (at > folded.lastAt) Object.assign(folded, { value: quantity, lastAt: at })
    }
  }

  function adjust(customer: Customer, plan: EntitlementPlan, amount: string): void {
    const key = `${customer.id} ${plan.name}`
    adjusted.set(key, (adjusted.get(key) ?? 0n) + exact(amount))
  }

  function account(customer: Customer, plan: EntitlementPlan): ExpectedAccount {
    const granted = exact(plan.credits) + (adjusted.get(`${customer.id} ${plan.name}`) ?? 0n)
    const worth = worthOf(customer, plan)
    const short = worth > granted ? worth - granted : 0n
    if (plan.adjusted && short > 0n) throw new Error('An ample account ran short.')
    const limit = plan.overageLimit === null ? 0n : exact(plan.overageLimit)
    const overage = short < limit ? short : limit
    return {
      customer,
      plan,
      entitlementId: catalogue.entitlementIds.get(plan.name) ?? '',
      balance: plain(short > 0n ? 0n : granted - worth),
      overage: plain(overage),
      dropped: plain(short - overage),
    }
  }

  function worthOf(customer: Customer, plan: EntitlementPlan): bigint {
    let worth = 0n
    for (const link of plan.links) {
      const prefix = usageKey(customer.id, plan.name, link.meter, '').slice(0, -3)
      for (const [key, folded] of usage) {
        if (key.startsWith(prefix)) worth += creditsOf(folded.value, link, plan.precision)
      }
    }
    return worth
  }
}

/** trunc(max(0, usage − threshold) ÷ units per credit). */
function creditsOf(value: bigint, link: LinkPlan, precision: number): bigint {
  const chargeable = value - exact(String(link.freeThreshold))
  return chargeable <= 0n ? 0n : dividedAndCut(chargeable, exact(link.unitsPerCredit), precision)
}

/** What a meter takes of an event; null: nothing. */
function quantityOf(meter: MeterPlan, event: SentEvent): bigint | null {
  if (event.event_name !== meter.eventName) return null
  const { only, key } = meter
  if (only !== null && event.metadata[only.key] !== only.value) return null
  if (key === null) return exact('1')
  const value = event.metadata[key]
  if (typeof value === 'number') return exact(String(value))
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? exact(value) : null
}

const isInTime = (customer: Customer, event: SentEvent): boolean =>
  event.timestamp === undefined || Date.parse(event.timestamp) >= customer.activatedMs - leadMs

/** Of `2026-01-31T12:00:00.123456Z`. */
const microseconds = (text: string): bigint =>
  BigInt(Date.parse(text.slice(0, 19).concat('Z'))) * 1000n +
  BigInt(text.slice(20, -1).padEnd(6, '0'))
