import type { IntentStatus } from '../../../rules/commerce/payments/payment.ts'
import type { SubscriptionStatus } from '../../../rules/commerce/subscriptions/subscription.ts'

/** What the portal says, by language. Amounts, numbers and dates come from the platform's Intl. */
export interface PortalTexts {
  readonly amount: string
  readonly back: string
  readonly balance: string
  readonly cancel: string
  readonly cancelNowQuestion: string
  readonly cancelQuestion: string
  readonly changePlan: string
  readonly credits: string
  readonly date: string
  readonly ends: string
  readonly entries: string
  readonly expires: string
  readonly grants: string
  readonly invoice: string
  readonly keep: string
  readonly keepPlan: string
  readonly licenses: string
  readonly methods: string
  readonly never: string
  readonly newPlan: string
  readonly nothing: string
  readonly overage: string
  readonly payments: string
  readonly payWith: string
  readonly plans: string
  readonly remove: string
  readonly renews: string
  readonly returns: string
  readonly status: string
  readonly subscriptions: string
  readonly testMode: string
  readonly title: string
  readonly waitsUntil: string
  readonly statuses: Readonly<Record<SubscriptionStatus, string>>
  readonly paymentStatuses: Readonly<Partial<Record<IntentStatus, string>>>
  readonly otherStatus: string
}
