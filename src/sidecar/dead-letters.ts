import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import type { Clock } from '../runtime/clock.ts'
import { formatInstant } from '../std/instant.ts'
import { sidecarLimits } from './limits.ts'
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
  const file = await open(path, 'a+', 0o600)
  await mendEnd(file)
  let last: Promise<unknown> = Promise.resolve()
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

  /** One after the other: a stream and the gateway may refuse at once. */
  function write(text: string): Promise<void> {
    const written = last.then(() => append(file, text))
    last = written.catch(() => undefined)
    return written
  }
}

/** A full disk may take a part of it: what is not whole must not stay. */
async function append(file: FileHandle, text: string): Promise<void> {
  // People may have emptied the file meanwhile.
  const { size } = await file.stat()
  try {
    await file.appendFile(text)
    await file.datasync()
  } catch (error) {
    await file.truncate(size).catch(() => undefined)
    throw error
  }
}

/** Ends the last line, or cuts off what a crash left of one: its event is still in the spool. */
async function mendEnd(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const from = Math.max(0, size - 2 * sidecarLimits.lineBytesMax)
  const bytes = Buffer.alloc(size - from)
  await file.read(bytes, 0, bytes.length, from)
  const start = bytes.lastIndexOf(10) + 1
  const line = bytes.toString('utf8', start)
  if (line === '') return
  const isCut = line.startsWith('{"refused_at"') && !isJson(line)
  if (isCut) await file.truncate(from + start)
  else await file.appendFile('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
