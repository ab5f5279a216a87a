import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../support/run/runs.ts'
import { isTaken } from './both-paths.ts'
import { usualBody } from './usual-bodies.ts'

describe('a scanned body', () => {
  it('is stored as the parser would store it, whatever usual events it holds', async () => {
    let all = 0
    let taken = 0
    await fc.assert(
      fc.asyncProperty(usualBody, async (body) => {
        all += 1
        if (await isTaken(body)) taken += 1
      }),
      runs(300),
    )
    // What is left has a key twice, or a text that is too long.
    expect(taken / all).toBeGreaterThan(0.7)
  })

  it('is what the parser takes, too, where a usual body was changed a little', async () => {
    const change = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.oneof(
        fc.constantFrom(
          '',
          '"',
          '\\',
          '\\u0000',
          '\\/',
          '\\n',
          ',',
          ':',
          '{',
          '}',
          '[',
          ']',
          '0',
          '-',
        ),
        fc.constantFrom(
          '.',
          'e',
          ' ',
          '\t',
          '\0',
          '\u001f',
          '\u007f',
          'é',
          '😀',
          '1e5',
          '00',
          'null',
        ),
        fc.constantFrom('true', 'fals', '"events":', ',"x":1', ',"event_id":"z"', '[1]', '{"a":1}'),
        fc.string({ maxLength: 3 }),
      ),
    })
    const changes = fc.array(change, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(usualBody, changes, async (body, several) => {
        let text = body
        for (const { at, insert, remove } of several) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + insert + text.slice(place + remove)
        }
        await isTaken(text)
      }),
      runs(1_000),
    )
  })

  it('is never one of bytes that are no UTF-8, nor of bytes from nowhere', async () => {
    const [start, end] = [Buffer.from('{"events":[{"event_id":"'), Buffer.from('"')]
    await fc.assert(
      fc.asyncProperty(
        usualBody,
        fc.nat(),
        fc.uint8Array({ maxLength: 4 }),
        async (body, at, noise) => {
          const bytes = Buffer.from(body)
          const place = at % bytes.length
          await isTaken(Buffer.concat([bytes.subarray(0, place), noise, bytes.subarray(place)]))
          await isTaken(Buffer.concat([start, noise, end]))
          await isTaken(Buffer.from(noise))
        },
      ),
      runs(500),
    )
  })
})
