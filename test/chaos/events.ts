import type { Catalogue, Customer } from './catalogue.ts'
import type { SentEvent } from './model.ts'
import type { Random } from './random.ts'

/** Makes usage events with new ids, mostly for a few busy customers. */
export interface EventMaker {
  batch(most: number): SentEvent[]
  /** Events of one customer, all of which are charged. */
  batchFor(customer: Customer, most: number): SentEvent[]
  /** The same id with other content, which must not matter, because the id is known. */
  disguised(event: SentEvent): SentEvent
}

export function eventMaker(name: string, catalogue: Catalogue, random: Random): EventMaker {
  let number = 0
  const startedMs = Date.now()
  return { batch, batchFor, disguised }

  function batch(most: number): SentEvent[] {
    return Array.from({ length: 1 + random.below(most) }, () => event(customer()))
  }

  function batchFor(customer: Customer, most: number): SentEvent[] {
    return Array.from({ length: 1 + random.below(most) }, () => event(customer))
  }

  function disguised(event: SentEvent): SentEvent {
    const metadata = { tokens: 9_999_999, seats: 9_999_999, bytes: '9999999', model: 'large' }
    const { event_id, event_name, timestamp } = event
    const other = { event_id, event_name, customer_id: customer().id, metadata }
    return timestamp === undefined ? other : { ...other, timestamp }
  }

  /** Chooses a customer; each is half as busy as the one before. */
  function customer(): Customer {
    const { customers } = catalogue
    const place = Math.min(Math.floor(-Math.log2(1 - random.next())), customers.length - 1)
    return customers[place] ?? catalogue.solo
  }

  function event({ id }: Customer): SentEvent {
    number += 1
    const common = { event_id: `${name}-${number}`, customer_id: id }
    const kind = random.next()
    if (kind < 0.6) return { ...common, event_name: 'completion', ...when(0.4), metadata: tokens() }
    if (kind < 0.75) {
      const metadata = { seats: 1 + random.below(400) }
      return { ...common, event_name: 'seats', ...when(1), metadata }
    }
    if (kind < 0.97) {
      const metadata = { bytes: `${random.below(5_000)}.${1 + random.below(9)}` }
      return { ...common, event_name: 'transfer', ...when(1), metadata }
    }
    return { ...common, event_name: 'of no meter', metadata: {} }
  }

  function tokens(): SentEvent['metadata'] {
    const model = random.pick(['large', 'large', 'small'])
    const kind = random.next()
    if (kind < 0.05) return { model, tokens: 'many' }
    if (kind < 0.1) return { model }
    return { model, tokens: kind < 0.5 ? random.below(4_000) : `${random.below(4_000)}.25` }
  }

  /** Sometimes a time before the subscriptions began, if that is not too old to be accepted. */
  function when(share: number): { readonly timestamp?: string } {
    if (!random.chance(share)) return {}
    const early = Date.now() - startedMs < 15 * 60_000 && random.chance(0.05)
    const ms = early
      ? startedMs - Math.floor(random.between(20, 30) * 60_000)
      : Date.now() - random.below(30_000)
    const micro = String(number % 1_000).padStart(3, '0')
    return { timestamp: new Date(ms).toISOString().replace('Z', `${micro}Z`) }
  }
}
