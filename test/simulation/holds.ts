import { second } from '../../src/std/instant.ts'
import type { World } from './world.ts'

/**
 * Versions that a transaction holds: writers that would change one of them wait until it is over.
 */
export interface Hold {
  isOver(): boolean
  release(): void
}

/** The store ends a transaction in which nothing happens. */
const idleMax = 5 * second

export function openHolds(world: World) {
  const held = new Map<string, number>()
  const waiting: { readonly name: string; readonly work: () => void }[] = []
  return { take, change }

  function take(names: readonly string[]): Hold {
    for (const name of names) held.set(name, (held.get(name) ?? 0) + 1)
    let over = false
    world.later(null, idleMax, release)
    return { isOver: () => over, release }

    function release(): void {
      if (over) return
      over = true
      for (const name of names) held.set(name, (held.get(name) ?? 0) - 1)
      for (const { name, work } of waiting.splice(0)) change(name, work)
    }
  }

  function change(name: string, work: () => void): void {
    if ((held.get(name) ?? 0) > 0) waiting.push({ name, work })
    else work()
  }
}
