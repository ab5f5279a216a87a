import { describe, expect, it } from 'vitest'
import { openScene } from './scene.ts'
import { webhookId } from './shop.ts'

// Orders of events that break systems like this one, by the numbers of this folder's README.

describe('an edge that is killed', () => {
  it('between filter and append: nothing is in the log, the retry counts once [1]', async () => {
    const scene = openScene()
    scene.when('log.append', { by: 'A', fate: 'killed before' })
    scene.send(1, ['one', 'two'], [0, 1])
    expect(await scene.ended()).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
    expect(scene.answers).toEqual([null, 200])
  })

  it('after the append, before the answer: the retry is a repeat or known [2]', async () => {
    const scene = openScene()
    scene.when('log.append', { by: 'A', fate: 'killed after' })
    scene.send(1, ['one', 'two'], [0, 1])
    expect(await scene.ended()).toEqual([])
    expect(scene.usage()).toBe(2)
    expect(scene.answers).toEqual([null, 200])
  })

  it('after the answer, before the mark: a late copy counts nothing [3]', async () => {
    const scene = openScene()
    scene.when('dedupe.mark', { fate: 'killed before' })
    scene.send(1, ['one'])
    scene.send(6, ['one'])
    expect(await scene.ended(7)).toEqual([])
    expect(scene.told('is killed as it calls dedupe.mark')).toBe(true)
    expect(scene.usage()).toBe(1)
  })
})

describe('one event', () => {
  it('at two edges at once counts once [17]', async () => {
    const scene = openScene()
    scene.send(1, ['one'], [0])
    scene.send(1, ['one'], [1])
    expect(await scene.ended()).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([1, 1])
  })

  it('in an append of unknown result counts once, however often it got there [35]', async () => {
    const scene = openScene()
    scene.when('log.append', { fate: 'unanswered' })
    scene.send(1, ['one'])
    expect(await scene.ended()).toEqual([])
    expect(scene.answers).toEqual([503, 200])
    expect(scene.usage()).toBe(1)
  })
})

