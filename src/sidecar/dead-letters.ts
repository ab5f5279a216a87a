import { open } from 'node:fs/promises'
import type { Clock } from '../runtime/clock.ts'
import { formatInstant } from '../std/instant.ts'
import type { NumberedLine } from './line-splitting.ts'
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
  /** The same for a line of a stream that holds no event: it stands there as text, if not whole. */
  addLine(line: NumberedLine, reason: RefusalReason): Promise<void>
  close(): Promise<void>
}

/**
 * A file of lines `{"refused_at","reason":{"status","code","message"},"event"}`; in place of the
 * event `"line"`, its number, and `"text"`.
 */
export async function openDeadLetters(path: string, clock: Clock): Promise<DeadLetters> {
  const file = await open(path, 'a', 0o600)
  return { add, addLine, close: () => file.close() }

  function add(lines: readonly string[], reason: RefusalReason): Promise<void> {
    const start = startOf(reason)
    return write(lines.map((line) => `${start},"event":${line}}\n`).join(''))
  }

  function addLine({ number, bytes }: NumberedLine, reason: RefusalReason): Promise<void> {
    const text = JSON.stringify(bytes.toString('utf8'))
    return write(`${startOf(reason)},"line":${number},"text":${text}}\n`)
  }

  function startOf(reason: RefusalReason): string {
    return `{"refused_at":"${formatInstant(clock.now())}","reason":${JSON.stringify(reason)}`
  }

  async function write(text: string): Promise<void> {
    await file.appendFile(text)
    await file.datasync()
  }
}
