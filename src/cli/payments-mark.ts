import { paying } from '../compose/paying.ts'
import { markPayment } from '../operations/payments/mark-payment.ts'
import type { ChargeOutcome } from '../rules/commerce/payments/payment.ts'
import { markedAs, markedStatuses } from '../rules/commerce/payments/payment.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const paymentsMarkCommand: Command = {
  name: 'payments mark',
  usage: 'PAYMENT_ID succeeded|failed|cancelled|processing [--reason CODE]',
  summary: 'says what became of a payment that the manual processor of live mode takes',
  options: { reason: { type: 'string' } },
  positionals: ['PAYMENT_ID', 'STATUS'],

  async run(input) {
    const paymentId = input.positional('PAYMENT_ID')
    const outcome = outcomeOf(input.positional('STATUS'), input.text('reason'))
    const payment = await withStore(input, async (ports) =>
      markPayment(await paying(ports, input.config()), paymentId, outcome),
    )
    input.answer({ payment_id: paymentId, status: payment.status }, [
      `${paymentId} ${payment.status}`,
    ])
    return 0
  },
}

function outcomeOf(status: string, reason: string | null): ChargeOutcome {
  if (reason !== null && (status !== 'failed' || !/^[A-Z][A-Z_]{1,63}$/.test(reason))) {
    throw new UsageError('--reason goes with failed, and is a code such as INSUFFICIENT_FUNDS')
  }
  const marked = markedStatuses.find((each) => each === status)
  if (marked !== undefined) return markedAs(marked, reason)
  throw new UsageError('STATUS must be succeeded, failed, cancelled or processing')
}
