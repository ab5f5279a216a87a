import type { Seen } from '../../model/money/seen.ts'

/** A fact as it stands in the outbox, which is the order in which it is told. */
export interface ToldFact {
  readonly type: string
  readonly data: FactData | null
}

interface FactData {
  readonly payment?: { readonly paymentId: string }
  readonly refund?: { readonly refundId: string; readonly paymentId: string }
  readonly dispute?: { readonly disputeId: string; readonly paymentId: string }
  readonly payout?: { readonly payoutId: string }
  readonly licenseKey?: { readonly licenseKeyId: string; readonly paymentId: string | null }
  readonly subscription?: { readonly subscriptionId: string; readonly paymentId: string | null }
}

/**
 * Somebody who knows nothing but the webhooks, in their order: says what they could not rely on.
 * Causes come before what they bring, ends are told once, and nothing is told after an end.
 */
export function receiver() {
  const last = new Map<string, string>()
  const wrong: string[] = []
  return { hear, wrong, contradicts }

  function hear({ data, type }: ToldFact): void {
    const [noun = '', what = ''] = type.split('.')
    if (noun === 'payment') become(`payment ${data?.payment?.paymentId}`, what, paymentsGo)
    if (noun === 'refund') {
      become(`refund ${data?.refund?.refundId}`, what, { '': ['succeeded', 'failed'] })
      afterPayment(type, data?.refund?.paymentId)
    }
    if (noun === 'dispute') {
      become(`dispute ${data?.dispute?.disputeId}`, what, disputesGo)
      afterPayment(type, data?.dispute?.paymentId)
    }
    if (noun === 'payout') become(`payout ${data?.payout?.payoutId}`, what, payoutsGo)
    if (noun === 'license_key') {
      become(`license ${data?.licenseKey?.licenseKeyId}`, what, { '': ['created'] })
      afterPayment(type, data?.licenseKey?.paymentId ?? undefined)
    }
    if (noun !== 'subscription') return
    const of = data?.subscription
    if (what === 'active' && of?.paymentId != null) {
      afterPayment(type, of.paymentId)
    }
    if (statuses.includes(what)) {
      become(`subscription ${of?.subscriptionId}`, what, subscriptionsGo)
    }
  }

  function become(
    key: string,
    what: string,
    goes: Readonly<Record<string, readonly string[]>>,
  ): void {
    const before = last.get(key) ?? ''
    if (!(goes[before] ?? []).includes(what)) wrong.push(`${key} is ${what} after '${before}'`)
    last.set(key, what)
  }

  function afterPayment(type: string, paymentId: string | undefined): void {
    if (last.get(`payment ${paymentId}`) === 'succeeded') return
    wrong.push(`${type} before its payment ${paymentId} has succeeded`)
  }

  /** What was told last of each thing is what it is. */
  function contradicts(
    of: Pick<Seen, 'payments' | 'subscriptions'> & {
      readonly paymentIds: readonly string[]
      readonly subscriptionIds: readonly string[]
      readonly settledRefunds: number
      readonly disputes: number
      readonly licenses: number
    },
  ): readonly string[] {
    const found: string[] = []
    of.payments.forEach(({ status }, index) => {
      const told = last.get(`payment ${of.paymentIds[index]}`) ?? ''
      const isTold = ['succeeded', 'failed', 'cancelled', 'processing'].includes(status)
      if (isTold && told !== status) found.push(`payment ${index} is ${status}, told ${told}`)
    })
    of.subscriptions.forEach(({ status }, index) => {
      const told = last.get(`subscription ${of.subscriptionIds[index]}`) ?? ''
      const is = status === 'pending' ? '' : status
      const says = told === 'unpaused' ? 'active' : told
      if (says !== is) found.push(`subscription ${index} is ${status}, told ${told}`)
    })
    const count = (noun: string) => [...last.keys()].filter((key) => key.startsWith(noun)).length
    if (count('refund') !== of.settledRefunds) found.push('a refund was not told')
    if (count('dispute') !== of.disputes) found.push('a dispute was not told')
    if (count('license') !== of.licenses) found.push('a license key was not told')
    return found
  }
}

const statuses = ['active', 'on_hold', 'paused', 'unpaused', 'cancelled', 'failed', 'expired']

const ends = ['succeeded', 'failed', 'cancelled']
// What asks its holder in between, which nobody is told, is on its way twice.
const paymentsGo = { '': ['processing', ...ends], processing: ['processing', ...ends] }

const disputesGo = {
  '': ['opened'],
  opened: ['challenged', 'accepted', 'cancelled', 'expired', 'lost'],
  challenged: ['won', 'lost', 'cancelled'],
}

const open = ['in_progress', 'on_hold', 'failed', 'success']
const payoutsGo = { '': ['created'], created: open, in_progress: open, on_hold: open }

const living = ['on_hold', 'paused', 'cancelled', 'expired']
const subscriptionsGo = {
  '': ['active', 'failed', 'cancelled'],
  active: living,
  unpaused: living,
  on_hold: ['active', 'cancelled', 'expired'],
  paused: ['unpaused', 'cancelled', 'expired'],
}
