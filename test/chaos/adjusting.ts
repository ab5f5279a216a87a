import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer, EntitlementPlan } from './catalogue.ts'
import { linked } from './catalogue.ts'
import { plain } from './decimals.ts'
import type { Client, LoadParts } from './load.ts'

/** A manual credit or debit that was accepted; its reason is its idempotency key. */
export interface Adjusted {
  readonly customer: Customer
  readonly entitlementId: string
  readonly key: string
  /** Decimal text. */
  readonly amount: string
  readonly type: 'credit' | 'debit'
}

/**
 * A client that credits and debits balances by hand, and repeats each command with its idempotency
 * key until it is answered.
 */
export function adjuster(name: string, parts: LoadParts, accepted: Adjusted[]): Client {
  const { api, catalogue, model, random, sent, wrong } = parts
  const ample = catalogue.customers.filter(({ plan }) => plan?.adjusted === true)
  let number = 0
  return async (stopped) => {
    while (!stopped()) {
      await adjust()
      await sleep(random.between(200, 900))
    }
  }

  async function adjust(): Promise<void> {
    number += 1
    const [customer, plan] = whom()
    const entitlementId = catalogue.entitlementIds.get(plan.name) ?? ''
    const type = random.chance(0.3) ? 'credit' : 'debit'
    const amount = plain(BigInt(1 + random.below(5_000)) * 10n ** BigInt(18 - plan.precision))
    const key = `${name}-${number}`
    const body = { entry_type: type, amount, reason: key, idempotency_key: key }
    const path = `/credit-entitlements/${entitlementId}/balances/${customer.id}/ledger-entries`
    const call = { method: 'POST', path, body } as const
    const answer = await api.insist(call)
    sent.adjustments += 1
    if (answer.tries > 1) sent.retried += 1
    const appliedBefore = answer.status === 409 && answer.tries > 1
    if (answer.status !== 200 && answer.status !== 201 && !appliedBefore) {
      wrong(`an adjustment was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
      return
    }
    model.adjust(customer, plan, type === 'credit' ? amount : `-${amount}`)
    accepted.push({ customer, entitlementId, key, amount, type })
    if (random.chance(0.2)) await again()

    async function again(): Promise<void> {
      sent.repeated += 1
      const { status } = await api.insist(call)
      if (status !== 409) wrong(`an adjustment was repeated and answered ${status}, not 409`)
    }
  }

  function whom(): readonly [Customer, EntitlementPlan] {
    if (random.chance(0.4)) return [random.pick(catalogue.customers), linked]
    const customer = random.pick(ample)
    return [customer, customer.plan ?? linked]
  }
}
