import type { RecordedInputs } from '../accounts/cause.ts'
import type { CreditTransactionType } from '../facts/ledger-facts.ts'
import type { EntryOfAccount } from './account-records.ts'

/** The rule that made an entry: its name, where the manual has it, and what it says. */
export interface NamedRule {
  readonly name: string
  /** Pages of the manual, with the anchors of the rule. */
  readonly manual: readonly string[]
  readonly sentence: string
}

/** Found by the name that the rule left in the entry, else by the kind of the entry. */
export function ruleOf(entry: Pick<EntryOfAccount, 'inputs' | 'transactionType'>): NamedRule {
  const { inputs, transactionType } = entry
  if (inputs === null) return { name: transactionType, ...byType[transactionType] }
  // An entry of a later release may name a rule that this one does not know.
  const known: Written | undefined = rules[inputs.rule]
  return { name: inputs.rule, ...(known ?? byType[transactionType]) }
}

type Written = Omit<NamedRule, 'name'>

const rules: Readonly<Record<RecordedInputs['rule'], Written>> = {
  usage_deducted: {
    manual: ['meters#worth', 'credits#who-pays-first', 'credits#overage'],
    sentence:
      'Usage of a meter is worth credits. Grants pay for it, oldest first, then overage up to its limit; what nobody pays is dropped.',
  },
  usage_returned: {
    manual: ['meters#falling-usage'],
    sentence:
      'Usage of a meter fell, and with it its worth. First what was dropped is reduced, then overage, then it goes back to the grants that usage drew on, youngest first.',
  },
  cycle_grant: {
    manual: ['credits#grants'],
    sentence:
      "A subscription issues the credits of its product at its activation and at every renewal, times its quantity (in a trial the product's trial credits).",
  },
  purchase_grant: {
    manual: ['credits#grants', 'payments#one-way-to-be-paid'],
    sentence:
      'A product that is bought once brings its credits with the payment, times its quantity.',
  },
  payment_refunded: {
    manual: ['refunds#credits'],
    sentence:
      'A payment was refunded whole: what is left of the credits that it brought goes with it, and what was used stays used.',
  },
  plan_change_grant: {
    manual: ['subscriptions#plan-changes', 'subscriptions#trials'],
    sentence:
      "A new plan issues its credits at once, times its quantity. A change that begins a new cycle issues all of them, and ends the old cycle. In a cycle that goes on `prorate` scales them by what was left of it, `no_prorate` does not, in a trial they are the new plan's trial credits, and the old plan's stay until they expire or the cycle ends.",
  },
  manual_credit: {
    manual: ['resources#adjustments'],
    sentence: 'Credits added through the API are a grant of their own.',
  },
  manual_debit: {
    manual: ['resources#adjustments', 'credits#who-pays-first'],
    sentence:
      'A debit through the API takes from the grants, oldest first, and never goes into overage.',
  },
  credit_rolled_over: {
    manual: ['credits#rollover'],
    sentence:
      'At the end of its cycle the rolled-over percentage of what a grant still holds moves to a new grant. The balance stands.',
  },
  rollover_forfeited: {
    manual: ['credits#rollover'],
    sentence:
      'Credits that rolled over as often as they may are forfeited at the end of the cycle.',
  },
  cycle_end: {
    manual: ['credits#cycle-end'],
    sentence: "What is left of a cycle's credits, and did not roll over, expires with the cycle.",
  },
  expiry: {
    manual: ['credits#expiry'],
    sentence: 'A grant ends at its own expiry, with all that is left in it.',
  },
  last_cycle_end: {
    manual: ['credits#endings'],
    sentence:
      'What a cycle granted outlives a subscription that ended before until the end that the cycle had, or its own expiry, if sooner. Then it expires, without rolling over.',
  },
  overage_charged: {
    manual: ['credits#overage'],
    sentence:
      'Overage is closed when its cycle ends or is cut short: under invoice_at_billing it is billed.',
  },
  overage_reset: {
    manual: ['credits#overage'],
    sentence:
      'Overage is closed when its cycle ends or is cut short, by the terms that governed it: it starts at 0 again, unless it is carried over.',
  },
  auto_repayment: {
    manual: ['credits#overage', 'credits#cycle-end'],
    sentence:
      "Carried overage is repaid from the new cycle's credits (carry_deficit_auto_repay): balance and overage go down together.",
  },
}

const byType: Readonly<Record<CreditTransactionType, Written>> = {
  credit_added: { manual: ['credits#grants'], sentence: 'Credits were granted.' },
  credit_deducted: { manual: ['credits#who-pays-first'], sentence: 'Credits were used.' },
  credit_expired: { manual: ['credits#expiry', 'credits#cycle-end'], sentence: 'Credits expired.' },
  credit_rolled_over: {
    manual: ['credits#rollover'],
    sentence: 'Credits rolled over to the next cycle.',
  },
  rollover_forfeited: {
    manual: ['credits#rollover'],
    sentence: 'Credits did not roll over again.',
  },
  overage_charged: { manual: ['credits#overage'], sentence: 'Overage was billed.' },
  overage_reset: { manual: ['credits#overage'], sentence: 'Overage was set back to 0.' },
  auto_top_up: { manual: ['resources#ledger-entries'], sentence: 'Credits were topped up.' },
  manual_adjustment: {
    manual: ['resources#adjustments'],
    sentence: 'The balance was adjusted through the API.',
  },
  refund: { manual: ['meters#falling-usage'], sentence: 'Credits were given back.' },
}
