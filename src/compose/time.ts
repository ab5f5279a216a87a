import { believedTimes } from '../parts/store/postgres/usage/believed-time.ts'
import type { TimeKeeping } from '../runtime/keeping-time.ts'
import { keepTime } from '../runtime/keeping-time.ts'
import { machineStart, machineTime } from '../runtime/machine-time.ts'
import { second } from '../std/instant.ts'
import type { MainNeeds } from './parts.ts'

type Needs = Pick<MainNeeds, 'store' | 'logger' | 'metrics' | 'checks' | 'life'>

/** From here on all threads of the process go by the same time. [guarantees#clocks] */
export async function openTime(parts: Needs): Promise<TimeKeeping> {
  const { store, logger, metrics, checks, life } = parts
  const time = await keepTime({
    machine: machineTime(),
    store: believedTimes(store.db, await machineStart()),
    logger,
    differs: (clock, ahead) => metrics.clockAhead.set(ahead / second, { clock }),
  })
  life.own('time', async () => time.close())
  checks.register('clock', time.check)
  return time
}
