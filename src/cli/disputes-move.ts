import { paying } from '../compose/paying.ts'
import { moveDispute } from '../operations/disputes/move-dispute.ts'
import type { DisputeStatus } from '../rules/commerce/disputes/dispute.ts'
import { disputeStatuses } from '../rules/commerce/disputes/dispute.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const disputesMoveCommand: Command = {
  name: 'disputes move',
  usage: 'DISPUTE_ID STATE [--remarks TEXT]',
  summary: 'says what becomes of a dispute; --remarks keeps the evidence',
  options: { remarks: { type: 'string' } },
  positionals: ['DISPUTE_ID', 'STATE'],
  choices: { STATE: disputeStatuses },

  async run(input) {
    const disputeId = input.positional('DISPUTE_ID')
    const move = {
      disputeId,
      status: statusOf(input.positional('STATE')),
      remarks: input.text('remarks'),
    }
    const { status } = await withStore(input, async (ports) =>
      moveDispute(await paying(ports, input.config()), move),
    )
    input.answer({ dispute_id: disputeId, dispute_status: status }, [`${disputeId} ${status}`])
    return 0
  },
}

/** The API's names, and their short forms. */
function statusOf(text: string): DisputeStatus {
  const found = disputeStatuses.find((each) => each === text || each === `dispute_${text}`)
  if (found !== undefined) return found
  throw new UsageError(`STATE must be one of ${disputeStatuses.join(', ')}, or its short form`)
}
