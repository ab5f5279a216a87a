import type { EntryOfAccount, GrantOfAccount } from './account-records.ts'
import { amountOf, amountText, plain } from './amounts.ts'

/**
 * How the amount of an entry follows from its inputs. Empty where a rule takes whatever is left, or
 * where an older entry does not have the inputs.
 */
export function amountWords(
  entry: Pick<EntryOfAccount, 'inputs' | 'amount'>,
  grant: Pick<GrantOfAccount, 'initial'> | null,
): readonly string[] {
  const words = wordsOf(entry.inputs, { amount: plain(entry.amount), grant })
  return words === null ? [] : [words]
}

type Inputs = EntryOfAccount['inputs']

interface Of {
  readonly amount: string
  readonly grant: Pick<GrantOfAccount, 'initial'> | null
}

function wordsOf(inputs: Inputs, of: Of): string | null {
  switch (inputs['rule']) {
    case 'cycle_grant':
      return issuedWords(inputs, of)
    case 'plan_change_grant':
      return inputs['proration_behavior'] === 'prorate'
        ? proratedWords(inputs, of)
        : issuedWords(inputs, of)
    case 'credit_rolled_over':
      return rolledWords(inputs, of)
    case 'rollover_forfeited':
      return `It had rolled over ${String(inputs['rollover_count'])} times, which is as often as it may.`
    case 'auto_repayment':
      return repaidWords(inputs, of)
    default:
      return null
  }
}

function issuedWords(inputs: Inputs, { amount }: Of): string | null {
  const { credits_amount: each, quantity } = inputs
  if (typeof each !== 'string' || typeof quantity !== 'number') return null
  return `Credits: ${each} × ${quantity} = ${amount}.`
}

function proratedWords(inputs: Inputs, { amount }: Of): string | null {
  const { credits_amount: each, quantity, cycle_left_us: left, cycle_us: cycle } = inputs
  if (typeof each !== 'string' || typeof quantity !== 'number') return null
  return `Credits: ${each} × ${quantity} × ${String(left)} µs left ÷ ${String(cycle)} µs of the cycle = ${amount}, cut to the credit's precision.`
}

function rolledWords(inputs: Inputs, { amount }: Of): string | null {
  const { unused, percentage } = inputs
  if (typeof unused !== 'string' || typeof percentage !== 'number') return null
  const rest = amountText(amountOf(unused) - amountOf(amount))
  return `Rolled over: ${plain(unused)} × ${percentage} ÷ 100 = ${amount}, cut to the credit's precision; the other ${rest} stay behind.`
}

function repaidWords(inputs: Inputs, { amount, grant }: Of): string | null {
  const { overage } = inputs
  if (typeof overage !== 'string' || grant === null) return null
  return `Repaid: the smaller of the new grant's ${plain(grant.initial)} and the overage of ${plain(overage)}, ${amount}.`
}
