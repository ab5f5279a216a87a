import type { ClientRequest, IncomingMessage } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { sidecarLimits } from './limits.ts'
import type { UpstreamAnswer } from './verdict.ts'

/** The gateway that events go to. */
export interface Upstream {
  /**
   * Sends a body to its ingest. Rejects where there is no answer in time: then nobody knows whether
   * the events were taken, and the same ids are sent again.
   */
  send(body: string): Promise<UpstreamAnswer>
  close(): void
}

export interface UpstreamOptions {
  /** Its base URL. */
  readonly url: string
  /** Asked for each request: a key in a file may be another one by then. */
  readonly key: () => string
  readonly answerMs?: number
}

/** One connection that is kept: names are looked up again whenever it has ended. */
export function openUpstream({
  url,
  key,
  answerMs = sidecarLimits.answerMs,
}: UpstreamOptions): Upstream {
  const target = new URL(`${url.replace(/\/+$/, '')}/events/ingest`)
  const { Agent, request } = target.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return { send, close: () => agent.destroy() }

  function send(body: string): Promise<UpstreamAnswer> {
    const bytes = Buffer.from(body)
    const headers = {
      authorization: `Bearer ${key()}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
    }
    return new Promise((resolve, reject) => {
      const sent = request(target, { method: 'POST', agent, headers })
      // Of the whole exchange: a gateway that sends a byte a second must not hold all events up.
      const timer = setTimeout(() => {
        sent.destroy(new Error(`There is no answer within ${answerMs} ms.`))
      }, answerMs)
      answerTo(sent).then(resolve, reject)
      sent.once('close', () => clearTimeout(timer))
      sent.end(bytes)
    })
  }
}

function answerTo(sent: ClientRequest): Promise<UpstreamAnswer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.once('response', (response) => {
      read(response).then(resolve, (error: unknown) => {
        sent.destroy()
        reject(error)
      })
    })
  })
}

async function read(response: IncomingMessage): Promise<UpstreamAnswer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > sidecarLimits.answerBytesMax) throw new Error('The answer is too long.')
    chunks.push(chunk)
  }
  const { headers, statusCode = 0 } = response
  return {
    status: statusCode,
    text: Buffer.concat(chunks).toString('utf8'),
    retryAfter: headers['retry-after'] ?? null,
    backfill: headers['sluice-backfill']?.toString() ?? null,
  }
}
