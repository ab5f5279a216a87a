import type { MoneyState } from '../../model/money/state.ts'
import { chargedOf } from '../../model/money/state.ts'
import type { Named } from './calls.ts'
import type { Looked } from './looking.ts'
import { inOrderOfSaving } from './looking.ts'

/** The model says that something is refused, and not always by which code. */
export const sameAs = (model: string, real: string | undefined): string =>
  model === 'refused' && real !== undefined && !['done', 'nothing', 'died'].includes(real)
    ? real
    : model

export const isSame = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b)
const sorted = (of: unknown): string =>
  JSON.stringify(of, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

export function ordersOf(count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]]
  return ordersOf(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_, at) => [
      ...order.slice(0, at),
      count - 1,
      ...order.slice(at),
    ]),
  )
}

/** Payments less what went back, was disputed and was taken: never by way of the ledger. */
export function worthOf({ disputes, payments, payouts, refunds, world }: MoneyState): number {
  const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)
  const feeOf = (total: number) =>
    world.fees ? Math.floor((total * 290 + 5_000) / 10_000) + 30 : 0
  const paid = payments
    .filter(({ status }) => status === 'succeeded')
    .map(chargedOf)
    .filter((total) => total > 0)
  const back = refunds.filter(({ status }) => status === 'succeeded')
  const stand = disputes.filter(
    ({ status }) => status !== 'dispute_won' && status !== 'dispute_cancelled',
  )
  const gone = payouts.filter(({ status }) => status !== 'failed')
  const charged = back.filter(({ amount, toWallet }) => amount > toWallet)
  const fees = world.fees ? 7 * charged.length + 1_500 * disputes.length : 0
  return (
    sum(paid) -
    sum(paid.map(feeOf)) -
    sum(back.map(({ amount, toWallet }) => amount - toWallet)) -
    sum(stand.map(({ amount }) => amount)) -
    sum(gone.map(({ amount, fee }) => amount + fee)) -
    fees
  )
}

/** What was made by calls at the same moment stands in the order that the model has found. */
export function inModelsOrder(
  known: Named,
  { disputes, named, payouts, refunds }: Looked,
  model: MoneyState,
) {
  return {
    ...named,
    methods: inOrderOfSaving(known.methods, named.methods),
    refunds: aligned(
      known.refunds,
      refunds,
      model.refunds.map((each) => `${each.payment} ${each.status} ${each.amount} ${each.tax}`),
    ),
    payouts: aligned(
      known.payouts,
      payouts,
      model.payouts.map((each) => `${each.status} ${each.amount} ${each.fee}`),
    ),
    disputes: aligned(
      known.disputes,
      disputes,
      model.disputes.map((each) => `${each.payment} ${each.status} ${each.amount}`),
    ),
  }
}

function aligned(
  known: readonly string[],
  now: Looked['refunds'],
  lines: readonly string[],
): readonly string[] {
  const ids = [...known]
  for (const line of lines.slice(known.length)) {
    const found = now.find((each) => each.line === line && !ids.includes(each.id))
    if (found !== undefined) ids.push(found.id)
  }
  return ids
}

/** What differs, a part a line. */
export function differing(model: object, real: object): string {
  const parts = Object.entries(real).filter(([name, value]) => {
    return sorted(Object.entries(model).find(([each]) => each === name)?.[1]) !== sorted(value)
  })
  const wanted = new Map<string, unknown>(Object.entries(model))
  return parts
    .map(([name, value]) => `${name}\n  is   ${sorted(value)}\n  not  ${sorted(wanted.get(name))}`)
    .join('\n')
}
