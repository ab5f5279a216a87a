import { createHash } from 'node:crypto'
import type { Reply, Request } from './route.ts'

/** The tag of an answer that is the same for everybody until the program changes. */
export const etagOf = (text: string | Uint8Array): string =>
  `"${createHash('sha256').update(text).digest('base64url')}"`

/** 304 where the caller has the answer already; its headers must have its `ETag`. */
export function unlessKnown(request: Pick<Request, 'header'>, reply: Reply): Reply {
  const { headers = {} } = reply
  const [known, etag] = [request.header('if-none-match'), headers['ETag']]
  if (known === null || etag === undefined || !isNamed(etag, known)) return reply
  return { status: 304, headers }
}

/** `*`, or a list that has it; weak is as good as strong here. [RFC 9110, 13.1.2] */
const isNamed = (etag: string, list: string): boolean =>
  list.trim() === '*' || list.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)
