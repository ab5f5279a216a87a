import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openTelemetry } from '../../src/runtime/opentelemetry.ts'
import { quiet } from '../support/runtime/logger.ts'

const closing: (() => unknown)[] = []
const before = { ...process.env }
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  process.env = { ...before }
})

async function opened(environment: Record<string, string>) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => {
      bodies.push(`${request.headers['x-tenant'] ?? ''} ${request.url} ${text}`)
      response.end('{}')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => new Promise((done) => server.close(done)))
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    ...environment,
  })
  return { tracing: openTelemetry(quiet), bodies }
}

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const start = (parent: string | null) => ({ name: 'measure', kind: 'consumer', parent }) as const

it('sends spans as JSON, named and sampled as the environment says', async () => {
  const { tracing, bodies } = await opened({
    OTEL_SERVICE_NAME: 'billing-eu',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=ours',
  })
  const span = tracing.begin(start(`00-${traceId}-${spanId}-01`))
  expect(span?.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`))
  expect(span?.traceparent).not.toContain(spanId)
  span?.end({ 'sluice.events': 3 })
  await tracing.close()
  expect(bodies).toHaveLength(1)
  expect(bodies[0]).toMatch(/^ours \/v1\/traces \{/)
  for (const text of ['billing-eu', traceId, spanId, '"measure"', '"sluice.events"']) {
    expect(bodies[0]).toContain(text)
  }
})

it('records nothing of a trace that its caller has not sampled', async () => {
  const { tracing, bodies } = await opened({})
  expect(tracing.begin(start(`00-${traceId}-${spanId}-00`))).toBeNull()
  await tracing.close()
  expect(bodies).toEqual([])
})

it.each([
  null,
  'nonsense',
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
])('begins a trace of its own where the caller has named none: %s', async (parent) => {
  const { tracing } = await opened({})
  const span = tracing.begin(start(parent))
  expect(span?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  expect(span?.traceparent).not.toContain(traceId)
  span?.end({})
  await tracing.close()
})

it('leaves out what the ratio leaves out', async () => {
  const { tracing } = await opened({
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  expect(tracing.begin(start(null))).toBeNull()
  expect(tracing.begin(start(`00-${traceId}-${spanId}-01`))).not.toBeNull()
  await tracing.close()
})
