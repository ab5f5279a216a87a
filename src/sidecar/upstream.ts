import type { ClientRequest, IncomingMessage } from 'node:http'
import * as http from 'node:http'
import * as https from 'node:https'
import { sidecarLimits } from './limits.ts'
import type { UpstreamAnswer } from './verdict.ts'

/** The gateway that events go to. */
export interface Upstream {
  /**
   * Sends a body to its `POST /events/ingest`, with these headers besides its own. Rejects where no
   * answer comes in time: then nobody knows whether the gateway took the events, and the caller
   * sends the same ids again.
   */
  send(body: string, more: Readonly<Record<string, string>>): Promise<UpstreamAnswer>
  close(): void
}

export interface UpstreamOptions {
  /** The gateway's base URL. */
  readonly url: string
  /** Called for each request, since the file that holds the key may have changed. */
  readonly key: () => string
  readonly answerMs?: number
}

/** Keeps one connection. When that has ended, the next one looks the gateway's name up again. */
export function openUpstream({
  url,
  key,
  answerMs = sidecarLimits.answerMs,
}: UpstreamOptions): Upstream {
  const target = new URL(`${url.replace(/\/+$/, '')}/events/ingest`)
  const { Agent, request } = target.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return { send, close: () => agent.destroy() }

  function send(body: string, more: Readonly<Record<string, string>>): Promise<UpstreamAnswer> {
    const bytes = Buffer.from(body)
    const headers = {
      authorization: `Bearer ${key()}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
      ...more,
    }
    return new Promise((resolve, reject) => {
      const sent = request(target, { method: 'POST', agent, headers })
      // For the whole exchange: a gateway that sends a byte a second must not hold up all events.
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
    refused: headers['sluice-refused']?.toString() ?? null,
  }
}
