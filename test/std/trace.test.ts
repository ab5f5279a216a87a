import { expect, it } from 'vitest'
import { readTraces, traceContextOf, traceparentOf, writeTraces } from '../../src/std/trace.ts'

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const one = `00-${traceId}-${spanId}-01`
const other = `00-${spanId}${spanId}-${spanId}-01`

it('a traceparent is read as the W3C has it, whatever its version says behind the flags', () => {
  const context = { traceId, spanId, sampled: true }
  expect(traceContextOf(one)).toEqual(context)
  expect(traceparentOf(context)).toBe(one)
  expect(traceContextOf(`cc-${traceId}-${spanId}-03-what-will-be`)).toEqual(context)
  expect(traceContextOf(`00-${traceId}-${spanId}-02`)).toEqual({ ...context, sampled: false })
  const zero = '0'.repeat(32)
  for (const none of [
    ...[null, '', 'x', `ff-${traceId}-${spanId}-01`, `00-${zero}-${spanId}-01`],
    ...[`00-${traceId}-${zero.slice(16)}-01`, one.toUpperCase(), `${one}x`, ` ${one}`],
  ]) {
    expect([none, traceContextOf(none)]).toEqual([none, null])
  }
})

it('traces of events are read as they are written, and what is none of them is left out', () => {
  const traces = [
    { traceparent: one, range: { first: 0, last: 2 } },
    { traceparent: other, range: null },
    { traceparent: one, range: { first: 999, last: 999 } },
  ]
  expect(writeTraces(traces)).toBe(`${one};0-2, ${other}, ${one};999-999`)
  expect(readTraces(writeTraces(traces), 3)).toEqual(traces)
  expect(readTraces(writeTraces(traces), 2)).toEqual(traces.slice(0, 2))
  const bad = [`${one};2-1`, `${one};-1-2`, `${one};1`, `${one};1-2;3`, `${one};1-1e9`, `x;0-1`, '']
  expect(readTraces([...bad, other].join(), 9)).toEqual([{ traceparent: other, range: null }])
})
