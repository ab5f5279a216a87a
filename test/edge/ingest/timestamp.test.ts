import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timestamps } from '../../../src/edge/ingest/timestamp.ts'
import { formatInstant, instantOf, parseInstant } from '../../../src/std/instant.ts'

const micros = fc.integer({ min: -60_000_000_000_000_000, max: 250_000_000_000_000_000 })
const near = fc.integer({ min: 1_795_000_000_000_000, max: 1_795_000_003_000_000 })
const fraction = fc.option(fc.stringMatching(/^\d{1,10}$/), { nil: undefined })
const zone = fc.constantFrom('Z', 'z', '+00:00', '+05:30', '-23:59', '')

it('reads what parseInstant reads, in any order', () => {
  const clockwork = timestamps()
  fc.assert(
    fc.property(
      fc.oneof(micros, near),
      fraction,
      zone,
      fc.constantFrom('T', 't', ' '),
      (at, f, z, t) => {
        const whole = formatInstant(instantOf(at)).slice(0, 19).replace('T', t)
        const text = `${whole}${f === undefined ? '' : `.${f}`}${z}`
        expect(clockwork.read(text)).toBe(parseInstant(text))
      },
    ),
  )
})

it.each(['', 'now', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z'])(
  'agrees with parseInstant on %j',
  (text) => {
    const clockwork = timestamps()
    expect(clockwork.read(text)).toBe(parseInstant(text))
    expect(clockwork.read(text)).toBe(parseInstant(text))
  },
)

it('writes what formatInstant writes, in any order', () => {
  const clockwork = timestamps()
  fc.assert(
    fc.property(fc.oneof(micros, near), (at) => {
      expect(clockwork.write(instantOf(at))).toBe(formatInstant(instantOf(at)))
    }),
  )
})
