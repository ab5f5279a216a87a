import type { Processor } from '../../parts/processors/port.ts'
import type { PaymentMethods } from '../../parts/store/payment-methods.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import type { Mode } from '../../rules/meter/meter.ts'

export interface ChargeableNeeds {
  readonly paymentMethods: PaymentMethods
  readonly processors: Readonly<Record<Mode, Processor>>
}

export type Chargeable = Pick<Payment, 'token' | 'card' | 'paymentMethodId'>

/**
 * What an attempt without a session charges: the saved method, or, where a processor takes no
 * cards, the processor itself, whose operator says what became of it. Without either the token is
 * null, and an attempt of more than 0 fails. [payments#saved-methods]
 */
export async function chargeableMethod(
  { paymentMethods, processors }: ChargeableNeeds,
  scope: Scope,
  paymentMethodId: string | null,
): Promise<Chargeable> {
  const processor = processors[scope.mode]
  if (processor.enter === null) {
    return { token: processor.name, card: null, paymentMethodId: null }
  }
  const method = paymentMethodId === null ? null : await paymentMethods.get(scope, paymentMethodId)
  return method === null || method.deletedAt !== null
    ? { token: null, card: null, paymentMethodId: null }
    : { token: method.token, card: method.card, paymentMethodId: method.paymentMethodId }
}
