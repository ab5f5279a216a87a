import type { Fleet } from './fleet.ts'
import type { Site } from './host.ts'
import type { DeliveryRow } from './tables.ts'

/** What is still to be done before the world is at rest. */
export function unfinished({ log, store }: Site, fleet: Fleet): () => readonly string[] {
  return () => {
    const tables = store.tables()
    const ruined = fleet.ruined()
    const left: string[] = []
    for (let partition = 0; partition < log.partitions; partition += 1) {
      const row = tables.checkpoints.get(partition)
      const { end } = log.bounds(partition)
      if (row?.halted != null) {
        // A log that was made anew is another log, so any partition of it may be halted.
        const mayStay = ruined.has(partition) || fleet.wasRemade()
        if (!mayStay) left.push(`${partition} is halted for what is over`)
      } else if (ruined.has(partition)) left.push(`${partition} is not halted`)
      else if ((row?.nextOffset ?? 0) < end)
        left.push(`${partition} is measured to ${row?.nextOffset ?? 0} of ${end}`)
    }
    if (tables.unsettled.size > 0) left.push(`${tables.unsettled.size} words to settling`)
    if (tables.outbox.size > 0) left.push(`${tables.outbox.size} facts in the outbox`)
    const waiting = [...tables.deliveries.values()].filter(isPending).length
    if (waiting > 0) left.push(`${waiting} deliveries`)
    return left
  }
}

/** One that failed a while ago is told in the course of hours: nobody waits for it here. */
export const isPending = ({ nextAt, attempts }: DeliveryRow): boolean =>
  nextAt !== null && attempts < 2
