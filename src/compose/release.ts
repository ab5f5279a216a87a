import { keepRelease } from '../parts/store/postgres/schema/releases.ts'
import { loop } from '../runtime/loop.ts'
import type { Store, StoreNeeds } from './store.ts'
import { broughtUpToDate } from './store.ts'

const hourMs = 3_600_000

/**
 * Reports every hour that a process of this release is at work. After a day without a report a
 * newer release may have dropped the functions of this one from the database; then this brings them
 * again.
 */
export function keepOurRelease({ config, logger, life }: StoreNeeds, { db, url }: Store): void {
  const keeping = loop({ name: 'release', logger, idleMs: hourMs, work })
  life.own('release', () => keeping.stop())
  keeping.start()

  async function work(): Promise<boolean> {
    if (!(await keepRelease(db))) await broughtUpToDate(url, config.migrate)
    return false
  }
}
