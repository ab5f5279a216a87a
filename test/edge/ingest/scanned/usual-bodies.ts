import fc from 'fast-check'
import { formatInstant, instantOf, minute, second } from '../../../../src/std/instant.ts'
import { noon } from '../../../support/edge/test-server.ts'

// Bodies of an ingest as clients write them, most of them such as the scanner takes.

const short = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.uuid(),
)
/** Without what must be escaped: JSON.stringify would, and the scanner leaves it to the parser. */
const plain = short.map((text) => {
  const letters = [...text].map((letter) => {
    return JSON.stringify(letter).length === letter.length + 2 ? letter : '_'
  })
  return letters.join('')
})

const value = fc.oneof(
  { weight: 4, arbitrary: short },
  { weight: 3, arbitrary: fc.integer() },
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 1_000),
  fc.boolean(),
  fc.constant(null),
)
const key = fc.oneof(
  { weight: 8, arbitrary: plain.map((text) => `k${text}`) },
  fc.constantFrom('', '__proto__', 'constructor', 'toString', 'a b', 'é'),
)
const metadata = fc.dictionary(key, value, { maxKeys: 8 })

const time = fc
  .integer({ min: -59 * minute, max: 4 * minute })
  .map((away) => instantOf(noon + away))
  .chain((at) =>
    fc.constantFrom(
      formatInstant(at),
      formatInstant(at).replace(/\d{3}Z$/, 'Z'),
      formatInstant(instantOf(at - (at % second))).replace('.000000Z', 'Z'),
      formatInstant(at).replace('Z', '+00:00'),
      formatInstant(at).replace('T', ' ').toLowerCase(),
    ),
  )

const ids = fc.uniqueArray(fc.oneof(fc.uuid(), plain), { minLength: 1, maxLength: 25 })

/** An event without its id. */
const usualEvent = fc.record(
  {
    customer_id: fc.oneof(
      fc.constantFrom('c1', 'c2', 'cüstomer'),
      plain.map((text) => `c${text}`),
    ),
    event_name: fc.oneof(fc.constantFrom('call', 'completion.done'), plain),
    timestamp: fc.oneof({ weight: 9, arbitrary: time }, fc.constant(null)),
    metadata: fc.oneof({ weight: 9, arbitrary: metadata }, fc.constant(null)),
  },
  { requiredKeys: ['customer_id', 'event_name'] },
)

/** Without blanks, as JavaScript writes it; with some, as Python does; broken up by lines. */
const layout = fc.constantFrom<(events: unknown) => string>(
  (body) => JSON.stringify(body),
  (body) => spaced(JSON.stringify(body)),
  (body) => `\n${JSON.stringify(body, null, 2)}\r\n`,
)

/** The same with a blank behind commas and colons that are in no text. */
const spaced = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token))

export const usualBody = fc
  .tuple(ids, fc.array(usualEvent, { minLength: 25, maxLength: 25 }), fc.boolean(), layout)
  .map(([own, events, idLast, write]) =>
    write({
      events: own.map((event_id, at) =>
        idLast ? { ...events[at], event_id } : { event_id, ...events[at] },
      ),
    }),
  )