describe('a dedupe', () => {
  it('that is flushed is healed before anything more is judged [27]', async () => {
    const scene = openScene()
    scene.send(1, ['one', 'two'])
    scene.at(2, scene.site.dedupe.flush)
    scene.send(2.1, ['one', 'two', 'three'])
    expect(await scene.ended()).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([3, 2])
    expect(scene.told('healing dedupe')).toBe(true)
  })

  it('that loses its last marks in a failover is healed from where it is [28]', async () => {
    const scene = openScene()
    const { dedupe } = scene.site
    scene.send(1, ['one'])
    scene.at(1.5, () => {
      const copy = dedupe.copy()
      scene.at(1, () => dedupe.restore(copy))
    })
    scene.send(2, ['two'])
    scene.send(3, ['one', 'two', 'three'])
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([3, 1])
  })

  it('that is an old copy, of a name that counts no more, is not believed [29]', async () => {
    const scene = openScene()
    const { dedupe } = scene.site
    scene.send(1, ['one'])
    scene.at(1.5, () => {
      const copy = dedupe.copy()
      dedupe.flush()
      scene.at(2, () => dedupe.restore(copy))
    })
    scene.send(2, ['two'])
    scene.send(4, ['one', 'two', 'three'])
    expect(await scene.ended(5)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([3, 2])
  })
})

describe('a commit', () => {
  it.each([
    ['before it', 'killed before'],
    ['right after it', 'killed after'],
  ] as const)('whose process is killed %s is all or nothing [49]', async (_, fate) => {
    const scene = openScene()
    scene.when('store.commit', { fate })
    scene.send(1, ['one', 'two'])
    scene.send(6, ['one', 'two'])
    expect(await scene.ended(7)).toEqual([])
    expect(scene.usage()).toBe(2)
  })

  it('of unknown result is asked for, not repeated [50]', async () => {
    const scene = openScene()
    scene.when('store.commit', { fate: 'unanswered' })
    scene.send(1, ['one', 'two'])
    expect(await scene.ended()).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
  })

  it('that gives way to another transaction is done again, whole [51]', async () => {
    const scene = openScene()
    for (const call of ['store.commit', 'store.save', 'store.relay'])
      scene.when(call, { fate: 'refused' })
    scene.send(1, ['one', 'two'])
    expect(await scene.ended()).toEqual([])
    expect(scene.usage()).toBe(2)
  })
})

describe('a store', () => {
  it('that lost its last commits in a failover measures them again [52]', async () => {
    const scene = openScene()
    scene.send(1, ['one'])
    scene.at(1.5, () => {
      const copy = scene.site.store.copy()
      scene.at(1, () => scene.fleet.restoreStore(copy))
    })
    scene.send(2, ['two'])
    // No event comes after it, so the loss must be noticed without one.
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
  })

  it('whose standby never heard of the partition commits nothing without a checkpoint [52]', async () => {
    const scene = openScene()
    const empty = scene.site.store.copy()
    scene.send(1, ['one'])
    scene.at(2, () => scene.fleet.restoreStore(empty))
    scene.send(2.1, ['two'])
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([2, 0])
  })

  it('whose standby never heard of the partition measures it again, also where nothing comes any more [52]', async () => {
    const scene = openScene()
    const empty = scene.site.store.copy()
    scene.send(1, ['one'])
    scene.at(2, () => scene.fleet.restoreStore(empty))
    expect(await scene.ended(4)).toEqual([])
    expect([scene.usage(), scene.duplicates()]).toEqual([1, 0])
  })

  it('from a backup replays the log, ledger and facts included [59]', async () => {
    const scene = openScene()
    scene.adjust(0.5, 'credit', 5_000n)
    scene.send(1, ['one'])
    scene.at(2, () => {
      const copy = scene.site.store.copy()
      scene.at(2, () => {
        for (const host of scene.fleet.hosts()) scene.fleet.kill(host, 100_000)
        scene.fleet.restoreStore(copy)
      })
    })
    scene.send(3, ['two', 'three', 'four'])
    expect(await scene.ended(6)).toEqual([])
    expect(scene.usage()).toBe(4)
  })

  it('from a backup older than the log halts: it is not guessed what was there [59]', async () => {
    const scene = openScene()
    const empty = scene.site.store.copy()
    scene.send(1, ['one'])
    scene.send(1.5, ['two'])
    scene.at(3, () => {
      scene.site.log.trim(0, 1)
      for (const host of scene.fleet.hosts()) scene.fleet.kill(host, 100_000)
      scene.fleet.restoreStore(empty)
    })
    expect(await scene.ended(6)).toEqual([])
    expect(scene.site.store.tables().checkpoints.get(0)?.halted).toMatch(/begins at 1, after/)
  })
})

describe('telling', () => {
  it('says once that a balance is low, however large the batch that took it there [56]', async () => {
    const scene = openScene()
    scene.adjust(0.5, 'credit', 3_000n)
    scene.when('store.save', { after: 1, fate: 'unanswered' })
    scene.send(
      1,
      Array.from({ length: 60 }, (_, each) => `event ${each}`),
    )
    expect(await scene.ended()).toEqual([])
    const facts = [...scene.site.store.tables().facts.values()].map(({ type }) => type)
    expect(facts.filter((type) => type === 'credit.balance_low')).toHaveLength(1)
  })

  it('again, after a crash between the answer and writing it down, the same words [65]', async () => {
    const scene = openScene()
    scene.when('store.record', { fate: 'killed before' })
    scene.send(1, ['one', 'two', 'three'])
    expect(await scene.ended(4)).toEqual([])
    expect(scene.told('is killed as it calls store.record')).toBe(true)
    const { deliveries } = scene.site.store.tables()
    expect(deliveries.size).toBeGreaterThan(0)
    for (const { messageId, outcome, webhookId: to } of deliveries.values()) {
      expect([outcome, to]).toEqual(['delivered', webhookId])
      // It was told more than once with one body: the audit has compared them.
      expect(scene.receiver.bodies.get(messageId)?.size).toBe(1)
    }
  })
})
