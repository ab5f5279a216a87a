import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Look } from '../support/pages/described-answers.ts'
import { furnish } from '../support/process/furnish.ts'
import type { Furnished, Keys } from '../support/process/furnished.ts'
import { installAt } from '../support/process/installation.ts'
import { operate } from '../support/process/operator.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { proxied, scratchDirectory, startServer } from '../support/process/server.ts'
import type { Asking } from './asking.ts'
import { asking, metricsAt } from './asking.ts'
import { partsOfThisFile } from './parts.ts'

/** A running server, as it looks from outside. */
export interface World extends Asking {
  readonly directory: string
  /** Settings that its servers are started with. */
  readonly environment: Environment
  readonly businessId: string
  readonly keys: Keys
  readonly server: Server
  /** All that any server of this world has logged so far. */
  readonly logged: string
  url(which?: 'test' | 'live' | 'ops'): string
  /** Runs a command of the operator and answers what `--json` prints. */
  sluice(...words: string[]): Promise<Readonly<Record<string, unknown>>>
  /** Ends the server by a signal, if it runs, and starts it on the same directory. */
  restart(signal?: NodeJS.Signals): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** A counter, by the name and labels it is printed with, over all processes. */
  total(counter: string): Promise<number>
}

/**
 * One server for the whole file, with its companions if the file has any. `look` is shown all that
 * it answers.
 */
export function world(
  environment: Environment = {},
  { parts = partsOfThisFile(), look = null }: Options = {},
): World {
  const scratch = scratchDirectory()
  const directory = join(scratch.path, 'data')
  let settings: Environment = { DATA_DIR: directory, ...proxied, ...environment }
  let ground: Awaited<ReturnType<typeof parts.open>> | null = null
  const companions: Server[] = []
  let server: Server | null = null
  let made: Furnished | null = null
  let earlier = ''
  let heard = ''
  beforeAll(async () => {
    ground = await parts.open()
    settings = { ...settings, ...ground.environment }
    const apart = ['DATABASE_URL', 'KAFKA_BROKERS', 'REDIS_URL'].some((name) => name in settings)
    if (!apart && settings['DATA_DIR'] === directory) made = await installAt(directory)
    await start()
    for (const roles of parts.companions) companions.push(await startServer(settings, roles))
    made ??= await furnish(settings)
  }, 300_000)
  afterAll(async () => {
    await stop('SIGKILL')
    for (const companion of companions) await companion.stop('SIGKILL')
    await ground?.close()
    scratch.remove()
  })
  return {
    directory,
    get environment() {
      return settings
    },
    get businessId() {
      return furnished().businessId
    },
    get keys() {
      return furnished().keys
    },
    get server() {
      assert(server !== null, 'The server does not run.')
      return server
    },
    get logged() {
      return earlier + heard
    },
    url,
    ...asking({ url, keys: () => furnished().keys, look }),
    sluice: (...words) => operate(settings, words),
    start,
    stop,
    async restart(signal) {
      await stop(signal)
      await start()
    },
    async total(counter) {
      const urls = companions.map(({ ready }) => ready['ops_url'] ?? '').concat(url('ops'))
      const each = await Promise.all(urls.map(metricsAt))
      return each.reduce((sum, metrics) => sum + (metrics.get(counter) ?? 0), 0)
    },
  }

  function furnished() {
    assert(made !== null, 'The world is not open yet.')
    return made
  }

  function url(which: 'test' | 'live' | 'ops' = 'test'): string {
    return server?.ready[`${which}_url`] ?? 'http://nowhere.invalid'
  }

  async function start(): Promise<void> {
    assert(server === null)
    server = await startServer(settings)
    server.child.stderr?.on('data', (chunk: Buffer) => {
      heard += chunk.toString()
    })
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (server === null) return
    const stopping = server
    server = null
    const { error } = await stopping.stop(signal)
    earlier += error
    heard = ''
  }
}

interface Options {
  readonly parts?: ReturnType<typeof partsOfThisFile>
  readonly look?: Look | null
}
