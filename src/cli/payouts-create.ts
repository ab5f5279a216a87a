import { paying } from '../compose/paying.ts'
import { createPayout } from '../operations/payouts/create-payout.ts'
import type { Currency } from '../rules/commerce/currency.ts'
import { currencies } from '../rules/commerce/currency.ts'
import type { Mode } from '../rules/meter/meter.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const payoutsCreateCommand: Command = {
  name: 'payouts create',
  usage: '--business ID --mode test|live --currency CUR',
  summary: 'pays out all that the ledger of a business holds in a currency',
  options: {
    business: { type: 'string' },
    mode: { type: 'string' },
    currency: { type: 'string' },
  },
  positionals: [],
  choices: { mode: ['test', 'live'] },

  async run(input) {
    const businessId = input.required('business')
    const mode = modeOf(input.required('mode'))
    const currency = currencyOf(input.required('currency'))
    const { amount, payoutId, status } = await withStore(input, async (ports) =>
      createPayout(await paying(ports, input.config()), { businessId, mode }, currency),
    )
    input.answer({ payout_id: payoutId, amount, status }, [
      `${payoutId} ${status}: ${amount} of the smallest unit of ${currency}.`,
    ])
    return 0
  },
}

function modeOf(text: string): Mode {
  if (text === 'test' || text === 'live') return text
  throw new UsageError('--mode must be test or live')
}

function currencyOf(text: string): Currency {
  const found = currencies.find((each) => each === text.toUpperCase())
  if (found !== undefined) return found
  throw new UsageError('--currency must be a code of ISO 4217, such as USD')
}
