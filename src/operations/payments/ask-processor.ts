import type { ChargeAnswer, Processor } from '../../parts/processors/port.ts'
import type { RowChange } from '../../parts/store/changes.ts'
import type { Payment } from '../../rules/commerce/payments/payment.ts'
import { chargedAmount } from '../../rules/commerce/payments/wallet-part.ts'
import type { Mode } from '../../rules/meter/meter.ts'
import type { NewId } from '../../std/id.ts'
import type { Duration } from '../../std/instant.ts'
import { after, minute } from '../../std/instant.ts'

/** After a charge was sent, and nothing was heard: how long until the processor is asked again. */
const askAgainAfter: Duration = 5 * minute

/**
 * Asks a payment's processor to charge it, or, after a crash, what has become of the charge: it is
 * asked with everything that the payment says, so the second time is as the first, and charges
 * nobody twice. What needs no charge succeeds; what has nothing to charge fails. [payments#news]
 */
export async function askProcessor(
  processors: Readonly<Record<Mode, Processor>>,
  mode: Mode,
  payment: Payment,
): Promise<ChargeAnswer> {
  const { token, forcesConfirmation, paymentMethodId } = payment
  if (token === null) return chargedAmount(payment) === 0 ? free : nothingToCharge
  const isLater = paymentMethodId !== null
  const charge = { ...requestedCharge(payment), token, forcesConfirmation, isLater }
  return unlessSilent(() => processors[mode].charge(charge))
}

/** What every call about a charge says of it: the wallet's part is paid already. */
export const requestedCharge = (payment: Payment) => ({
  key: payment.paymentId,
  amount: chargedAmount(payment),
  currency: payment.currency,
})

/** A processor that fails to answer may have charged all the same. */
export async function unlessSilent(asked: () => Promise<ChargeAnswer>): Promise<ChargeAnswer> {
  try {
    return await asked()
  } catch {
    return { outcome: null, news: [] }
  }
}

const free: ChargeAnswer = { outcome: { status: 'succeeded' }, news: [] }

const nothingToCharge: ChargeAnswer = {
  outcome: {
    status: 'failed',
    code: 'MANDATE_REQUIRED',
    message: 'The subscription has no payment method that could be charged.',
  },
  news: [],
}

/**
 * An attempt as it is written before its processor is asked, and the news that will ask again if
 * nothing is heard: they belong into the change that claims what the attempt pays. `opened`: the
 * payment that waited for it. [payments#news]
 */
export function attemptRows(
  newId: NewId,
  payment: Payment,
  opened: Pick<Payment, 'version'> | null = null,
): readonly RowChange[] {
  const { customerId, paymentId, updatedAt } = payment
  const dueAt = after(updatedAt, askAgainAfter)
  const row = { newsId: newId('pnw'), customerId, paymentId, outcome: null, dueAt }
  return [
    { noun: 'payment', expected: opened?.version ?? null, row: payment },
    { noun: 'processor_news', heard: false, row },
  ]
}
