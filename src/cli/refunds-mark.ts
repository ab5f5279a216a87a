import { paying } from '../compose/paying.ts'
import { markRefund } from '../operations/refunds/mark-refund.ts'
import type { RefundOutcome } from '../rules/commerce/refunds/refund.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const refundsMarkCommand: Command = {
  name: 'refunds mark',
  usage: 'REFUND_ID succeeded|failed',
  summary: 'says what became of a refund that is on its way',
  options: {},
  positionals: ['REFUND_ID', 'STATUS'],

  async run(input) {
    const refundId = input.positional('REFUND_ID')
    const outcome = outcomeOf(input.positional('STATUS'))
    const { status } = await withStore(input, async (ports) =>
      markRefund(await paying(ports, input.config()), refundId, outcome),
    )
    input.answer({ refund_id: refundId, status }, [`${refundId} ${status}`])
    return 0
  },
}

function outcomeOf(status: string): RefundOutcome {
  if (status === 'succeeded' || status === 'failed') return status
  throw new UsageError('STATUS must be succeeded or failed')
}
