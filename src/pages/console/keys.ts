import { parse } from '../../edge/http/parse.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { created, noContent, ok, route } from '../../edge/http/route.ts'
import { notFound } from '../../faults.ts'
import type { CreateKeyNeeds } from '../../operations/businesses/create-key.ts'
import { createKey } from '../../operations/businesses/create-key.ts'
import type { RevokeKeyNeeds } from '../../operations/businesses/revoke-key.ts'
import { revokeKey } from '../../operations/businesses/revoke-key.ts'
import type { Keys } from '../../parts/store/keys.ts'
import { consoleKeyView, keyWish } from '../../wire/console-key.ts'

export interface ConsoleKeyNeeds extends CreateKeyNeeds, Omit<RevokeKeyNeeds, 'keys'> {
  readonly keys: Pick<Keys, 'get' | 'list'>
  /** Called when a key was revoked: the edge remembers keys. */
  readonly onRevoked: () => void
}

/** Developer → API Keys: those of the caller's business and mode. [requests#keys-and-modes] */
export function consoleKeyRoutes(needs: ConsoleKeyNeeds): readonly Route[] {
  return [
    route('GET', '/keys', 'read', list),
    route('POST', '/keys', 'write', create),
    route('DELETE', '/keys/:id', 'write', revoke),
  ]

  async function list({ caller }: Request): Promise<Reply> {
    const keys = await needs.keys.list(caller.businessId)
    const items = keys.filter(({ mode }) => mode === caller.mode).map(consoleKeyView)
    return ok({ items })
  }

  async function create({ caller, body }: Request): Promise<Reply> {
    const { access, name = null } = parse(keyWish, body)
    const { businessId, mode } = caller
    const { keyId, apiKey } = await createKey(needs, { businessId, mode, access, name })
    const reply = created({ key_id: keyId, api_key: apiKey, mode, access, name })
    return { ...reply, headers: { 'Cache-Control': 'no-store' } }
  }

  async function revoke({ caller, param }: Request): Promise<Reply> {
    const keyId = param('id')
    const key = await needs.keys.get(keyId)
    const isOwn = key?.businessId === caller.businessId && key.mode === caller.mode
    if (!isOwn) throw notFound('key', keyId.slice(0, 255))
    await revokeKey(needs, keyId)
    needs.onRevoked()
    return noContent
  }
}
