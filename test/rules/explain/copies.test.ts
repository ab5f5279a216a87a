import { describe, expect, it } from 'vitest'
import { explainedCopy, judgedCopies } from '../../../src/rules/explain/copies.ts'
import { hour } from '../../../src/std/instant.ts'
import { at, noon } from '../meter/arbitraries.ts'

describe('copies of one id', () => {
  const copy = (offset: number, verdict: number | null) => ({
    event: {
      eventId: 'a',
      customerId: 'cus_1',
      eventName: 'call',
      timestamp: noon,
      metadata: null,
    },
    place: { partition: 0, offset, index: 0, receivedAt: at(offset * hour) },
    stored: { in: 'log' as const, blockId: null },
    verdict,
  })

  it('are told from the one that counts, and an id used again says so', () => {
    const copies = judgedCopies([copy(0, 0), copy(1, 2), copy(60, 1), copy(61, 2), copy(62, null)])
    expect(copies.map(({ outcome }) => outcome)).toEqual([
      'counted',
      'repeat',
      'matched_nothing',
      'repeat',
      'waiting',
    ])
    expect(copies[1]?.sentence).toContain('(machine time), partition 0, offset 0:')
    expect(copies[2]?.sentence).toContain('outside the dedupe window')
    expect(copies[3]?.sentence).toContain('offset 60')
    expect(explainedCopy(copies)?.place.offset).toBe(60)
  })

  it('of which the first is gone are repeats all the same', () => {
    const copies = judgedCopies([copy(5, 2)])
    expect(copies[0]?.sentence).toContain('no longer kept')
    expect(explainedCopy(copies)?.outcome).toBe('repeat')
    expect(explainedCopy([])).toBeNull()
  })
})
