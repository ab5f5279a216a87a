import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { RecordableHistogram } from 'node:perf_hooks'
import { createHistogram } from 'node:perf_hooks'
import type { Body, Workload } from '../harness/workload.ts'
import { bodiesOf, number } from '../harness/workload.ts'
import type { Against } from './options.ts'

/** What came of a run. Times are in microseconds. */
export interface Outcome {
  readonly requests: number
  /** Answers by status; 0: none came. */
  readonly statuses: ReadonlyMap<number, number>
  /** From the moment at which a request was due, so that a server that stalls is not spared. */
  readonly fromDue: RecordableHistogram
  /** From the moment at which it was sent: what a client sees that waits for each answer. */
  readonly fromSent: RecordableHistogram
  /** Until the last answer. */
  readonly seconds: number
}

/** How old the timestamps of events may become before bodies are made anew. */
const freshMs = 60_000
const answerMs = 60_000

/**
 * Sends at an even rate, whether or not earlier requests are answered. Nothing is sent a second
 * time: a refusal is counted, and the next request comes when it is due.
 */
export function openLoop(
  asked: Against,
  customers: readonly string[],
  idPrefix: string,
): Promise<Outcome> {
  const send = sender(asked)
  const fresh = freshBodies(asked, customers, idPrefix)
  const everyMs = (asked.batch / asked.rate) * 1_000
  const total = Math.max(1, Math.round((asked.seconds * 1_000) / everyMs))
  const statuses = new Map<number, number>()
  const [fromDue, fromSent] = [createHistogram(), createHistogram()]
  const startedAt = performance.now()
  let [due, flying, answered] = [0, 0, 0]
  const waiting: number[] = []
  return new Promise((done) => {
    const timer = setInterval(tick, 1)

    function tick(): void {
      const elapsed = performance.now() - startedAt
      for (; due < total && due * everyMs <= elapsed; due += 1) waiting.push(due)
      while (flying < asked.connections && waiting.length > 0) fire(waiting.shift() ?? 0)
    }

    function fire(index: number): void {
      const { bytes } = fresh(index)
      const sentAt = performance.now()
      flying += 1
      send(bytes, (status) => {
        const now = performance.now()
        fromDue.record(micros(now - startedAt - index * everyMs))
        fromSent.record(micros(now - sentAt))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        flying -= 1
        answered += 1
        if (answered === total) end(now)
        else tick()
      })
    }

    function end(now: number): void {
      clearInterval(timer)
      const seconds = (now - startedAt) / 1_000
      done({ requests: total, statuses, fromDue, fromSent, seconds })
    }
  })
}

const micros = (ms: number): number => Math.max(1, Math.round(ms * 1_000))

/** Calls `answered` once for each request, with 0 where no answer came. */
function sender({ url, key, connections }: Against) {
  const isTls = url.startsWith('https:')
  const pool = { keepAlive: true, maxSockets: connections }
  const agent = isTls ? new TlsAgent(pool) : new PlainAgent(pool)
  const make = isTls ? tlsRequest : plainRequest
  return (bytes: Buffer, answered: (status: number) => void): void => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': bytes.length,
    }
    let told = false
    const tell = (status: number): void => {
      if (!told) answered(status)
      told = true
    }
    const options = { method: 'POST', agent, headers, timeout: answerMs }
    const sent = make(`${url}/events/ingest`, options, (response) => {
      response.once('end', () => tell(response.statusCode ?? 0))
      response.once('close', () => tell(0))
      response.resume()
    })
    sent.once('timeout', () => sent.destroy())
    sent.once('error', () => tell(0))
    sent.end(bytes)
  }
}

/** The body of the n-th request, with ids of its own and timestamps of this minute. */
function freshBodies(asked: Against, customers: readonly string[], idPrefix: string) {
  const { batch, eventName } = asked
  let [madeAt, bodies] = [Number.NEGATIVE_INFINITY, [] as readonly Body[]]
  return (index: number): Pick<Body, 'bytes'> => {
    const now = performance.now()
    if (now - madeAt > freshMs) {
      const timestamp = new Date(performance.timeOrigin + now).toISOString()
      const workload: Workload = { customers, eventName, timestamp, idPrefix, batch }
      madeAt = now
      bodies = bodiesOf(workload)
    }
    const body = bodies[index % bodies.length]
    if (body === undefined) throw new Error('There are no bodies.')
    // A copy: earlier requests may still be on their way.
    const own = { bytes: Buffer.from(body.bytes), places: body.places }
    number(own, index * batch)
    return own
  }
}
