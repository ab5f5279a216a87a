import type { Addresses } from '../compose/parts.ts'
import type { Sample } from './sample.ts'
import { setupUrlOf } from './setup-url.ts'

/** The sample, and a way for its owner into the console. */
export interface FirstStart extends Sample {
  readonly email: string
  /** Of the link that chooses a password: shown once. */
  readonly setupWord: string
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
