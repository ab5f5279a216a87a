import type { Store } from '../compose/store.ts'
import { createUser } from '../operations/users/create-user.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import type { Logger } from '../runtime/logger.ts'
import type { FirstStart } from './first-lines.ts'
import { createSample } from './sample.ts'

/** What the first start on an empty embedded store makes; null when there is a business already. */
export async function firstStart(store: Store, logger: Logger): Promise<FirstStart | null> {
  if (await store.businesses.any()) return null
  const ports = { ...store, clock: systemClock(), newId: randomIds(), logger }
  const sample = await createSample(ports, {
    businessName: 'Sample business',
    keyName: 'first start',
    credits: '1000',
  })
  const { businessId } = sample
  const email = 'owner@localhost'
  const wanted = { businessId, email, name: null, role: 'owner' } as const
  const { setupWord } = await createUser(ports, wanted)
  return { ...sample, email, setupWord }
}
