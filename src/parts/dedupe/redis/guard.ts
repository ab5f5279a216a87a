import type { Logger } from '../../../runtime/logger.ts'
import type { RedisConnection } from '../../redis.ts'
import type { Health } from './health.ts'
import { healthOf } from './health.ts'

/** Watches that Redis is one that does not forget. */
export interface Guard {
  /** What holds for now; asked anew whenever another server may answer. Rejects while away. */
  health(): Promise<Health>
  close(): void
}

/**
 * Looks after every connecting and on a timer; what it knows holds until it knows better. What is
 * wrong is an alarm: nothing is measured.
 */
export function guardOf(connection: RedisConnection, logger: Logger): Guard {
  let latest: Promise<Health> | null = null
  let epoch = -1
  let said: string | null = null
  const timer = setInterval(() => void look().catch(() => undefined), everyMs)
  timer.unref()
  return { health, close: () => clearInterval(timer) }

  function health(): Promise<Health> {
    if (latest === null || epoch !== connection.epoch()) {
      epoch = connection.epoch()
      const asking = look()
      latest = asking
      asking.catch(() => {
        if (latest === asking) latest = null
      })
    }
    return latest
  }

  async function look(): Promise<Health> {
    const asked = connection.epoch()
    const found = await healthOf(connection)
    say(found)
    // Whoever comes next wants to know whether it has been mended.
    if (asked === connection.epoch()) latest = found.unfit === null ? Promise.resolve(found) : null
    return found
  }

  function say({ unfit, full }: Health): void {
    const wrong = unfit ?? full
    if (wrong !== null && wrong !== said) logger.error({}, wrong)
    if (wrong === null && said !== null) logger.info({}, 'Redis is fit for the dedupe again')
    said = wrong
  }
}

/** So long, at most, can an eviction policy be wrong without notice. */
const everyMs = 10_000
