import { lengthOf } from '../config-values.ts'
import { limits } from '../limits.ts'
import { createKey } from '../operations/businesses/create-key.ts'
import type { Mode } from '../rules/meter/meter.ts'
import type { Duration } from '../std/instant.ts'
import { hour } from '../std/instant.ts'
import type { Command, Input } from './command.ts'
import { UsageError, withStore } from './command.ts'

export const keysCreate: Command = {
  name: 'keys create',
  usage: '--business ID --mode test|live [--read-only] [--name NAME] [--backfill DURATION]',
  summary: 'makes an API key and shows it, the only time',
  options: {
    business: { type: 'string' },
    mode: { type: 'string' },
    'read-only': { type: 'boolean' },
    name: { type: 'string' },
    backfill: { type: 'string' },
  },
  positionals: [],

  async run(input) {
    const mode = modeOf(input.required('mode'))
    const access = input.flag('read-only') ? ('read' as const) : ('write' as const)
    const request = { businessId: input.required('business'), mode, access }
    const name = input.text('name')
    const backfillUs = backfillOf(input, access)
    const made = await withStore(input, (ports) =>
      createKey(ports, { ...request, name, backfillUs }),
    )
    input.answer({ key_id: made.keyId, api_key: made.apiKey, mode, access }, [
      `${made.apiKey}`,
      `This is ${made.keyId}, ${access} access in ${mode} mode. It is not shown again.`,
    ])
    return 0
  },
}

/** Within it dedupe still knows the ids, and an hour is left for late retries. */
function backfillOf(input: Input, access: 'read' | 'write'): Duration {
  const text = input.text('backfill')
  if (text === null) return 0
  if (access === 'read') throw new UsageError('--backfill is for keys that may write.')
  const length = lengthOf(text)
  const most = input.config().dedupeWindow - limits.eventAgeMax
  if (length !== null && length > 0 && length <= most) return length
  throw new UsageError(
    `--backfill must be a duration such as 12h or PT12H, of at most ${most / hour}h (DEDUPE_WINDOW less an hour), not '${text}'.`,
  )
}

function modeOf(text: string): Mode {
  if (text === 'test' || text === 'live') return text
  throw new UsageError(`--mode must be test or live, not '${text}'.`)
}
