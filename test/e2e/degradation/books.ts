import { expect, it } from 'vitest'
import { sluice } from '../../support/process/server.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { at } from './here.ts'
import { patient, rigMissing } from './rig.ts'

describeWith(rigMissing, 'after all of it', () => {
  it('nothing is lost or doubled, and everybody was told to come back', {
    timeout: 600_000,
  }, async () => {
    const { accepted, refused } = await at.load.end()
    expect(accepted).toBeGreaterThan(100)
    expect(refused.filter((status) => status !== 503)).toEqual([])
    await expect.poll(() => at.load.counted(), patient).toBe(accepted)
    await expect.poll(() => at.fleet.unaccounted(), patient).toBe(0)
    const books = await sluice(['verify', '--json'], at.fleet.environment)
    expect([books.status, JSON.parse(books.out)]).toEqual([
      0,
      expect.objectContaining({ ok: true }),
    ])
  })
})
