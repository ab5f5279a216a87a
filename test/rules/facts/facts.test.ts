import { describe, expect, it } from 'vitest'
import { creditTransactionTypes, factTypesOf } from '../../../src/rules/facts/ledger-facts.ts'
import {
  isWebhookEventType,
  payloadTypeOf,
  webhookEventTypes,
} from '../../../src/rules/facts/webhook-event-types.ts'

describe('facts', () => {
  it('has the 47 types of the contract', () => {
    expect(webhookEventTypes).toHaveLength(47)
    expect(new Set(webhookEventTypes.map((type) => type.split('.')[0]))).toEqual(
      new Set(
        `payment refund dispute subscription license_key payout credit abandoned_checkout dunning
        entitlement_grant`.split(/\s+/),
      ),
    )
    expect(isWebhookEventType('constructor')).toBe(false)
    expect(payloadTypeOf('credit.balance_low')).toBe('CreditBalanceLow')
  })

  it('tells a manual debit twice, a manual credit once, a refund never [resources#ledger-entries, meters#falling-usage, webhooks#kinds]', () => {
    const told = (transactionType: 'manual_adjustment' | 'refund', isCredit: boolean) =>
      factTypesOf({ transactionType, isCredit })
    expect(told('manual_adjustment', false)).toEqual([
      'credit.manual_adjustment',
      'credit.deducted',
    ])
    expect(told('manual_adjustment', true)).toEqual(['credit.manual_adjustment'])
    expect(told('refund', true)).toEqual([])
    expect(creditTransactionTypes).toHaveLength(10)
  })
})
