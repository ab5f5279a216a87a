import type { ToldFact } from './fact.ts'
import type { RecordedEntry } from './recorded-entry.ts'
import { givenSamples } from './sample-given-facts.ts'
import type { SampleOf } from './sample-own-facts.ts'
import { ownSamples } from './sample-own-facts.ts'
import type { WebhookEventType } from './webhook-event-types.ts'

type Figures = Pick<RecordedEntry, 'transactionType' | 'isCredit' | 'amount'> & {
  /** Before and after. */
  readonly balance: readonly [string, string]
  readonly overage?: readonly [string, string]
  readonly reference?: 'meter' | 'subscription' | 'api'
  readonly description?: string
}

/** Figures as the ledger would have them: the chain of one account holds in each. */
const entries = {
  'credit.added': {
    transactionType: 'credit_added',
    isCredit: true,
    amount: '100',
    balance: ['0', '100'],
    reference: 'subscription',
  },
  'credit.deducted': {
    transactionType: 'credit_deducted',
    isCredit: false,
    amount: '2.5',
    balance: ['100', '97.5'],
    reference: 'meter',
  },
  'credit.expired': {
    transactionType: 'credit_expired',
    isCredit: false,
    amount: '40',
    balance: ['40', '0'],
    reference: 'subscription',
  },
  'credit.rolled_over': {
    transactionType: 'credit_rolled_over',
    isCredit: true,
    amount: '40',
    balance: ['40', '40'],
    reference: 'subscription',
  },
  'credit.rollover_forfeited': {
    transactionType: 'rollover_forfeited',
    isCredit: false,
    amount: '20',
    balance: ['20', '0'],
    reference: 'subscription',
  },
  'credit.overage_charged': {
    transactionType: 'overage_charged',
    isCredit: false,
    amount: '15',
    balance: ['0', '0'],
    overage: ['15', '15'],
  },
  'credit.overage_reset': {
    transactionType: 'overage_reset',
    isCredit: true,
    amount: '15',
    balance: ['0', '0'],
    overage: ['15', '0'],
  },
  'credit.manual_adjustment': {
    transactionType: 'manual_adjustment',
    isCredit: true,
    amount: '50',
    balance: ['97.5', '147.5'],
    reference: 'api',
    description: 'Goodwill',
  },
} as const satisfies { readonly [Type in WebhookEventType]?: Figures }

const samples = { ...ownSamples, ...givenSamples }

/** The kinds that there is a sample of: all of them. */
export type SampledType = WebhookEventType

export const sampledTypes: readonly string[] = [
  ...Object.keys(entries),
  'credit.balance_low',
  ...Object.keys(samples),
]

/** A fact of this kind as it might have happened, with ids that name nothing. [webhooks#tests] */
export function sampleFact(type: SampledType, of: SampleOf): ToldFact {
  if (type === 'credit.balance_low') return lowBalance(of)
  return isOfEntry(type) ? { type, entry: entryOf(entries[type], of) } : samples[type](of)
}

const isOfEntry = (
  type: keyof typeof entries | keyof typeof samples,
): type is keyof typeof entries => Object.hasOwn(entries, type)

const prefixOf = { meter: 'mtr', subscription: 'sub' } as const

function entryOf(figures: Figures, { businessId, at, newId }: SampleOf): RecordedEntry {
  const { transactionType, isCredit, amount, balance, overage = ['0', '0'], reference } = figures
  return {
    entryId: newId('cle'),
    businessId,
    brandId: businessId,
    customerId: newId('cus'),
    entitlementId: newId('cde'),
    transactionType,
    isCredit,
    amount,
    balanceBefore: balance[0],
    balanceAfter: balance[1],
    overageBefore: overage[0],
    overageAfter: overage[1],
    grantId: balance[0] === '0' && balance[1] === '0' ? null : newId('cgr'),
    referenceType: reference ?? null,
    referenceId: reference === undefined || reference === 'api' ? null : newId(prefixOf[reference]),
    description: figures.description ?? null,
    metadata: {},
    createdAt: at,
  }
}

const lowBalance = ({ businessId, newId }: SampleOf): ToldFact => ({
  type: 'credit.balance_low',
  data: {
    customerId: newId('cus'),
    entitlementId: newId('cde'),
    entitlementName: 'Sample credits',
    brandId: businessId,
    subscriptionId: newId('sub'),
    balance: '19.5',
    creditsAmount: '100',
    thresholdPercent: 20,
    thresholdAmount: '20',
  },
})
