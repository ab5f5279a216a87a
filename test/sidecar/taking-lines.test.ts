import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '../../src/faults.ts'
import { openDeadLetters } from '../../src/sidecar/dead-letters.ts'
import type { SpoolFrame } from '../../src/sidecar/frame.ts'
import { lineSplitter } from '../../src/sidecar/line-splitting.ts'
import { takeLines } from '../../src/sidecar/taking-lines.ts'
import { compileSchemas } from '../../src/std/schema.ts'
import { manualClock } from '../support/edge/test-server.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { runs } from '../support/run/runs.ts'
import { eventOf } from './setup.ts'

let scratch: ReturnType<typeof scratchDirectory>
beforeEach(() => {
  compileSchemas()
  scratch = scratchDirectory()
})
afterEach(() => scratch.remove())

const json = (id: string, more: object = {}): string => JSON.stringify({ ...eventOf(id), ...more })

type Append = (frame: SpoolFrame) => Promise<void>

/** What stands in the spool and among the dead letters after a stream of these chunks. */
async function taken(
  chunks: readonly (string | Uint8Array)[],
  append: Append = () => Promise.resolve(),
) {
  const kept: Record<string, unknown>[] = []
  const path = join(scratch.path, 'dead.ndjson')
  const clock = manualClock()
  const deadLetters = await openDeadLetters(path, clock)
  let pauses = 0
  async function* stream() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
  const sum = { taken: 0, refused: 0 }
  await takeLines(stream(), {
    async append(frame) {
      await append(frame)
      kept.push(
        ...frame.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      )
    },
    deadLetters,
    clock,
    pause: async () => {
      pauses += 1
    },
    counted(result) {
      sum[result] += 1
    },
  })
  await deadLetters.close()
  const dead = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return { sum, kept, dead, pauses }
}

describe('a stream of lines', () => {
  it('holds events, as the API has them or as CloudEvents, each at the time of its receipt', async () => {
    const cloud = {
      specversion: '1.0',
      id: 'ce-1',
      source: '/x',
      type: 'gpu.seconds',
      subject: 'cus_2',
      time: '2026-11-21T11:59:00Z',
      data: { seconds: 3 },
    }
    const text = `${json('a')}\r\n\n  \n${JSON.stringify(cloud)}\n${json('b', { metadata: { n: 1 } })}`
    const { sum, kept, dead } = await taken([text])
    expect(sum).toEqual({ taken: 3, refused: 0 })
    expect(kept).toMatchObject([
      { event_id: 'a', timestamp: '2026-11-21T12:00:00.000000Z' },
      {
        event_id: 'ce-1',
        customer_id: 'cus_2',
        event_name: 'gpu.seconds',
        timestamp: '2026-11-21T11:59:00.000000Z',
        metadata: { seconds: 3 },
      },
      { event_id: 'b', metadata: { n: 1 } },
    ])
    expect(dead).toEqual([])
  })

  it('is told by line what cannot be taken, and goes on', async () => {
    const lines = [
      json('a'),
      'not json',
      '[]',
      '{"event_id":"b"}',
      json('c', { timestamp: 'yesterday' }),
      json('d', { timestamp: '2026-11-21T13:00:00Z' }),
      '{"specversion":"1.0","id":"e"}',
      `{"event_id":"${'x'.repeat(600_000)}"}`,
      json('f'),
    ]
    const { sum, kept, dead } = await taken([
      `${lines.join('\n')}\n`,
      Buffer.from([0x22, 0xff, 0x22, 10]),
    ])
    expect(sum).toEqual({ taken: 2, refused: 8 })
    expect(kept.map(({ event_id: id }) => id)).toEqual(['a', 'f'])
    expect(dead.map(({ line, reason }) => [line, reason.status])).toEqual([
      ...[
        [2, 400],
        [3, 422],
        [4, 422],
        [5, 422],
        [6, 400],
        [7, 422],
        [8, 413],
        [10, 400],
      ],
    ])
    expect(dead.map(({ reason }) => reason.message)).toEqual([
      expect.stringContaining('The line is not valid JSON'),
      expect.stringContaining('The line must be an object'),
      expect.stringContaining('customer_id is required'),
      expect.stringContaining('timestamp must be an RFC 3339'),
      expect.stringContaining('timestamp must not be later than'),
      expect.stringContaining('source is required'),
      'The line is longer than 524288 bytes.',
      'The line is not valid UTF-8.',
    ])
    expect(dead[0]).toMatchObject({ text: 'not json', reason: { code: 'INVALID_REQUEST_BODY' } })
  })

  it('waits for room in the spool, and loses nothing meanwhile', async () => {
    let times = 0
    const full = new Fault('UNAVAILABLE', 'The spool is full.', { retryAfterSeconds: 1 })
    const huge = new Fault('REQUEST_TOO_LARGE', 'The spool holds 9 bytes: send less at once.')
    const { sum, kept, dead, pauses } = await taken(
      [`${json('a')}\n${json('huge')}\n`],
      (frame) => {
        times += 1
        if (frame.text.includes('huge')) return Promise.reject(huge)
        return times < 6 ? Promise.reject(full) : Promise.resolve()
      },
    )
    expect(sum).toEqual({ taken: 1, refused: 1 })
    expect(kept).toMatchObject([{ event_id: 'a' }])
    expect(dead).toMatchObject([{ line: 2, reason: { status: 413 } }])
    expect(pauses).toBeGreaterThan(3)
  })

  it('ends with the error of a disk that takes no dead letter', async () => {
    const stream = (async function* () {
      yield Buffer.from('bad\n')
    })()
    const needs = {
      append: () => Promise.resolve(),
      deadLetters: { addLine: () => Promise.reject(new Error('ENOSPC')) },
      clock: manualClock(),
      pause: () => Promise.resolve(),
      counted: () => undefined,
    }
    await expect(takeLines(stream, needs)).rejects.toThrow('ENOSPC')
  })
})

describe('splitting into lines', () => {
  it('gives the lines of the whole, however it comes in pieces', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '\n', '\r') }))
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 9 }), (texts, bytesMax) => {
        const whole = Buffer.from(texts.join(''))
        const splitter = lineSplitter(bytesMax)
        const found = texts.flatMap((text) => splitter.push(Buffer.from(text)))
        const last = splitter.end()
        const all = last === null ? found : [...found, last]
        const expected = whole.toString('latin1').split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(all.map(({ bytes }) => bytes.toString('latin1'))).toEqual(
          expected.map((line) => line.slice(0, bytesMax)),
        )
        expect(all.map(({ number }) => number)).toEqual(expected.map((_, index) => index + 1))
        expect(all.map(({ isTooLong }) => isTooLong)).toEqual(
          expected.map((line) => line.length > bytesMax),
        )
      }),
      runs(500),
    )
  })
})
