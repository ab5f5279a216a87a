import { limitBusiness } from '../operations/businesses/limit-business.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'
import { rateTierOf } from './rate-tier.ts'

export const businessLimit: Command = {
  name: 'business limit',
  usage: 'ID --rate-tier 0|1|2|unlimited|BURST/SUSTAINED',
  summary: 'sets how many requests a business may make; acts within 10 seconds',
  options: { 'rate-tier': { type: 'string' } },
  positionals: ['ID'],

  async run(input) {
    const id = input.positional('ID')
    const rateTier = rateTierOf(input.required('rate-tier'))
    await withStore(input, (ports) => limitBusiness(ports, { businessId: id, rateTier }))
    input.answer({ business_id: id, rate_tier: rateTier }, [`${id} now has the tier ${rateTier}.`])
    return 0
  },
}
