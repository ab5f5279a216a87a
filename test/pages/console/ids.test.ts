import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { placeOfId, stepOfId } from '../../../src/pages/console/app/ids.ts'
import { allRooms } from '../../../src/pages/console/app/rooms.ts'

const source = readFileSync(new URL('../../../src/std/id.ts', import.meta.url), 'utf8')
const prefixes = [...source.matchAll(/\| '(\w+)'/g)].map(([, prefix = '']) => prefix)

describe('an id of anything', () => {
  it.each(prefixes)('leads somewhere: %s', (prefix) => {
    const id = `${prefix}_${'x'.repeat(21)}`
    const place = placeOfId(id)
    expect(place?.one).toMatch(/^[A-Z]/)
    const step = place !== null && 'step' in place ? (place.step ?? null) : null
    if (step !== null) expect(allRooms.map((room) => room.step)).toContain(step)
    const page = stepOfId(id)
    if (page !== null && page !== 'why') expect(page).toBe(step)
  })

  it('of nobody may be an event’s', () => {
    for (const id of ['evt_1', 'order-7', 'constructor_xxxxxxxxxxxxxxxxxxxxx', 'a', '']) {
      expect([id, placeOfId(id)]).toEqual([id, null])
    }
    expect(prefixes.length).toBeGreaterThan(30)
  })
})
