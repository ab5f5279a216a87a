import type { Mode } from '../rules/meter/meter.ts'
import type { Instant } from '../std/instant.ts'
import { formatInstant } from '../std/instant.ts'
import { schema } from '../std/schema.ts'
import { nullable, oneOf, text } from './schemas.ts'

interface KeyWish {
  readonly name?: string | null
  readonly access: 'read' | 'write'
}

/** A key that somebody asks for in the console: the mode is that of the page. */
export const keyWish = schema<KeyWish>({
  type: 'object',
  required: ['access'],
  properties: { name: nullable(text(1, 255)), access: oneOf(['read', 'write']) },
})

interface ShownKey {
  readonly keyId: string
  readonly mode: Mode
  readonly access: 'read' | 'write'
  readonly name: string | null
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  readonly revokedAt: Instant | null
}

/** As lists show it: the key itself is shown once, when it is made. */
export const consoleKeyView = (key: ShownKey) => ({
  key_id: key.keyId,
  mode: key.mode,
  access: key.access,
  name: key.name,
  created_at: formatInstant(key.createdAt),
  last_used_at: key.lastUsedAt === null ? null : formatInstant(key.lastUsedAt),
  revoked_at: key.revokedAt === null ? null : formatInstant(key.revokedAt),
})
