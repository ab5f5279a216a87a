/**
 * What ends a subscription's cycle before its planned end. [credits#endings, credits#overage,
 * subscriptions#endings]
 */
export interface EarlyEnd {
  readonly by: 'plan_change' | 'cancellation' | 'expiry'
  readonly subscriptionId: string
}

/** The same as entries keep it; left out: the cycle came to its end. */
export interface Early {
  readonly endedBy?: EarlyEnd['by']
  readonly subscriptionId?: string
}

/** The same in the form that entries keep for explanations. */
export const earlyInputs = (early: EarlyEnd | undefined): Early =>
  early === undefined ? {} : { endedBy: early.by, subscriptionId: early.subscriptionId }
