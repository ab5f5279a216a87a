import type { DemandedCharge, OnDemandStart } from '../rules/commerce/subscriptions/on-demand.ts'
import { schema } from '../std/schema.ts'
import { currencies } from './enums.ts'
import type { Definition } from './schemas.ts'
import { flag, metadata, nullable, oneOf, text, whole } from './schemas.ts'

/** [subscriptions#on-demand] */
export interface OnDemandBody {
  readonly mandate_only: boolean
  readonly product_currency?: string | null
  readonly product_description?: string | null
  readonly product_price?: number | null
}

const priced = {
  // Without meaning as long as no currency is exchanged. [resources#prices]
  adaptive_currency_fees_inclusive: nullable(flag),
  product_currency: nullable(oneOf(currencies)),
  product_description: nullable(text(1, 1_000)),
}

export const onDemand: Definition = nullable({
  type: 'object',
  required: ['mandate_only'],
  properties: {
    ...priced,
    mandate_only: flag,
    product_price: nullable(whole(0, 2 ** 31 - 1)),
  },
})

/** How the subscription that a body asks for begins on demand; null: it does not. */
export const onDemandStart = (body: OnDemandBody | null | undefined): OnDemandStart | null =>
  body == null
    ? null
    : {
        mandateOnly: body.mandate_only,
        price: body.product_price ?? null,
        currency: currencyOf(body),
        description: body.product_description ?? null,
      }

/** [subscriptions#on-demand] */
export interface SubscriptionCharge {
  readonly product_price: number
  readonly customer_balance_config?: {
    readonly allow_customer_credits_purchase?: boolean | null
    readonly allow_customer_credits_usage?: boolean | null
  } | null
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | null
  readonly product_currency?: string | null
  readonly product_description?: string | null
}

export const subscriptionCharge = schema<SubscriptionCharge>({
  type: 'object',
  required: ['product_price'],
  properties: {
    ...priced,
    customer_balance_config: nullable({
      type: 'object',
      properties: {
        allow_customer_credits_purchase: nullable(flag),
        allow_customer_credits_usage: nullable(flag),
      },
    }),
    metadata: nullable(metadata),
    product_price: whole(1, 2 ** 31 - 1),
  },
})

/** The charge that a body asks for. */
export const demandedCharge = (body: SubscriptionCharge): DemandedCharge => ({
  price: body.product_price,
  currency: currencyOf(body),
  description: body.product_description ?? null,
})

/** Whether the customer's wallet pays its part first, as of a renewal. */
export const maySpendWallet = ({ customer_balance_config: config }: SubscriptionCharge): boolean =>
  config?.allow_customer_credits_usage !== false

/** Whether the customer is to be sold money for the wallet with it, which nobody does here. */
export const wantsToSellMoney = ({ customer_balance_config: config }: SubscriptionCharge) =>
  config?.allow_customer_credits_purchase === true

/** [subscriptions#on-demand] */
export const subscriptionCharged = ({ paymentId }: { readonly paymentId: string }) => ({
  payment_id: paymentId,
})

const currencyOf = (body: { readonly product_currency?: string | null }) =>
  currencies.find((each) => each === body.product_currency) ?? null
