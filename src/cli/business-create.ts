import { createBusiness } from '../operations/businesses/create-business.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'
import { rateTierOf } from './rate-tier.ts'

export const businessCreate: Command = {
  name: 'business create',
  usage: '--name NAME [--rate-tier 0|1|2|unlimited|BURST/SUSTAINED]',
  summary: 'makes a business; its keys are made with `keys create`',
  options: { name: { type: 'string' }, 'rate-tier': { type: 'string' } },
  positionals: [],

  async run(input) {
    const name = input.required('name')
    const rateTier = rateTierOf(input.text('rate-tier') ?? '0')
    const id = await withStore(input, (ports) => createBusiness(ports, { name, rateTier }))
    input.answer({ business_id: id }, [id])
    return 0
  },
}
