import { Fault } from '../../../src/faults.ts'
import type { EventLog, NewRecord, Offset } from '../../../src/parts/event-log/port.ts'

/** An event log that keeps its records in arrays, for tests of what appends to it. */
export interface MemoryEventLog extends EventLog {
  readonly records: readonly NewRecord[]
  readonly appends: number
  /** The most appends that were under way at once. */
  readonly inFlightMax: number
  /** Makes so many of the next appends fail. */
  fail(times: number): void
  hold(): void
  release(): void
  /** Every line of every record, parsed. */
  lines(): readonly Record<string, unknown>[]
  clear(): void
}

export function memoryEventLog(partitions = 4, identity = 'log.1'): MemoryEventLog {
  let records: NewRecord[] = []
  const next = new Map<number, Offset>()
  let [failures, appends, inFlight, inFlightMax] = [0, 0, 0, 0]
  let gate: Promise<void> = Promise.resolve()
  let open: () => void = () => undefined
  return {
    partitions,
    identity,
    get records() {
      return records
    },
    get appends() {
      return appends
    },
    get inFlightMax() {
      return inFlightMax
    },
    append,
    fail: (times) => {
      failures = times
    },
    hold: () => {
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    release: () => open(),
    lines: () => records.flatMap(linesOf),
    clear: () => {
      records = []
      appends = 0
    },
    close: () => Promise.resolve(),
  }

  async function append(added: readonly NewRecord[]): Promise<readonly Offset[]> {
    appends += 1
    inFlight += 1
    inFlightMax = Math.max(inFlightMax, inFlight)
    await gate
    await new Promise((resolve) => setImmediate(resolve))
    inFlight -= 1
    if (failures > 0) {
      failures -= 1
      throw new Fault('UNAVAILABLE', 'The log is away.', { retryAfterSeconds: 2 })
    }
    return added.map((record) => {
      records.push({ ...record, value: Uint8Array.from(record.value) })
      const offset = next.get(record.partition) ?? 0
      next.set(record.partition, offset + 1)
      return offset
    })
  }
}

export function linesOf(record: NewRecord): readonly Record<string, unknown>[] {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(record.value)
  if (!text.endsWith('\n')) throw new Error('A record must end with its last line.')
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
