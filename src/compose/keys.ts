import type { KeyDirectory } from '../edge/http/auth.ts'
import { limits } from '../limits.ts'
import { keyFinder } from '../operations/businesses/find-keys.ts'
import { keys } from '../parts/store/postgres/catalog/keys.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { mayBeApiKey } from '../runtime/api-key.ts'
import type { MainNeeds } from './parts.ts'

/** Keys are looked up on connections of their own: one for each lane of the finder. */
export function keyDirectory({ store, life }: MainNeeds): KeyDirectory {
  const db = openDb({
    url: store.url,
    connectionsMax: 2,
    name: 'sluice keys',
    deadlineMs: limits.keyLookupMs,
  })
  life.own('key connections', () => db.close())
  return { mayExist: mayBeApiKey, find: keyFinder(keys(db)) }
}
