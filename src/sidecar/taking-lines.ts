import { parseJson } from '../edge/http/json.ts'
import { parse } from '../edge/http/parse.ts'
import { Fault } from '../faults.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Instant } from '../std/instant.ts'
import { eventOfCloudEvent, oneCloudEvent } from '../wire/cloud-event.ts'
import { usageEventIngestParams } from '../wire/usage-event.ts'
import type { DeadLetters } from './dead-letters.ts'
import type { SpoolFrame } from './frame.ts'
import { sidecarLimits } from './limits.ts'
import type { NumberedLine } from './line-splitting.ts'
import { lineSplitter } from './line-splitting.ts'
import { frameOf } from './receiving.ts'
import type { Spool } from './spool.ts'
import type { RefusalReason } from './verdict.ts'

export interface LineNeeds {
  readonly append: Spool['append']
  readonly deadLetters: Pick<DeadLetters, 'addLine'>
  readonly clock: Clock
  readonly pause: (ms: number) => Promise<void>
  /** Called for each line: its event is in the spool, or it stands among the dead letters. */
  readonly counted: (result: 'taken' | 'refused') => void
}

interface LineWithEvent {
  readonly line: NumberedLine
  readonly frame: SpoolFrame
}

/**
 * Takes the events of a stream, one a line: as the API has them, or as CloudEvents. What cannot be
 * taken stands among the dead letters with the number of its line. A spool that is full, or whose
 * disk fails, holds up the stream. [events#accepted, events#cloudevents]
 */
export async function takeLines(
  stream: AsyncIterable<Uint8Array>,
  { append, deadLetters, clock, pause, counted }: LineNeeds,
): Promise<void> {
  const splitter = lineSplitter(sidecarLimits.lineBytesMax)
  for await (const chunk of stream) await take(splitter.push(chunk))
  const last = splitter.end()
  if (last !== null) await take([last])

  async function take(lines: readonly NumberedLine[]): Promise<void> {
    const at = clock.now()
    let left: LineWithEvent[] = []
    for (const line of lines) {
      if (isBlank(line)) continue
      try {
        left.push({ line, frame: frameIn(line, at) })
      } catch (error) {
        await refuse(line, error)
      }
    }
    while (left.length > 0) {
      left = await kept(left)
      if (left.length > 0) await pause(sidecarLimits.lineRetryMs)
    }
  }

  /** Answers those for which there is no room yet. What comes together is synced together. */
  async function kept(all: readonly LineWithEvent[]): Promise<LineWithEvent[]> {
    const outcomes = await Promise.allSettled(all.map(({ frame }) => append(frame)))
    const later: LineWithEvent[] = []
    for (const [index, one] of all.entries()) {
      const outcome = outcomes[index]
      if (outcome?.status !== 'rejected') counted('taken')
      else if (outcome.reason instanceof Fault && outcome.reason.retriable) later.push(one)
      else await refuse(one.line, outcome.reason)
    }
    return later
  }

  async function refuse(line: NumberedLine, error: unknown): Promise<void> {
    if (!(error instanceof Fault)) throw error
    await deadLetters.addLine(line, reasonOf(error))
    counted('refused')
  }
}

const blank = /^\s*$/

const isBlank = ({ bytes }: NumberedLine): boolean =>
  bytes.length < 16 && blank.test(bytes.toString('latin1'))

/** Throws what the API would answer. */
function frameIn({ bytes, isTooLong }: NumberedLine, at: Instant): SpoolFrame {
  if (isTooLong) {
    throw new Fault(
      'REQUEST_TOO_LARGE',
      `The line is longer than ${sidecarLimits.lineBytesMax} bytes.`,
    )
  }
  const value = parseJson(bytes)
  const event = isCloudEvent(value) ? eventOfCloudEvent(parse(oneCloudEvent, value)) : value
  return frameOf(parse(usageEventIngestParams, { events: [event] }).events, at)
}

const isCloudEvent = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'specversion' in value

/** A line is its event, and no body with a list of them. */
const reasonOf = ({ status, wireCode: code, message }: Fault): RefusalReason => ({
  status,
  code,
  message: message
    .replace(/^events\[0\]\./, '')
    .replace(/^events\[0\] /, 'The line ')
    .replace(/^The body /, 'The line '),
})
