import { Fault } from '../../faults.ts'
import type { Scope } from '../../parts/store/scope.ts'
import type { StreamHead, WebhookStreams } from '../../parts/store/webhook-streams.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { NewId } from '../../std/id.ts'

export interface StreamPlaceNeeds {
  readonly streams: WebhookStreams
  readonly clock: Clock
  readonly newId: NewId
}

/** Where a reader of a stream goes on: behind the message of that number. */
export interface StreamPlace {
  readonly streamId: string
  readonly number: number
}

/**
 * The place that a reader names, or the end of the stream; from now on facts are kept for it.
 *
 * @throws Fault LAST_EVENT_ID_IS_GONE where the reader would have a gap, or the place is not of
 * this business and mode; INVALID_REQUEST_PARAMETERS where it is none at all. [webhooks#stream]
 */
export async function streamPlace(
  ports: StreamPlaceNeeds,
  scope: Scope,
  lastEventId: string | null,
): Promise<StreamPlace> {
  if (lastEventId !== null && !/^[\w.-]{1,100}$/.test(lastEventId)) throw unreadable()
  const { streams, clock, newId } = ports
  const head = await streams.keep(scope, newId('whs'), clock.now())
  const { streamId, last } = head
  const number = lastEventId === null ? last : await numberNamed(streams, head, lastEventId)
  if (number === null || number > last) throw gone()
  if (number < last) {
    const [next] = await streams.after(scope, number, { types: [], limit: 1 })
    if (next?.number !== number + 1) throw gone()
  }
  return { streamId, number }
}

/** What a reader comes back with who has seen no message since: a place between messages. */
export const placeText = ({ streamId, number }: StreamPlace): string => `${streamId}.${number}`

function numberNamed(
  streams: WebhookStreams,
  head: StreamHead,
  lastEventId: string,
): Promise<number | null> {
  const [, streamId, number] = /^(whs_[\w-]+)\.(\d{1,15})$/.exec(lastEventId) ?? []
  if (streamId === undefined) return streams.numberOf(head, lastEventId)
  return Promise.resolve(streamId === head.streamId ? Number(number) : null)
}

const unreadable = (): Fault =>
  new Fault(
    'INVALID_REQUEST_PARAMETERS',
    'Last-Event-ID must be the id of an event of this stream, or be left out.',
  )

const gone = (): Fault =>
  new Fault(
    'LAST_EVENT_ID_IS_GONE',
    'What came after this Last-Event-ID is not kept any more (WEBHOOK_RETENTION), or it is of no event of this business and mode. Leave it out to go on with what happens from now on.',
  )
