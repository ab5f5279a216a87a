import type { KeyDirectory } from '../edge/http/auth.ts'
import { limits } from '../limits.ts'
import { keyFinder } from '../operations/businesses/find-keys.ts'
import { openKeyUse } from '../operations/businesses/note-key-use.ts'
import { keys } from '../parts/store/postgres/catalog/keys.ts'
import { openDb } from '../parts/store/postgres/connection/client.ts'
import { mayBeApiKey } from '../runtime/api-key.ts'
import type { MainNeeds } from './parts.ts'

/** Keys are looked up on connections of their own: one for each lane of the finder. */
export function keyDirectory({ store, clock, life }: MainNeeds): KeyDirectory {
  const db = openDb({
    url: store.url,
    connectionsMax: 2,
    name: 'sluice keys',
    deadlineMs: limits.keyLookupMs,
  })
  const use = openKeyUse({ keys: store.keys, clock })
  const writing = setInterval(() => void use.write(), limits.keyUseMs)
  life.own('key connections', async () => {
    clearInterval(writing)
    await use.write()
    await db.close()
  })
  const find = keyFinder(keys(db))
  return {
    mayExist: mayBeApiKey,
    async find(hash, known) {
      const found = await find(hash, known)
      use.saw(found)
      return found
    },
  }
}
