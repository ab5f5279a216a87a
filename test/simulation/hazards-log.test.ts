import { describe, expect, it } from 'vitest'
import { limits } from '../../src/limits.ts'
import { second } from '../../src/std/instant.ts'
import { openScene } from './scene.ts'
import type { Tables } from './tables.ts'

// Orders of events that break systems like this one, by the numbers of this folder's README.

describe('a partition', () => {
  it('that moved while its dedupe was healed is not healed by two for ever', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.at(2, scene.site.dedupe.flush)
    scene.when('dedupe.reset', {
      after: 1,
      act: () => scene.fleet.pause(scene.holder(), 8_000_000),
    })
    scene.send(2.1, ['two'], [0, 1])
    for (let each = 0; each < 8; each += 1) scene.send(9 + each / 4, [`event ${each}`], [0, 1])
    expect(await scene.ended(60)).toEqual([])
    expect(scene.usage()).toBe(10)
    const heals = scene.world.trace.filter(({ what }) => what.includes('healing dedupe'))
    expect(heals.length).toBeGreaterThan(1)
    expect(heals.length).toBeLessThan(8)
  })

  it('that is halted is taken again when the log has what was measured', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.send(1.2, ['two'])
    // Longer than a log can lag, so it is no lag, until an operator mends it.
    scene.at(2, () => scene.site.log.lag(0, 1, 12_000_000))
    scene.at(2.1, () => scene.fleet.kill(scene.holder()))
    const halted = () => scene.site.store.tables().checkpoints.get(0)?.halted
    scene.at(13, () => expect(halted()).toMatch(/before the checkpoint/))
    scene.send(16, ['three'])
    expect(await scene.ended(22)).toEqual([])
    expect(scene.told('a halted partition goes on: it fits the log again')).toBe(true)
    expect(halted()).toBeNull()
    expect(scene.usage()).toBe(3)
  })

  it('that its own holder had to halt goes on at the next look', async () => {
    const scene = openScene({ hosts: 1 })
    scene.send(1, ['one'], [0])
    scene.send(1.2, ['two'], [0])
    // The process that holds the partition takes it anew, in vain, until it halts it; that is over
    // before it looks again.
    const look = limits.compareInterval / second
    scene.at(2 * look - 3.5, () => scene.site.log.lag(0, 1, 3_000_000))
    scene.at(2 * look - 0.5, () => expect(scene.told('partition halted')).toBe(true))
    scene.at(3 * look - 1, () =>
      expect(scene.told('a halted partition goes on: it fits the log again')).toBe(true),
    )
    scene.send(3 * look, ['three'], [0])
    expect(await scene.ended(3 * look + 1)).toEqual([])
    expect(scene.usage()).toBe(3)
  })
})

describe('an event log', () => {
  it('whose time steps back in a slice makes no id of it known for less than a window', async () => {
    const scene = openScene()
    const { log } = scene.site
    scene.at(1, () => scene.fleet.pause(scene.holder(), 1_500_000))
    scene.at(1.05, () => scene.send(0.05, ['one'], [scene.other()]))
    scene.at(1.3, () => log.stepClock(-10_000_000))
    scene.at(1.35, () => scene.send(0.05, ['two'], [scene.other()]))
    scene.at(3, () => log.stepClock(35_000_000))
    scene.send(3.1, ['three'])
    scene.send(4, ['one'])
    expect(await scene.ended(5)).toEqual([])
    expect(scene.usage()).toBe(3)
  })

  it('that is trimmed while it is compared has done nothing wrong', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.when('log.read', { act: () => scene.site.log.trimTo(0, 1) })
    scene.send(4, ['two'])
    expect(await scene.ended(5)).toEqual([])
    expect(scene.told('at log.read')).toBe(true)
    expect(scene.usage()).toBe(2)
  })

  it('that lost its tail halts the partition, and only it [37]', async () => {
    const scene = openScene({ partitions: 2 })
    scene.send(1, ['a', 'b', 'c', 'd', 'e', 'f'])
    scene.at(2, () => scene.fleet.ruin('truncated'))
    scene.send(5, ['g', 'h', 'i', 'j'])
    expect(await scene.ended(8)).toEqual([])
    const halted = [...scene.site.store.tables().checkpoints.values()].map((one) => one.halted)
    expect(halted.filter((reason) => reason !== null)).toHaveLength(1)
  })

  it.each([
    ['', 0],
    [', though the clock of who holds it was set back meanwhile', -2_800_000],
  ])(
    'that lost its tail and grew past our place again is noticed all the same%s [37]',
    async (_, step) => {
      const scene = openScene()
      scene.send(1, ['one'])
      scene.send(1.2, ['two'])
      scene.send(1.4, ['three'])
      // Nobody polls while the tail is lost and as much is written again, so the place looks like
      // any other.
      scene.at(2, () => {
        for (const host of scene.fleet.hosts()) {
          scene.fleet.pause(host, 2_500_000)
          if (step !== 0) scene.fleet.moveClock(host, step)
        }
        scene.fleet.ruin('truncated')
      })
      scene.at(4, () => {
        for (let copies = 0; copies < 4; copies += 1) scene.fleet.appendAgain(0)
      })
      expect(await scene.ended(8)).toEqual([])
      expect(scene.site.store.tables().checkpoints.get(0)?.halted).toMatch(/is not the one/)
    },
  )

  it('whose new leader shows less than the last one has lost nothing', async () => {
    const scene = openScene()
    for (let each = 0; each < 4; each += 1) scene.send(1 + each / 10, [`event ${each}`])
    // Processes that take or compare the partition meanwhile are shown that its place is gone.
    scene.at(2, () => scene.site.log.lag(0, 3, 1_000_000))
    scene.at(2.1, () => scene.fleet.kill(scene.holder()))
    scene.send(2.2, ['late'])
    expect(await scene.ended(6)).toEqual([])
    expect(scene.told('the log lacks what was measured, or lags')).toBe(true)
    expect(scene.site.store.tables().checkpoints.get(0)?.halted).toBeNull()
    expect(scene.usage()).toBe(5)
  })

  it('that was trimmed past our place halts: what is missing is not guessed [38]', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.at(2, () => {
      for (const host of scene.fleet.hosts()) scene.fleet.pause(host, 1_500_000)
      scene.site.log.append([{ partition: 0, value: Buffer.from('?'), events: 1 }])
      scene.site.log.append([{ partition: 0, value: Buffer.from('?'), events: 1 }])
      scene.site.log.trimTo(0, 2)
    })
    expect(await scene.ended(6)).toEqual([])
    expect(scene.site.store.tables().checkpoints.get(0)?.halted).toMatch(/begins at 2, after/)
  })

  it('that is made anew halts every partition of which something was measured [46]', async () => {
    const scene = openScene({ partitions: 2 })
    scene.send(1, ['a', 'b', 'c', 'd', 'e', 'f'])
    scene.at(2, () => scene.fleet.ruin('recreated'))
    expect(await scene.ended(8)).toEqual([])
    expect(scene.fleet.ruined().size).toBe(2)
  })

  it('that lost its tail halts again with a store that has lost the halt [37, 52]', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.send(1.2, ['two'])
    scene.send(1.4, ['three'])
    scene.at(2, () => {
      for (const host of scene.fleet.hosts()) scene.fleet.pause(host, 2_500_000)
      scene.fleet.ruin('truncated')
    })
    let copy: Tables | null = null
    scene.at(4, () => {
      for (let copies = 0; copies < 4; copies += 1) scene.fleet.appendAgain(0)
      copy = scene.site.store.copy()
    })
    const halted = () => scene.site.store.tables().checkpoints.get(0)?.halted
    scene.at(8, () => {
      expect(halted()).toMatch(/is not the one/)
      if (copy !== null) scene.fleet.restoreStore(copy)
      expect(halted()).toBeNull()
    })
    expect(await scene.ended(16)).toEqual([])
    expect(halted()).toMatch(/is not the one/)
  })

  it('with a record that nobody can read: quarantined with the checkpoint, and on [43]', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.at(1.5, () => scene.fleet.poison(0))
    scene.send(2, ['two'])
    expect(await scene.ended()).toEqual([])
    const { checkpoints, quarantine } = scene.site.store.tables()
    expect(checkpoints.get(0)?.totals).toMatchObject({ billed: 2, quarantined: 2 })
    expect(quarantine.size).toBe(1)
  })
})

