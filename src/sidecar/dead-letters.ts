import { open } from 'node:fs/promises'
import type { Clock } from '../runtime/clock.ts'
import { formatInstant } from '../std/instant.ts'
import type { RefusalReason } from './verdict.ts'

/**
 * Events that the gateway refused for good, each with the reason, for people to read and send
 * again.
 */
export interface DeadLetters {
  /**
   * Resolves when they are on the disk. After a crash at the wrong moment an event may stand there
   * twice.
   */
  add(lines: readonly string[], reason: RefusalReason): Promise<void>
  close(): Promise<void>
}

/** A file of lines `{"refused_at","reason":{"status","code","message"},"event"}`. */
export async function openDeadLetters(path: string, clock: Clock): Promise<DeadLetters> {
  const file = await open(path, 'a', 0o600)
  return { add, close: () => file.close() }

  async function add(lines: readonly string[], reason: RefusalReason): Promise<void> {
    const start = `{"refused_at":"${formatInstant(clock.now())}","reason":${JSON.stringify(reason)}`
    await file.appendFile(lines.map((line) => `${start},"event":${line}}\n`).join(''))
    await file.datasync()
  }
}
