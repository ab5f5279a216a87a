import assert from 'node:assert/strict'
import { join } from 'node:path'
import DodoPayments from 'dodopayments'
import { limits } from '../../../src/limits.ts'
import { openLmdbEventLog } from '../../../src/parts/event-log/lmdb/event-log.ts'
import { openLmdbLogReader } from '../../../src/parts/event-log/lmdb/reader.ts'
import { createSharedLog } from '../../../src/parts/event-log/lmdb/shared.ts'
import type { EventLog } from '../../../src/parts/event-log/port.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { operate as ofRun } from '../../support/process/operator.ts'
import type { Environment, Server } from '../../support/process/server.ts'
import { sluice, startServer } from '../../support/process/server.ts'
import { quiet } from '../../support/runtime/logger.ts'

/** Settings under which an installation is written, and opened by later versions. */
export const settings = {
  // Thirty-two bytes that are no secret.
  SECRETS_KEY: Buffer.from('no secret: upgrades of databases').toString('base64'),
  // Nothing of the installation may be dropped for its age, however late it is opened.
  EVENT_RETENTION: '3660d',
  WEBHOOK_RETENTION: '3660d',
  LOG_RETENTION: '90d',
  LOG_LEVEL: 'warn',
} as const

export interface Installation {
  readonly environment: Environment
  readonly key: string
  client(): DodoPayments
  /** What an operator's command prints. */
  operate(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>>
  /** The body of the answer, which must be a good one. */
  ask(target: `${string} /${string}`, body?: unknown): Promise<Readonly<Record<string, unknown>>>
  restart(whileStopped: () => Promise<void>): Promise<void>
  stop(): Promise<void>
  /** Kills it at once. */
  kill(): Promise<unknown>
}

export interface InstallationOptions {
  readonly environment: Environment
  /** The key with which it is called. Absent: a business is made, with keys of each kind. */
  readonly key?: string
  /** The build to run, in place of this one. */
  readonly entry?: string
}

export async function openInstallation(options: InstallationOptions): Promise<Installation> {
  const { environment, entry } = options
  const start = (): Promise<Server> => startServer(environment, undefined, entry)
  let server = await start()
  const key = options.key ?? (await furnish())
  const url = () => String(server.ready['test_url'])
  return {
    environment,
    key,
    client: () => new DodoPayments({ bearerToken: key, baseURL: url() }),
    operate,
    ask,
    async restart(whileStopped) {
      await stop()
      await whileStopped()
      server = await start()
    },
    stop,
    kill: () => server.stop('SIGKILL'),
  }

  async function ask(target: string, body?: unknown) {
    const [method = '', path = ''] = target.split(' ')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(url() + path, { method, headers, ...sent })
    const text = await answer.text()
    assert(answer.ok, `${target}: ${answer.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }

  async function furnish(): Promise<string> {
    const words = ['business', 'create', '--name', 'Upgrades', '--rate-tier', 'unlimited']
    const business = String((await operate(...words))['business_id'])
    const create = (mode: string, ...more: string[]) =>
      operate('keys', 'create', '--business', business, '--mode', mode, ...more)
    await create('live')
    await create('test', '--read-only', '--name', 'reader')
    const { key_id: gone } = await create('test')
    await operate('keys', 'revoke', String(gone))
    return String((await create('test', '--name', 'writer'))['api_key'])
  }

  async function operate(...words: readonly string[]) {
    if (entry === undefined) return ofRun(environment, words)
    const { status, out, error } = await sluice([...words, '--json'], environment, entry)
    assert.equal(status, 0, error)
    return JSON.parse(out)
  }

  async function stop(): Promise<void> {
    const { status, error } = await server.stop()
    assert.equal(status, 0, error)
  }
}

/** Appends a record that nothing can be read from. No server may run. */
export function appendUnreadable(dataDir: string, partitions: number): Promise<void> {
  const record = { partition: 0, value: Buffer.from('{no json\n'), events: 1 }
  return withLog(dataDir, partitions, async (log) => void (await log.append([record])))
}

/** Appends everything once more, as an edge does that does not know yet what was measured. */
export function appendAgain(dataDir: string, partitions: number): Promise<void> {
  return withLog(dataDir, partitions, async (log) => {
    const reader = await openLmdbLogReader({ directory: join(dataDir, 'log'), shared: null })
    for (let partition = 0; partition < partitions; partition += 1) {
      const { first, end } = await reader.bounds(partition)
      for (let at = first; at < end; at += 1) {
        const [record] = await reader.read(partition, at, 1)
        assert(record !== undefined)
        if (record.events > 0) await log.append([{ ...record }])
      }
    }
    await reader.close()
  })
}

async function withLog(
  dataDir: string,
  partitions: number,
  work: (log: EventLog) => Promise<void>,
): Promise<void> {
  const log = await openLmdbEventLog({
    directory: join(dataDir, 'log'),
    partitions,
    shared: createSharedLog(partitions),
    budgetBytes: 1_000_000_000,
    diskReserveBytes: limits.recordBytesMax,
    clock: systemClock(),
    logger: quiet,
  })
  await work(log)
  await log.close()
}
