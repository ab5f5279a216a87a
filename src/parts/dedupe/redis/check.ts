import type { Logger } from '../../../runtime/logger.ts'
import { openRedis } from '../../redis.ts'
import type { RedisSettings } from '../../redis-settings.ts'
import { healthOf } from './health.ts'

/** Whether the Redis of the dedupe answers and may hold it: for `/readyz`. */
export interface RedisCheck {
  /** 'up', or a sentence that says why not. Answers within a second, and never rejects. */
  ask(): Promise<'up' | string>
  close(): void
}

export interface RedisCheckOptions {
  readonly redis: RedisSettings
  readonly logger: Logger
}

/** In ms. */
const answerMax = 800

/** Has a connection of its own, so that it says what another client would see. */
export function checkRedis({ redis, logger }: RedisCheckOptions): RedisCheck {
  const connection = openRedis({ settings: redis, logger, name: 'sluice-check' })
  return { ask, close: () => connection.close() }

  async function ask(): Promise<string> {
    if (!connection.ready()) return 'There is no connection to Redis.'
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((done) => {
      timer = setTimeout(() => done('Redis is connected and does not answer.'), answerMax)
    })
    try {
      return await Promise.race([healthy(), late])
    } catch {
      return 'Redis does not answer.'
    } finally {
      clearTimeout(timer)
    }
  }

  async function healthy(): Promise<string> {
    const { unfit, full } = await healthOf(connection)
    return unfit ?? full ?? 'up'
  }
}
