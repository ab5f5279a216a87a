import type { PayloadType, WebhookEventType } from '../rules/facts/webhook-event-types.ts'
import { payloadTypeOf } from '../rules/facts/webhook-event-types.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'

/** The body of every webhook. [webhooks#kinds] */
export interface WebhookEnvelope {
  readonly business_id: string
  readonly type: WebhookEventType
  /** The business's time of the fact, not of the attempt. [webhooks#kinds] */
  readonly timestamp: string
  readonly data: Readonly<Record<string, unknown>> & { readonly payload_type: PayloadType }
}

/**
 * Data of `credit.balance_low`; `subscription_id` is null for default links. [webhooks#kinds,
 * credits#low-balance]
 */
export interface CreditBalanceLow {
  readonly customer_id: string
  readonly subscription_id: string | null
  readonly credit_entitlement_id: string
  readonly credit_entitlement_name: string
  readonly brand_id: string
  readonly available_balance: string
  readonly subscription_credits_amount: string
  readonly threshold_percent: number
  readonly threshold_amount: string
}

export function toWebhookEnvelope(fact: {
  readonly businessId: string
  readonly type: WebhookEventType
  readonly at: Instant
  readonly data: object
}): WebhookEnvelope {
  return {
    business_id: fact.businessId,
    type: fact.type,
    timestamp: formatInstant(fact.at),
    data: { ...fact.data, payload_type: payloadTypeOf(fact.type) },
  }
}
