import { cloudEvents, eventOfCloudEvent, oneCloudEvent } from '../../wire/cloud-event.ts'
import { parse } from '../http/parse.ts'
import type { Request } from '../http/route.ts'

const structured = 'application/cloudevents+json'
const batched = 'application/cloudevents-batch+json'

/** Media types of the ingest besides JSON. */
export const cloudEventMedia: readonly string[] = [structured, batched]

/** The binary mode, where headers say what an event is: its data, the body, may be left out. */
export const isBinaryMode = (header: Request['header']): boolean =>
  !isCloudEvents(header) && (header('ce-specversion') !== null || header('ce-id') !== null)

/** Whether a request holds CloudEvents, in whichever mode. */
export const isCloudEvent = (header: Request['header']): boolean =>
  isCloudEvents(header) || isBinaryMode(header)

const isCloudEvents = (header: Request['header']): boolean =>
  /^application\/cloudevents/i.test(header('content-type') ?? '')

/**
 * The body of an ingest: as it is, or made of the CloudEvents that it holds, by the content type;
 * in the binary mode the body is the data, and headers say the rest. Throws INVALID_REQUEST_BODY.
 * [events#cloudevents]
 */
export function ingestBodyOf({ body, header }: Pick<Request, 'body' | 'header'>): unknown {
  if (isCloudEvents(header)) {
    const isBatch = /^application\/cloudevents-batch/i.test(header('content-type') ?? '')
    const events = isBatch ? parse(cloudEvents, body) : [parse(oneCloudEvent, body)]
    return { events: events.map(eventOfCloudEvent) }
  }
  if (!isBinaryMode(header)) return body
  const attributes = ['specversion', 'id', 'source', 'type', 'subject', 'time'].flatMap((name) => {
    const value = header(`ce-${name}`)
    return value === null ? [] : [[name, unescaped(value)]]
  })
  const event = { ...Object.fromEntries(attributes), data: body }
  return { events: [eventOfCloudEvent(parse(oneCloudEvent, event))] }
}

/**
 * Headers carry what is no printable ASCII as percent-encoded UTF-8. Older clients quote a value
 * with blanks in it; an encoded one is never quoted.
 */
function unescaped(value: string): string {
  const quoted = /^"(.*)"$/.exec(value)?.[1]
  const plain = quoted === undefined ? value : quoted.replace(/\\(.)/g, '$1')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
