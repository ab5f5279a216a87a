import { paying } from '../compose/paying.ts'
import { openDispute } from '../operations/disputes/open-dispute.ts'
import { disputeStages } from '../rules/commerce/disputes/dispute.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const disputesOpenCommand: Command = {
  name: 'disputes open',
  usage: 'PAYMENT_ID [--amount MINOR] [--reason TEXT] [--stage STAGE]',
  summary: "says that a payment's bank disputes it, or a part of it",
  options: {
    amount: { type: 'string' },
    reason: { type: 'string' },
    stage: { type: 'string' },
  },
  positionals: ['PAYMENT_ID'],
  choices: { stage: disputeStages },

  async run(input) {
    const paymentId = input.positional('PAYMENT_ID')
    const amount = input.text('amount')
    if (amount !== null && !/^[1-9]\d{0,14}$/.test(amount)) {
      throw new UsageError("--amount must be a whole number of the currency's smallest unit")
    }
    const wanted = input.text('stage') ?? 'dispute'
    const stage = disputeStages.find((each) => each === wanted)
    if (stage === undefined) throw new UsageError(`--stage must be ${disputeStages.join(' or ')}`)
    const asked = {
      paymentId,
      amount: amount === null ? null : Number(amount),
      reason: input.text('reason'),
      stage,
    }
    const { disputeId, status } = await withStore(input, async (ports) =>
      openDispute(await paying(ports, input.config()), asked),
    )
    input.answer({ dispute_id: disputeId, dispute_status: status }, [`${disputeId} ${status}`])
    return 0
  },
}
