import type { EventLog, LogOrigin } from '../port.ts'
import { continuedIdentity, offsetsOf } from './offsets.ts'

/** The log as it goes on from `origin`. */
export function continuedLog(log: EventLog, origin: LogOrigin): EventLog {
  const { shown } = offsetsOf(origin)
  return {
    partitions: log.partitions,
    identity: continuedIdentity(log.identity),
    formerly: origin.formerly,
    async append(records) {
      const offsets = await log.append(records)
      return offsets.map((offset, index) => shown(records[index]?.partition ?? 0, offset))
    },
    lacks: () => log.lacks?.() ?? null,
    close: () => log.close(),
  }
}
