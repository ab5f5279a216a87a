/**
 * What ends a subscription's cycle before the end that it had. [credits#endings, credits#overage,
 * subscriptions#endings]
 */
export interface EarlyEnd {
  readonly by: 'plan_change' | 'cancellation' | 'expiry'
  readonly subscriptionId: string
}

/** As entries keep it, for explanations. */
export const earlyInputs = (early: EarlyEnd | undefined): Readonly<Record<string, unknown>> =>
  early === undefined ? {} : { ended_by: early.by, subscription_id: early.subscriptionId }
