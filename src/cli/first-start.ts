import type { Addresses } from '../compose/parts.ts'
import type { Store } from '../compose/store.ts'
import { createUser } from '../operations/users/create-user.ts'
import { systemClock } from '../runtime/clock.ts'
import { randomIds } from '../runtime/ids.ts'
import type { Logger } from '../runtime/logger.ts'
import type { Sample } from './sample.ts'
import { createSample } from './sample.ts'
import { setupUrlOf } from './setup-url.ts'

/** The sample, and a way for its owner into the console. */
export interface FirstStart extends Sample {
  readonly email: string
  /** Of the link that chooses a password: shown once. */
  readonly setupWord: string
}

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

/** Two commands to paste: one sends usage, one reads the balance. */
export function linesOfSample(
  sample: FirstStart | null,
  addresses: Addresses | null,
): readonly string[] {
  if (sample === null) return []
  const { businessId, apiKey, customerId, creditEntitlementId } = sample
  const greeting = [
    '',
    `This is the first start: there is a business now, ${businessId}, with a customer who has 1000`,
    'credits, and a key for test mode. The key is shown this once:',
    '',
    `  ${apiKey}`,
  ]
  if (addresses === null) return greeting
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`
  const event = JSON.stringify({
    event_id: 'first-1',
    customer_id: customerId,
    event_name: sample.eventName,
    metadata: { [sample.quantityKey]: 25_000 },
  })
  const balance = `/credit-entitlements/${creditEntitlementId}/balances/${customerId}`
  return [
    ...greeting,
    '',
    'Paste this to use up 25 credits (25 000 tokens; sent twice, it still counts once):',
    '',
    `  curl -s ${addresses.test}/events/ingest ${authorization} -H 'Content-Type: application/json' -d '{"events":[${event}]}'`,
    '',
    'and this to see the balance:',
    '',
    `  curl -s ${addresses.test}${balance} ${authorization}`,
    '',
    `The console is at ${addresses.test}/console. This link, which works once and for a day, chooses`,
    `the password of ${sample.email}:`,
    '',
    `  ${setupUrlOf(addresses.test, sample.setupWord)}`,
    '',
  ]
}
