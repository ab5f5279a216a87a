import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/faults.ts'
import { loop } from '../../src/runtime/loop.ts'
import { rememberingLogger } from '../support/runtime/logger.ts'

/** Work that a test steps through: it learns of each round, and says how it ends. */
function stepped() {
  const rounds: (() => Promise<boolean>)[] = []
  let seen = 0
  let arrived: (() => void) | null = null
  return { work, until, rounds, seen: () => seen }

  async function work(): Promise<boolean> {
    seen += 1
    arrived?.()
    return (await rounds.shift()?.()) ?? false
  }

  async function until(count: number): Promise<void> {
    while (seen < count) await new Promise<void>((resolve) => (arrived = resolve))
  }
}

const forever = 1_000_000

describe('a loop', () => {
  it('goes on at once while there is more, and waits for a nudge when there is not', async () => {
    const { work, until, rounds, seen } = stepped()
    rounds.push(
      async () => true,
      async () => true,
    )
    const one = loop({ name: 'one', work, idleMs: forever, logger: rememberingLogger() })
    one.start()
    await until(3)
    one.nudge()
    await until(4)
    expect(seen()).toBe(4)
    await one.stop()
  })

  it('does not lose a nudge that comes during a round', async () => {
    const { work, until, rounds } = stepped()
    const one = loop({ name: 'one', work, idleMs: forever, logger: rememberingLogger() })
    rounds.push(async () => {
      one.nudge()
      return false
    })
    one.start()
    await until(2)
    await one.stop()
  })

  it('stops only after the round under way, and begins none after', async () => {
    const { work, until, rounds, seen } = stepped()
    let finish: () => void = () => undefined
    rounds.push(() => new Promise((resolve) => (finish = () => resolve(true))))
    const one = loop({ name: 'one', work, idleMs: forever, logger: rememberingLogger() })
    one.start()
    await until(1)
    let stopped = false
    const stopping = one.stop().then(() => (stopped = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(stopped).toBe(false)
    finish()
    await stopping
    one.nudge()
    expect(seen()).toBe(1)
  })

  it('outlives failures, says once that the store is away, and when it works again', async () => {
    const logger = rememberingLogger()
    const { work, until, rounds } = stepped()
    const away = () => Promise.reject(new Fault('UNAVAILABLE', 'away'))
    rounds.push(away, away, async () => false)
    const one = loop({ name: 'one', work, idleMs: forever, logger })
    one.start()
    await until(3)
    await one.stop()
    expect(logger.told.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'warn waits for the store',
      'info works again',
    ])
  })

  it('pauses after other errors, which a nudge does not cut short, but a stop does', async () => {
    const logger = rememberingLogger()
    const { work, until, rounds, seen } = stepped()
    rounds.push(() => Promise.reject(new Error('odd')))
    const one = loop({ name: 'one', work, idleMs: forever, logger })
    one.start()
    await until(1)
    await new Promise((resolve) => setImmediate(resolve))
    one.nudge()
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen()).toBe(1)
    await one.stop()
    expect(logger.told.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'error a round failed',
    ])
  })

  it('rests before its first round where that is said, each time for as long as it is then', async () => {
    const { work, until, seen } = stepped()
    let idle = forever
    const idleMs = (): number => idle
    const one = loop({ name: 'one', work, idleMs, restsFirst: true, logger: rememberingLogger() })
    one.start()
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen()).toBe(0)
    idle = 1
    one.nudge()
    await until(3)
    await one.stop()
  })

  it('ends the process where what a failed round held would be lost to the next', async () => {
    const logger = rememberingLogger()
    const thrown: unknown[] = []
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.once('uncaughtException', (error) => thrown.push(error))
    const failure = new Error('odd')
    const work = () => Promise.reject(failure)
    const one = loop({ name: 'one', work, idleMs: 1, onFailure: 'end', logger })
    one.start()
    await expect.poll(() => thrown).toEqual([failure])
    for (const listener of before) process.on('uncaughtException', listener)
    await one.stop()
    expect(logger.told.map(({ level, message }) => `${level} ${message}`)).toEqual([
      'error a round failed that cannot be repeated',
    ])
  })
})
