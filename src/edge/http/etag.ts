import { createHash } from 'node:crypto'
import type { Reply, Request } from './route.ts'
import { varyingHeaders } from './zipped.ts'

/**
 * The tag of an answer that is the same for everybody until the program changes. A weak one: it
 * names what is said, whether that goes out as it is or compressed. [RFC 9110, 8.8.1]
 */
export const etagOf = (text: string | Uint8Array): string => `W/"${digestOf(text)}"`

/** The beginning of a text's tag, for the address of the text: another text has another one. */
export const versionOf = ({ headers }: Reply): string =>
  opaqueOf(headers?.['ETag'] ?? '').slice(1, 13)

/**
 * 304 where the caller has the answer already; its headers must have its `ETag`. They are those
 * that the answer itself would have. [RFC 9110, 15.4.5]
 */
export function unlessKnown(request: Pick<Request, 'header'>, reply: Reply): Reply {
  const etag = reply.headers?.['ETag']
  const known = request.header('if-none-match')
  if (known === null || etag === undefined || !isNamed(etag, known)) return reply
  return { status: 304, headers: varyingHeaders(reply) }
}

/** `*`, or a list that has it; weak is as good as strong here. [RFC 9110, 13.1.2] */
const isNamed = (etag: string, list: string): boolean =>
  list.trim() === '*' || list.split(',').some((each) => opaqueOf(each.trim()) === opaqueOf(etag))

const opaqueOf = (tag: string): string => tag.replace(/^W\//, '')

const digestOf = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('base64url')
