import type { NewRecord } from '../../../src/parts/event-log/port.ts'

/** The record that `seed` stands for: any process can tell whether its bytes are still right. */
export function recordOf(seed: number, partitions: number): NewRecord {
  const length = 1 + ((seed * 7_919) % 9_000)
  const value = Buffer.alloc(length)
  value.writeUIntLE(seed % 256, 0, 1)
  for (let at = 1; at < length; at += 1) value[at] = (seed * 31 + at * 17) & 255
  return { partition: seed % partitions, value, events: 1 + (seed % 1_000) }
}
