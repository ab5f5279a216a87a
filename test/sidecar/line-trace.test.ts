import { expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import { traceHeadersOf, tracesOf, untraced } from '../../src/sidecar/line-trace.ts'
import { bodyOf } from '../../src/sidecar/parcel.ts'
import { frameOf } from '../../src/sidecar/receiving.ts'
import { noon } from '../support/edge/test-server.ts'
import { eventOf } from './setup.ts'

const traceOf = (digit: string, flags = '01') =>
  `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`
const [one, other] = [traceOf('1'), traceOf('2')]

/** Lines of a request with these headers, as the spool keeps them. */
function linesOf(ids: readonly string[], headers: Readonly<Record<string, string>> = {}) {
  const events = ids.map((id) => ({ ...eventOf(id), metadata: { traceparent: one } }))
  const { text } = frameOf(
    events,
    noon,
    tracesOf({ body: null, header: (name) => headers[name] ?? null }),
  )
  return text.trimEnd().split('\n')
}

it('a request of one trace goes on with its traceparent, and its events as they came', () => {
  const plain = linesOf(['a', 'b'])
  const traced = linesOf(['a', 'b'], { traceparent: one })
  expect(traced).not.toEqual(plain)
  expect(traced.map(untraced)).toEqual(plain)
  // An older sidecar that finds them in its spool sends events, too.
  expect(traced.map((line) => JSON.parse(line))).toMatchObject([{ event_id: 'a' }, {}])
  expect(bodyOf(traced)).toBe(bodyOf(plain))
  expect(traceHeadersOf(traced)).toEqual({ traceparent: one })
  expect(traceHeadersOf(plain)).toEqual({})
})

it('requests of several traces go on together, and each event belongs to its own', () => {
  const lines = [
    ...linesOf(['a']),
    ...linesOf(['b', 'c'], { traceparent: one }),
    ...linesOf(['d'], { traceparent: one }),
    ...linesOf(['e'], { traceparent: other }),
    ...linesOf(['f'], { traceparent: traceOf('3', '00') }),
    ...linesOf(['g'], { traceparent: `01-${one.slice(3)}-more` }),
  ]
  const header = `${one};1-3, ${other};4-4, ${one};6-6`
  expect(traceHeadersOf(lines)).toEqual({ 'sluice-traces': header })
  // What is left of a parcel is told of anew.
  expect(traceHeadersOf(lines.slice(3))).toEqual({
    'sluice-traces': `${one};0-0, ${other};1-1, ${one};3-3`,
  })
  expect(traceHeadersOf(lines.slice(1, 4))).toEqual({ traceparent: one })
  // A sidecar behind another one says the same.
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  expect(linesOf(ids, { 'sluice-traces': header, traceparent: other })).toEqual(lines)
})

it('tells of as many traces as a gateway follows', () => {
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    linesOf([`e${index}`], { traceparent: index % 2 === 0 ? one : other }),
  ).flat()
  const { 'sluice-traces': header = '' } = traceHeadersOf(lines)
  expect(header.split(',')).toHaveLength(limits.recordTracesMax)
  expect(header.length).toBeLessThan(limits.headBytesMax / 4)
})

it('a CloudEvent goes on with the trace that it names itself', () => {
  const header = (name: string) =>
    ({ 'content-type': 'application/cloudevents-batch+json', traceparent: other })[name] ?? null
  const traceOfEvent = tracesOf({ body: [{ traceparent: one }, {}], header })
  expect([0, 1].map(traceOfEvent)).toEqual([one, other])
})
