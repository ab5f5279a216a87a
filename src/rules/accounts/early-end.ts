/**
 * What ends a subscription's cycle before its planned end. [credits#endings, credits#overage,
 * subscriptions#endings]
 */
export interface EarlyEnd {
  readonly by: 'plan_change' | 'cancellation' | 'expiry'
  readonly subscriptionId: string
}

/** The same in the form that entries keep for explanations. */
export const earlyInputs = (early: EarlyEnd | undefined): Readonly<Record<string, unknown>> =>
  early === undefined ? {} : { ended_by: early.by, subscription_id: early.subscriptionId }
