import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { limits } from '../limits.ts'
import { sign } from '../operations/webhooks/signature.ts'
import type { Clock } from '../runtime/clock.ts'
import { second } from '../std/instant.ts'

/** How a local server took one message. */
export interface Forwarded {
  readonly status: number | null
  /** Of the last attempt. */
  readonly latencyMs: number
  readonly attempts: number
  /** Why it failed; null: it did not. */
  readonly error: string | null
}

export interface ForwardNeeds {
  readonly url: string
  readonly secret: Uint8Array
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Called when nobody listens there: it is waited for. */
  readonly away: (reason: string) => void
}

/** The waits between attempts that were answered, and not by 2xx. [webhooks#listen] */
const waitsMs = [1_000, 2_000, 4_000]

/** How soon, and how seldom at the most, a server that is away is tried again. */
const awayMs = { first: 250, max: 2_000 }

/**
 * Posts a message as an endpoint would get it, until it is taken or the waits are over; null: the
 * signal ended it.
 */
export async function forward(
  needs: ForwardNeeds,
  message: { readonly id: string; readonly body: string },
): Promise<Forwarded | null> {
  let [attempts, awayFor] = [0, 0]
  for (;;) {
    const tried = await post(needs, message)
    if (needs.signal.aborted) return null
    attempts += 1
    if (tried.isAway) {
      if (awayFor === 0) needs.away(tried.error ?? '')
      await rest(Math.min(awayMs.max, awayMs.first * 2 ** awayFor), needs.signal)
      awayFor += 1
      // Nobody was there to refuse it.
      attempts -= 1
    } else {
      const waitMs = waitsMs[attempts - 1]
      const { status, latencyMs, error } = tried
      if (error === null || waitMs === undefined) return { status, latencyMs, attempts, error }
      await rest(waitMs, needs.signal)
    }
    if (needs.signal.aborted) return null
  }
}

interface Tried extends Omit<Forwarded, 'attempts'> {
  /** There was no answer, nor anybody who took long for one. */
  readonly isAway: boolean
}

async function post(
  { url, secret, clock, signal }: ForwardNeeds,
  { id, body }: { readonly id: string; readonly body: string },
): Promise<Tried> {
  const timestamp = Math.floor(clock.now() / second)
  const began = performance.now()
  const tooLong = AbortSignal.timeout(limits.webhookTimeoutMs)
  try {
    const headers = {
      'user-agent': 'Sluice-Webhooks/1',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secret, { id, timestamp, body }),
    }
    const status = await answered(url, {
      headers,
      body,
      signal: AbortSignal.any([signal, tooLong]),
    })
    const error = status >= 200 && status <= 299 ? null : `status ${status}`
    return { status, latencyMs: passed(began), error, isAway: false }
  } catch (failure) {
    const error = tooLong.aborted ? 'no answer in time' : reasonOf(failure)
    return { status: null, latencyMs: passed(began), error, isAway: !tooLong.aborted }
  }
}

interface Posting {
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: string
  readonly signal: AbortSignal
}

/**
 * The status of an answer that was read to its end, as for an endpoint: only then was it one. Not
 * by `fetch`, which never connects to some ports, such as 6000 and 10080, as if nobody were there.
 */
function answered(url: string, { headers, body, signal }: Posting): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest
    const sending = request(url, { method: 'POST', agent: false, headers, signal })
    sending.on('error', reject)
    sending.on('response', (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sending.end(body)
  })
}

const passed = (began: number): number => Math.round(performance.now() - began)

function reasonOf(failure: unknown): string {
  if (failure instanceof Error && 'code' in failure) return String(failure.code)
  return failure instanceof Error ? failure.message : String(failure)
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
