import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import DodoPayments from 'dodopayments'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { furnish } from '../support/process/furnish.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import { startSidecar } from '../support/process/sidecar.ts'
import { describeWith } from '../support/servers/describe-with.ts'
import { openReceiver } from '../support/webhooks/receiver.ts'
import { distributedMissing, openDistributed } from './distributed-parts.ts'
import type { OpenedParts } from './parts.ts'
import { subscriber } from './plan.ts'

const patient = { timeout: 120_000, interval: 100 }

interface Received {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
}

/** A collector that takes OTLP as JSON, and keeps what it was sent. */
async function openCollector() {
  const spans: Received[] = []
  let text = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      text += `${request.url} ${body}\n`
      const sent = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: Received[] }[] }[]
      }
      for (const { scopeSpans } of sent.resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => text,
    close: () => new Promise((done) => server.close(done)),
  }
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'
const quietTrace = '5bf92f3577b34da6a3ce929d0e0e4737'

const embedded = (): Promise<OpenedParts> => {
  const scratch = scratchDirectory()
  const close = () => Promise.resolve(scratch.remove())
  return Promise.resolve({ environment: { DATA_DIR: scratch.path }, close })
}

describe('one process', () => follows(embedded, [undefined]))

describeWith(distributedMissing, 'many processes', () =>
  follows(openDistributed, ['http', 'billing', 'sweeps,archive', 'delivery']),
)

/** Each process has one of `roles`. */
function follows(open: () => Promise<OpenedParts>, roles: readonly (string | undefined)[]): void {
  const servers: Server[] = []
  let parts: OpenedParts
  let collector: Awaited<ReturnType<typeof openCollector>>
  let url = ''
  beforeAll(async () => {
    collector = await openCollector()
    parts = await open()
    const environment = {
      ...parts.environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    }
    for (const role of roles) servers.push(await startServer(environment, role))
    url = servers.map(({ ready }) => ready['test_url']).find((found) => found != null) ?? ''
  })
  afterAll(async () => {
    for (const server of servers) await server.stop('SIGKILL')
    await parts?.close()
    await collector?.close()
  })

  it('follows a request from its caller to the webhook, as one trace, without a payload', {
    timeout: 240_000,
  }, async () => {
    const { keys } = await furnish(parts.environment)
    const client = new DodoPayments({ bearerToken: keys.write, baseURL: url })
    const one = await subscriber({ client: () => client })
    const receiver = await openReceiver()
    const { id } = await client.webhooks.create({ url: receiver.url })
    const { secret } = await client.webhooks.retrieveSecret(id)
    const send = async (traceparent: string) => {
      const event = { customer_id: one.customerId, event_name: one.eventNames[0] ?? '' }
      const events = [{ ...event, event_id: `traced ${traceparent}`, metadata: { of: 'payload' } }]
      await client.usageEvents.ingest({ events }, { headers: { traceparent } })
    }
    /** What the endpoint was told of a trace; a webhook may come twice, and late. */
    const told = () =>
      receiver.received.flatMap(({ headers: { traceparent } }) => traceparent ?? [])
    // Head sampling: the caller decides, and what it leaves out is recorded nowhere.
    await send(`00-${quietTrace}-${callersSpan}-00`)
    await receiver.until(1)
    expect(told()).toEqual([])
    await send(`00-${traceId}-${callersSpan}-01`)
    await expect.poll(() => told().length, patient).toBeGreaterThan(0)

    const names = ['POST /events/ingest', 'measure', 'settle', 'POST webhook']
    const spans = () => collector.spans.filter((span) => span.traceId === traceId)
    await expect
      .poll(
        () =>
          spans()
            .map(({ name }) => name)
            .sort(),
        patient,
      )
      .toEqual(names.toSorted())
    // Each follows the one before it, and the endpoint is told of the last.
    let before = callersSpan
    for (const name of names) {
      const span = spans().find((each) => each.name === name)
      expect([name, span?.parentSpanId]).toEqual([name, before])
      before = span?.spanId ?? ''
    }
    expect([...new Set(told())]).toEqual([`00-${traceId}-${before}-01`])
    expect(collector.spans.filter((span) => span.traceId !== traceId)).toEqual([])
    for (const sent of [keys.write, secret, one.customerId, 'payload', 'traced 00', receiver.url]) {
      expect(collector.text()).not.toContain(sent)
    }
    expect(collector.text()).toMatch(/^\/v1\/traces /)
    await receiver.close()
  })

  it('follows each caller of a sidecar to its own webhook, through a request of them all', {
    timeout: 240_000,
  }, async () => {
    const { keys } = await furnish(parts.environment)
    const client = new DodoPayments({ bearerToken: keys.write, baseURL: url })
    const subscribers = await Promise.all(callers.map(() => subscriber({ client: () => client })))
    const receiver = await openReceiver()
    onTestFinished(() => receiver.close())
    await client.webhooks.create({ url: receiver.url })
    const sidecar = await openSidecar({ SIDECAR_UPSTREAM: url, SIDECAR_KEY: keys.write })
    await Promise.all(
      subscribers.map(({ customerId, eventNames: [name = ''] }, index) =>
        sidecar.send(callers[index] ?? '', { customer_id: customerId, event_name: name }),
      ),
    )
    const traceOf = (traceparent: string | undefined) => traceparent?.slice(3, 35)
    for (const [index, traceparent] of callers.entries()) {
      const { customerId = '' } = subscribers[index] ?? {}
      const told = () =>
        receiver.received.filter(({ body }) => {
          return body.includes(customerId) && body.includes('credit.deducted')
        })
      await expect.poll(() => told().length, patient).toBeGreaterThan(0)
      const traces = new Set(
        told().map(({ headers }) => traceOf(headers['traceparent']?.toString())),
      )
      const own = traceparent.endsWith('-01') ? traceOf(traceparent) : undefined
      expect([index, ...traces]).toEqual([index, own])
    }
    // One request to the gateway, which is a part of the trace of each of them.
    const ingests = () => collector.spans.filter(({ name }) => name === 'POST /events/ingest')
    const parents = () => ingests().map(({ parentSpanId: parent }) => parent)
    await expect.poll(parents, patient).toContain('1'.repeat(16))
    await expect.poll(parents, patient).toContain('3'.repeat(16))
    expect(parents()).toHaveLength(new Set(parents()).size)
  })
}

/** What the callers of the sidecar say; the second is not sampled. */
const callers = [
  ['1', '01'],
  ['2', '00'],
  ['3', '01'],
].map(([digit = '', flags]) => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`)

/** One that waits so long that what callers send at once leaves in one request. */
async function openSidecar(settings: Environment) {
  const spool = scratchDirectory()
  const environment = { SIDECAR_LISTEN: '127.0.0.1:0', SIDECAR_LINGER: '3s' }
  const sidecar = await startSidecar({ ...environment, ...settings, SPOOL_DIR: spool.path })
  onTestFinished(async () => {
    sidecar.child.kill('SIGKILL')
    await sidecar.ended
    spool.remove()
  })
  return {
    async send(traceparent: string, event: object): Promise<void> {
      // As many as reach every partition of the log.
      const ids = Array.from({ length: 40 }, (_, index) => `${traceparent} ${index}`)
      const answer = await fetch(`${sidecar.listens}/events/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', traceparent },
        body: JSON.stringify({ events: ids.map((id) => ({ ...event, event_id: id })) }),
      })
      expect(answer.status).toBe(200)
    },
  }
}