describe('a group', () => {
  it('that moves a partition in the middle of a batch: either commits, never both [39]', async () => {
    const scene = openScene()
    scene.when('store.commit', {
      act: ({ name }) => {
        scene.site.log.leave(name)
        scene.world.later(null, 1_000_000, () => scene.site.log.join(name))
      },
    })
    scene.send(1, ['one', 'two'])
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
  })

  it('whose member slept through its successor: the late commit is refused [40]', async () => {
    const scene = openScene()
    scene.when('dedupe.check', {
      after: 2,
      act: () => scene.fleet.pause(scene.holder(), 60_000_000),
    })
    scene.send(1, ['one', 'two'], [0, 1])
    scene.send(8, ['one', 'two', 'three'], [0, 1])
    expect(await scene.ended(70)).toEqual([])
    expect(scene.usage()).toBe(3)
    expect(scene.told('another process has it')).toBe(true)
  })

  it('that delivers again what is committed: skipped by its offset [41]', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.at(2, () => scene.site.log.misplace(0, 0))
    scene.send(2.5, ['two'])
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
  })

  it('that is ahead of the store is sought back: the store wins [42]', async () => {
    const scene = openScene()
    scene.at(1, () => scene.site.log.misplace(0, 1))
    scene.at(0.5, () => {
      for (const host of scene.fleet.hosts()) scene.fleet.pause(host, 1_500_000)
    })
    scene.at(1.5, () => scene.fleet.poison(0))
    scene.at(1.6, () => scene.fleet.poison(0))
    scene.send(3, ['one'])
    expect(await scene.ended(4)).toEqual([])
    expect(scene.usage()).toBe(1)
  })

  it('that gives one partition to two: one commits, and the other hears of it [47]', async () => {
    const scene = openScene()
    scene.at(1, () => scene.site.log.assignTwice(0))
    for (let each = 0; each < 10; each += 1) scene.send(1.5 + each / 4, [`event ${each}`])
    expect(await scene.ended(6)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([10, 0])
  })

  it('in which a slow taker comes after its successor: the successor takes it back', async () => {
    const scene = openScene()
    // The process that holds it by the group finds its epoch taken, and no rebalance follows.
    scene.at(1, () => {
      const { site } = scene
      void site.store
        .ports(scene.world.callsOf(scene.world.spawn('late')))
        .measuring.take(0, 'log one', 'late')
    })
    scene.send(2, ['one'])
    expect(await scene.ended(4)).toEqual([])
    expect(scene.usage()).toBe(1)
    const takers = scene.world.trace.filter(({ what }) => what === 'store.take 0')
    expect(takers.at(-2)?.who).toBe('late')
    expect(takers.at(-1)?.who).toBe(scene.holder().process.name)
  })
})
