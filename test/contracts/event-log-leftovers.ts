import { expect, it } from 'vitest'
import { leftBehind } from '../support/runtime/leftovers.ts'
import type { EventLogDriver } from './event-log.ts'

const [rounds, atOnce, valueBytes] = [60, 16, 2_000]

/**
 * What an event log whose code is ours promises about memory: `leftMax` is how many bytes an append of one record
 * may leave where only a full collection finds them.
 */
export function testLeftovers(driver: EventLogDriver, leftMax: number): void {
  it(`lets go of what was appended: ${driver.name}`, async () => {
    const place = await driver.place()
    const log = await place.openLog()
    const appendSome = () =>
      Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          log.append([{ partition: index % 4, value: Buffer.alloc(valueBytes, 'x'), events: 1 }]),
        ),
      )
    for (let round = 0; round < rounds; round += 1) await appendSome()
    const left = await leftBehind(async (collectYoung) => {
      for (let round = 0; round < rounds; round += 1) {
        await appendSome()
        collectYoung()
      }
    })
    await log.close()
    await place.destroy()
    expect(left / rounds / atOnce).toBeLessThan(leftMax)
  })
}
