import { createKey } from '../operations/businesses/create-key.ts'
import type { Mode } from '../rules/meter/meter.ts'
import type { Command } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const keysCreate: Command = {
  name: 'keys create',
  usage: '--business ID --mode test|live [--read-only] [--name NAME]',
  summary: 'makes an API key and shows it, the only time',
  options: {
    business: { type: 'string' },
    mode: { type: 'string' },
    'read-only': { type: 'boolean' },
    name: { type: 'string' },
  },
  positionals: [],

  async run(input) {
    const mode = modeOf(input.required('mode'))
    const access = input.flag('read-only') ? ('read' as const) : ('write' as const)
    const request = { businessId: input.required('business'), mode, access }
    const name = input.text('name')
    const made = await withStore(input, (ports) => createKey(ports, { ...request, name }))
    input.answer({ key_id: made.keyId, api_key: made.apiKey, mode, access }, [
      `${made.apiKey}`,
      `This is ${made.keyId}, ${access} access in ${mode} mode. It is not shown again.`,
    ])
    return 0
  },
}

function modeOf(text: string): Mode {
  if (text === 'test' || text === 'live') return text
  throw new UsageError(`--mode must be test or live, not '${text}'.`)
}
