import { createHistogram } from 'node:perf_hooks'
import type { Connection } from './connection.ts'
import { openConnection } from './connection.ts'
import type { FromLoad, LoadMark, LoadOrder, ToLoad } from './load-protocol.ts'
import type { Body } from './workload.ts'
import { bodiesOf, noUsage, number, usageSum } from './workload.ts'

// The load generator: a process of its own, so that its CPU is not counted as the server's.
process.on('message', (message: ToLoad) => {
  if (message.kind === 'begin') begin(message.order)
})
// Without its parent nothing would ever stop it.
process.on('disconnect', () => process.exit(1))
tell({ kind: 'ready' })

function tell(message: FromLoad): void {
  process.send?.(message)
}

function fail(error: unknown): void {
  tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
  setTimeout(() => process.exit(1), 200)
}

/** A request of one connection, head and body. Only one is on its way at a time. */
interface Shot {
  readonly bytes: Buffer
  readonly places: readonly number[]
  readonly body: number
}

function begin(order: LoadOrder): void {
  const { batch } = order.workload
  const { hostname: host, port } = new URL(order.url)
  const bodies = bodiesOf(order.workload)
  const counts = tally(bodies, batch)
  const pace = pacer(order)
  let [next, flying] = [0, 0]
  let state: 'sending' | 'stopping' | 'over' = 'sending'
  const connections = Array.from({ length: order.connections }, () =>
    openConnection({ host, port: Number(port), broken }),
  )
  process.on('message', (message: ToLoad) => {
    if (message.kind === 'mark') tell({ kind: 'mark', mark: counts.mark() })
    if (message.kind === 'stop') finish()
  })
  const deadline = setTimeout(finish, order.deadlineMs)
  for (const connection of connections) turn(connection, shotsOf(order, bodies))

  function broken(error: Error, answered: (status: number) => void): void {
    if (order.bearsResets === true) answered(0)
    else fail(error)
  }

  /** The n-th request of a run is the same in every run, whichever connection sends it. */
  function turn(connection: Connection, shots: readonly Shot[]): void {
    const shot = shots[(next / batch) % shots.length]
    if (shot === undefined || state !== 'sending' || next + batch > order.eventsMax) finish()
    else {
      const due = pace.due()
      if (due === null) {
        pace.wait(() => turn(connection, shots))
        return
      }
      number(shot, next)
      next += batch
      flying += 1
      fire(connection, { shot, due }, () => turn(connection, shots))
    }
  }

  function fire(
    connection: Connection,
    { due, shot }: { readonly shot: Shot; readonly due: number },
    then: () => void,
  ): void {
    connection.send(shot.bytes, (status) => {
      if (status === 503 || status === 0) {
        counts.refused(status)
        // Sends the same ids again, as a well-behaved client does.
        setTimeout(() => fire(connection, { shot, due }, then), 50)
      } else if (status === 200) {
        counts.accepted(shot.body, performance.now() - due)
        flying -= 1
        then()
      } else fail(new Error(`The server answered ${status}.`))
    })
  }

  function finish(): void {
    if (state === 'sending') state = 'stopping'
    if (flying > 0 || state === 'over') return
    state = 'over'
    clearTimeout(deadline)
    for (const connection of connections) connection.close()
    tell({ kind: 'done', mark: counts.mark() })
    process.disconnect()
  }
}

/** Counts what was answered. */
function tally(bodies: readonly Body[], batch: number) {
  const sent = new Uint32Array(bodies.length)
  const latency = createHistogram()
  let [events, refusals, resets] = [0, 0, 0]
  return { accepted, refused, mark }

  function accepted(body: number, ms: number): void {
    latency.record(Math.max(1, Math.round(ms * 1_000)))
    events += batch
    sent[body] = (sent[body] ?? 0) + 1
  }

  function refused(status: number): void {
    if (status === 0) resets += 1
    else refusals += 1
  }

  function mark(): LoadMark {
    const [p50Ms, p99Ms] = [latency.percentile(50) / 1_000, latency.percentile(99) / 1_000]
    latency.reset()
    const usage = bodies.reduce(
      (sum, body, at) => usageSum(sum, body.usage, sent[at] ?? 0),
      noUsage,
    )
    return { at: performance.now(), events, refused: refusals, reset: resets, usage, p50Ms, p99Ms }
  }
}

function shotsOf(order: LoadOrder, bodies: ReturnType<typeof bodiesOf>): readonly Shot[] {
  const { host } = new URL(order.url)
  // As many as fit into some memory, so with more connections each has fewer bodies.
  const share = Math.max(1, Math.floor(shotsMax / order.connections))
  const step = Math.max(1, Math.floor(bodies.length / share))
  return bodies.flatMap(({ bytes, places }, body) => {
    if (body % step !== 0) return []
    const head = Buffer.from(
      `POST /events/ingest HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${order.apiKey}\r\n` +
        `content-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    )
    const shifted = places.map((place) => place + head.length)
    return [{ bytes: Buffer.concat([head, bytes]), places: shifted, body }]
  })
}

const shotsMax = 4_096

interface Pacer {
  /** When the next request was due, which takes its turn; null: it is not due yet. */
  due(): number | null
  wait(then: () => void): void
}

/** Turns come at an even rate, whatever the server does; a late sender catches up. */
function pacer({ rate, workload }: LoadOrder): Pacer {
  if (rate === null) return { due: () => performance.now(), wait: () => undefined }
  const startedAt = performance.now()
  const everyMs = (1_000 * workload.batch) / rate
  let taken = 0
  const waiting: (() => void)[] = []
  const timer = setInterval(() => {
    for (const then of waiting.splice(0)) then()
  }, 1)
  timer.unref()
  return {
    due() {
      const due = startedAt + taken * everyMs
      if (due > performance.now()) return null
      taken += 1
      return due
    },
    wait: (then) => void waiting.push(then),
  }
}
