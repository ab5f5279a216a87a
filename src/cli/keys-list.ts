import { orNotFound } from '../faults.ts'
import type { Key } from '../parts/store/keys.ts'
import { formatInstant } from '../std/instant.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const keysList: Command = {
  name: 'keys list',
  usage: '--business ID',
  summary: 'lists the keys of a business, without the keys themselves',
  options: { business: { type: 'string' } },
  positionals: [],

  async run(input) {
    const businessId = input.required('business')
    const keys = await withStore(input, async (ports) => {
      orNotFound(await ports.businesses.find(businessId), 'business', businessId)
      return ports.keys.list(businessId)
    })
    input.answer({ items: keys.map(documentOf) }, keys.map(lineOf))
    return 0
  },
}

function documentOf(key: Key) {
  return {
    key_id: key.keyId,
    business_id: key.businessId,
    mode: key.mode,
    access: key.access,
    name: key.name,
    created_at: formatInstant(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : formatInstant(key.lastUsedAt),
    revoked_at: key.revokedAt === null ? null : formatInstant(key.revokedAt),
  }
}

function lineOf(key: Key): string {
  const revoked = key.revokedAt === null ? '' : `  revoked ${formatInstant(key.revokedAt)}`
  const made = formatInstant(key.createdAt)
  return `${key.keyId}  ${key.mode}  ${key.access.padEnd(5)}  ${made}  ${key.name ?? ''}${revoked}`
}
