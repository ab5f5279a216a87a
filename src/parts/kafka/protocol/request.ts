import type { WireWriter } from './wire.ts'
import { WireReader } from './wire.ts'

/** One request of Kafka's protocol, in one version, and how its answer is read. */
export interface WireRequest<Answer> {
  readonly name: string
  readonly key: number
  readonly version: number
  /** Whether this version has tagged fields in its headers. */
  readonly flexible?: boolean
  /** About how long the request gets, so that its bytes are not copied as it grows. */
  readonly bytes?: number
  encode(writer: WireWriter): void
  decode(reader: WireReader): Answer
}

/** The most that a request takes besides what `encode` writes, for a short client id. */
export const headBytes = 256

export interface RequestHead {
  /** The number that comes back with the answer. */
  readonly correlation: number
  readonly clientId: string
}

/** Writes a whole request: its length, its head and its body. */
export function writeRequest<Answer>(
  writer: WireWriter,
  request: WireRequest<Answer>,
  { correlation, clientId }: RequestHead,
): void {
  writer.int32(0).int16(request.key).int16(request.version).int32(correlation).text(clientId)
  if (request.flexible === true) writer.unsigned(0)
  request.encode(writer)
  writer.patch32(0, writer.length - 4)
}

/** Reads an answer behind its correlation id. Throws the KafkaError that the answer may be. */
export function readAnswer<Answer>(request: WireRequest<Answer>, payload: Buffer): Answer {
  const reader = new WireReader(payload)
  if (request.flexible === true) reader.tags()
  return request.decode(reader)
}
