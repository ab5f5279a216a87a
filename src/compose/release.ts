import { keepRelease } from '../parts/store/postgres/schema/releases.ts'
import { loop } from '../runtime/loop.ts'
import type { Store, StoreOptions } from './store.ts'
import { broughtUpToDate } from './store.ts'

const hourMs = 3_600_000

/**
 * Says every hour that a process of this release is at work. One that could not say so for a day
 * may have lost its functions in the database to a newer release, and brings them again.
 */
export function keepOurRelease({ config, logger, life }: StoreOptions, { db, url }: Store): void {
  const keeping = loop({ name: 'release', logger, idleMs: hourMs, work })
  life.own('release', () => keeping.stop())
  keeping.start()

  async function work(): Promise<boolean> {
    if (!(await keepRelease(db))) await broughtUpToDate(url, config.migrate)
    return false
  }
}
