import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { askProcessor } from './ask-processor.ts'
import type { PaymentNeeds } from './payment-needs.ts'
import type { HeardOfPayment } from './try-to-hear.ts'

/** What an attempt's processor says of it at once; silence is `processing`. [payments#news] */
export async function heardOf(
  { processors }: PaymentNeeds,
  { mode }: Scope,
  attempt: Payment,
): Promise<HeardOfPayment> {
  const { outcome, news } = await askProcessor(processors, mode, attempt)
  const heard = outcome ?? ({ status: 'processing' } as const)
  return { paymentId: attempt.paymentId, outcome: heard, later: news, news: null }
}
