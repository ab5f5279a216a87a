import { revokeKey } from '../operations/businesses/revoke-key.ts'
import { formatInstant } from '../std/instant.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const keysRevoke: Command = {
  name: 'keys revoke',
  usage: 'KEY_ID',
  summary: 'ends a key for good; acts within 10 seconds',
  options: {},
  positionals: ['KEY_ID'],

  async run(input) {
    const id = input.positional('KEY_ID')
    const at = formatInstant(await withStore(input, (ports) => revokeKey(ports, id)))
    input.answer({ key_id: id, revoked_at: at }, [`${id} is revoked since ${at}.`])
    return 0
  },
}
