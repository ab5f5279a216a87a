import type { Catalogue } from './catalogue.ts'
import type { EventMaker } from './events.ts'
import type { Random } from './random.ts'

/** A request that must be refused as a whole, and the ids in it that must not come into being. */
export interface InvalidRequest {
  readonly body: object
  readonly ids: readonly string[]
}

/** Batches with one thing wrong. [events#accepted] */
export function invalidRequests(
  name: string,
  catalogue: Catalogue,
  random: Random,
): (maker: EventMaker) => InvalidRequest {
  let number = 0
  return (maker) => {
    number += 1
    const batch: object[] = maker.batch(5)
    const ids = batch.map((event) => ('event_id' in event ? String(event.event_id) : ''))
    const good = { event_name: 'completion', customer_id: catalogue.solo.id }
    const id = `invalid-${name}-${number}`
    const wrong = random.pick<object>([
      { ...good, event_id: id, customer_id: 'cus_nobody' },
      { ...good, event_id: id, timestamp: '2001-01-01T00:00:00Z' },
      { ...good, event_id: id, timestamp: 'yesterday' },
      { ...good, event_id: ids[0] },
      { ...good, event_id: id, metadata: { size: 1e21 } },
      { ...good, event_id: id, metadata: { a: { b: { c: { d: { e: 1 } } } } } },
      { ...good },
    ])
    const events = random.chance(0.5) ? [...batch, wrong] : [batch[0], wrong, ...batch.slice(1)]
    return { body: { events }, ids: [...ids, id] }
  }
}
