import type { Payment } from '../rules/commerce/payments/payment.ts'
import type { Subscription } from '../rules/commerce/subscriptions/subscription.ts'

/** Where the browser goes back to after a payment, with what became of it. [payments#pages] */
export function returnAddress(
  returnUrl: string,
  {
    payment,
    subscription,
    email,
    licenseKeys,
  }: {
    readonly payment: Payment
    readonly subscription: Subscription | null
    readonly email: string
    readonly licenseKeys: readonly string[]
  },
): string {
  const url = new URL(returnUrl)
  if (subscription === null) url.searchParams.set('payment_id', payment.paymentId)
  else url.searchParams.set('subscription_id', subscription.subscriptionId)
  const isPaid = payment.status === 'succeeded'
  url.searchParams.set(
    'status',
    isPaid && subscription !== null ? subscription.status : payment.status,
  )
  url.searchParams.set('email', email)
  if (licenseKeys.length > 0) url.searchParams.set('license_key', licenseKeys.join(','))
  return url.href
}
