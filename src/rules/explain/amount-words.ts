import type { RecordedInputs } from '../accounts/cause.ts'
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

interface Of {
  readonly amount: string
  readonly grant: Pick<GrantOfAccount, 'initial'> | null
}

type InputsOf<Rule extends RecordedInputs['rule']> = Extract<
  RecordedInputs,
  { readonly rule: Rule }
>

function wordsOf(inputs: RecordedInputs | null, of: Of): string | null {
  switch (inputs?.rule) {
    case 'cycle_grant':
    case 'purchase_grant':
      return issuedWords(inputs, of)
    case 'plan_change_grant':
      return inputs.prorationBehavior === 'prorate'
        ? proratedWords(inputs, of)
        : issuedWords(inputs, of)
    case 'credit_rolled_over':
      return rolledWords(inputs, of)
    case 'rollover_forfeited':
      return `It had rolled over ${String(inputs.rolloverCount)} times, which is as often as it may.`
    case 'auto_repayment':
      return repaidWords(inputs, of)
    default:
      return null
  }
}

function issuedWords(
  {
    creditsAmount: each,
    quantity,
  }: InputsOf<'cycle_grant' | 'plan_change_grant' | 'purchase_grant'>,
  { amount }: Of,
): string | null {
  if (each === undefined || quantity === undefined) return null
  return `Credits: ${each} × ${quantity} = ${amount}.`
}

function proratedWords(
  { creditsAmount: each, quantity, cycleLeft: left, cycle }: InputsOf<'plan_change_grant'>,
  { amount }: Of,
): string | null {
  if (each === undefined || quantity === undefined) return null
  return `Credits: ${each} × ${quantity} × ${String(left)} µs left ÷ ${String(cycle)} µs of the cycle = ${amount}, cut to the credit's precision.`
}

function rolledWords(
  { unused, percentage }: InputsOf<'credit_rolled_over'>,
  { amount }: Of,
): string | null {
  if (unused === undefined || percentage === undefined) return null
  const rest = amountText(amountOf(unused) - amountOf(amount))
  return `Rolled over: ${plain(unused)} × ${percentage} ÷ 100 = ${amount}, cut to the credit's precision; the other ${rest} stay behind.`
}

function repaidWords(
  { overage }: InputsOf<'auto_repayment'>,
  { amount, grant }: Of,
): string | null {
  if (overage === undefined || grant === null) return null
  return `Repaid: the smaller of the new grant's ${plain(grant.initial)} and the overage of ${plain(overage)}, ${amount}.`
}
