import { paying } from '../compose/paying.ts'
import { markPayout } from '../operations/payouts/mark-payout.ts'
import type { PayoutMark } from '../rules/commerce/payouts/payout.ts'
import { payoutMarks } from '../rules/commerce/payouts/payout.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const payoutsMarkCommand: Command = {
  name: 'payouts mark',
  usage: 'PAYOUT_ID in_progress|success|failed|on_hold [--remarks TEXT]',
  summary: 'says what became of a payout; one that failed comes back into its ledger',
  options: { remarks: { type: 'string' } },
  positionals: ['PAYOUT_ID', 'STATUS'],
  choices: { STATUS: payoutMarks },

  async run(input) {
    const mark = {
      payoutId: input.positional('PAYOUT_ID'),
      status: markOf(input.positional('STATUS')),
      remarks: input.text('remarks'),
      payer: input.config().operator,
    }
    const { amount, payoutId, status } = await withStore(input, async (ports) =>
      markPayout(await paying(ports, input.config()), mark),
    )
    input.answer({ payout_id: payoutId, amount, status }, [`${payoutId} ${status}`])
    return 0
  },
}

function markOf(text: string): PayoutMark {
  const found = payoutMarks.find((each) => each === text)
  if (found !== undefined) return found
  throw new UsageError(`STATUS must be one of ${payoutMarks.join(', ')}`)
}
