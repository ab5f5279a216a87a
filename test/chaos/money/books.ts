import type { Api, Json } from '../api.ts'
import type { Difference } from '../differences.ts'
import { difference } from '../differences.ts'
import type { Told } from './buyers.ts'
import { changedPapers, gapsIn } from './papers.ts'

export interface MoneySeen {
  readonly payments: number
  readonly refunds: number
  readonly disputes: number
  readonly payouts: number
  readonly differences: readonly Difference[]
}

/** What each purchase costs, and how many credits it brings, for one. */
export const each = { price: 999, credits: 50 }

/**
 * Counts all that there is, thing by thing, against what buyers were told and against the ledgers
 * of the money and of the credits: neither is the model of the other.
 */
export async function moneyBooks(
  api: Api,
  told: Told,
  { creditId, customerIds }: { readonly creditId: string; readonly customerIds: readonly string[] },
): Promise<MoneySeen> {
  const found: Difference[] = []
  const same = (what: string, expected: string | number, is: string | number) => {
    if (expected !== is) found.push(difference(what, expected, is))
  }
  const listed = await everything(api, '/payments')
  const payments: Json[] = []
  // One after the other: a business has a share of what may be asked for at once.
  for (const { payment_id: id } of listed) payments.push(await api.got(`/payments/${String(id)}`))
  const [refunds, disputes, payouts] = await Promise.all([
    everything(api, '/refunds'),
    everything(api, '/disputes'),
    everything(api, '/payouts'),
  ])
  const paid = payments.filter(({ status }) => status === 'succeeded')
  const standing = disputes.filter(
    ({ dispute_status: is }) => is !== 'dispute_won' && is !== 'dispute_cancelled',
  )
  const waiting = payments.filter(
    ({ status }) => !['succeeded', 'failed', 'cancelled'].includes(String(status)),
  )
  same('payments that nobody ends', 0, waiting.length)
  for (const sessionId of told.sessions) {
    const of = paid.filter(({ checkout_session_id }) => checkout_session_id === sessionId)
    if (of.length > 1) found.push(difference(`charges of ${sessionId}`, 'one', of.length))
    if (told.paid.has(sessionId)) same(`charges of ${sessionId}, which is paid`, 1, of.length)
  }
  for (const [id, amount] of told.refunds) {
    const one = refunds.find(({ refund_id }) => refund_id === id)
    same(`what refund ${id} gave back`, amount, Number(one?.['amount'] ?? 0))
  }
  for (const payment of paid) {
    const { payment_id: id, refund_status, total_amount } = payment
    const ofIt = ({ payment_id }: Json) => payment_id === id
    const back = sum(refunds.filter(ofIt), ({ amount }) => Number(amount))
    const held = sum(standing.filter(ofIt), minor)
    const times = refunds.filter(ofIt).length
    if (times > 1) found.push(difference(`refunds of ${String(id)}`, 'one', times))
    if (back + held > Number(total_amount)) {
      found.push(difference(`taken of ${String(id)}`, Number(total_amount), back + held))
    }
    const says = back === 0 ? 'null' : back === total_amount ? 'full' : 'partial'
    same(`refund_status of ${String(id)}`, says, String(refund_status))
  }
  found.push(...gapsIn(paid), ...(await changedPapers(api, told.papers)))
  const left =
    sum(paid, ({ total_amount }) => Number(total_amount)) -
    sum(refunds, ({ amount }) => Number(amount)) -
    sum(standing, minor) -
    sum(
      payouts.filter(({ status }) => status !== 'failed'),
      ({ amount }) => Number(amount),
    )
  let balance = 0
  for (const entry of (await everything(api, '/balances/ledger')).toReversed()) {
    same(`before ${String(entry['id'])}`, balance, Number(entry['before_balance']))
    balance += (entry['is_credit'] === true ? 1 : -1) * Number(entry['amount'])
  }
  same('what the ledger ends with', left, balance)
  found.push(...(await creditsOf(api, paid, { creditId, customerIds })))
  return {
    payments: paid.length,
    refunds: refunds.length,
    disputes: disputes.length,
    payouts: payouts.length,
    differences: found,
  }
}

/** Credits are there for what was bought and has not gone back whole. */
async function creditsOf(
  api: Api,
  paid: readonly Json[],
  { creditId, customerIds }: { readonly creditId: string; readonly customerIds: readonly string[] },
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const customerId of customerIds) {
    const kept = paid.filter(
      ({ customer, refund_status }) =>
        (customer as Json)['customer_id'] === customerId && refund_status !== 'full',
    )
    const bought = sum(kept, ({ total_amount }) => Number(total_amount) / each.price)
    const path = `/credit-entitlements/${creditId}/balances/${customerId}`
    const held = bought === 0 ? 0 : Number((await api.got(path))['balance'])
    if (held !== bought * each.credits) {
      found.push(difference(`credits of ${customerId}`, bought * each.credits, held))
    }
  }
  return found
}

async function everything(api: Api, path: string): Promise<readonly Json[]> {
  const all: Json[] = []
  for (let number = 0; ; number += 1) {
    const page = await api.got(`${path}?page_size=100&page_number=${number}`)
    const items = page['items'] as readonly Json[]
    all.push(...items)
    if (items.length < 100) return all
  }
}

const sum = (all: readonly Json[], of: (each: Json) => number): number =>
  all.reduce((total, each) => total + of(each), 0)

const minor = ({ amount }: Json): number => Math.round(Number(amount) * 100)
