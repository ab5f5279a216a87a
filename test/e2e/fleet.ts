import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import DodoPayments from 'dodopayments'
import { furnish } from '../support/process/furnish.ts'
import type { Environment, Server } from '../support/process/server.ts'
import { scratchDirectory, startServer } from '../support/process/server.ts'
import { readMetrics } from './asking.ts'
import type { OpenedParts } from './parts.ts'
import { subscriber } from './plan.ts'

/** Processes of one installation, by name. */
export interface Fleet {
  readonly environment: Environment
  /** A directory that no process uses. */
  readonly directory: string
  /** `entry`: the build to run, in place of this one. */
  start(name: string, roles: string, entry?: string): Promise<void>
  stop(name: string, signal: NodeJS.Signals): Promise<void>
  server(name: string): Server
  /** All that it has logged so far. */
  logged(name: string): string
  /** Usage that goes on until it is told to stop. */
  load(): Promise<Load>
  /** The sum over all processes. */
  unaccounted(): Promise<number>
  /** The base URLs of the processes that serve. */
  urls(): readonly string[]
  /**
   * The entry of a copy of this build with one more migration, in which every function of the
   * database has the name that another one has here.
   */
  newer(migration: string): string
  close(): Promise<void>
}

export interface Load {
  /** Whose usage it is, and the key with which it is sent. */
  readonly sender: { readonly key: string; readonly customerId: string }
  /** Resolves when usage that was accepted after the call has been measured. */
  progress(): Promise<void>
  /**
   * Stops it. Answers how many events were answered with 200, and the statuses of other answers.
   */
  end(): Promise<{ readonly accepted: number; readonly refused: readonly number[] }>
  /** Events counted by the balance. */
  counted(): Promise<number>
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const credits = 1_000_000_000
const callersMax = 4

export async function openFleet(parts: OpenedParts): Promise<Fleet> {
  const scratch = scratchDirectory()
  const servers = new Map<string, Server>()
  const logs = new Map<string, string>()
  const ends: (() => Promise<unknown>)[] = []
  const { environment } = parts
  let made: Awaited<ReturnType<typeof furnish>> | null = null
  return {
    environment,
    directory: scratch.path,
    start,
    stop,
    server: (name) => found(servers.get(name)),
    logged: (name) => logs.get(name) ?? '',
    load,
    unaccounted,
    urls,
    newer,
    async close() {
      for (const end of ends) await end()
      for (const server of servers.values()) {
        server.child.kill('SIGCONT')
        await server.stop('SIGKILL')
      }
      await parts.close()
      scratch.remove()
    },
  }

  async function start(name: string, roles: string, entry?: string): Promise<void> {
    const server = await startServer(environment, roles, entry)
    servers.set(name, server)
    server.child.stderr?.on('data', (chunk: Buffer) => {
      logs.set(name, (logs.get(name) ?? '') + chunk.toString())
    })
  }

  async function stop(name: string, signal: NodeJS.Signals): Promise<void> {
    const server = found(servers.get(name))
    servers.delete(name)
    const { status } = await server.stop(signal)
    if (signal === 'SIGTERM' && status !== 0) throw new Error(`${name} ended with ${status}.`)
  }

  /** The URL of a process that serves, another one each time. */
  function url(turn: number): string {
    const all = urls()
    return all[turn % all.length] ?? 'http://nowhere.invalid'
  }

  function urls(): readonly string[] {
    return [...servers.values()].flatMap(({ ready }) => ready['test_url'] ?? [])
  }

  async function load(): Promise<Load> {
    made ??= await furnish(environment)
    const key = made.keys.write
    const at = { client: () => new DodoPayments({ bearerToken: key, baseURL: url(0) }) }
    const one = await subscriber(at, { mapping: { credits_amount: String(credits) } })
    const refused: number[] = []
    let [accepted, turn, ending] = [0, 0, false]
    const callers = Array.from({ length: callersMax }, (_, caller) => call(caller))
    const over = Promise.all(callers)
    ends.push(end)
    return { sender: { key, customerId: one.customerId }, progress, end, counted }

    async function call(caller: number): Promise<void> {
      for (let batch = 0; !ending; batch += 1) {
        const events = Array.from({ length: 1 + ((caller * 7 + batch) % 25) }, (_, index) => ({
          event_id: `${one.customerId} ${caller}-${batch}-${index}`,
          customer_id: one.customerId,
          event_name: one.eventNames[0],
        }))
        // Sends the same ids until they are answered.
        while ((await send(events)) !== 200) await sleep(50)
        accepted += events.length
        await sleep(60)
      }
    }

    async function send(events: readonly object[]): Promise<number | null> {
      turn += 1
      const answer = await fetch(`${url(turn)}/events/ingest`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ events }),
      }).catch(() => null)
      if (answer !== null && answer.status !== 200) refused.push(answer.status)
      return answer?.status ?? null
    }

    async function counted(): Promise<number> {
      return credits - Number((await one.balance()).balance)
    }

    async function progress(): Promise<void> {
      const wanted = accepted + 1
      while ((await counted().catch(() => 0)) < wanted) await sleep(250)
    }

    async function end() {
      ending = true
      await over
      return { accepted, refused }
    }
  }

  async function unaccounted(): Promise<number> {
    const texts = [...servers.values()].map(async ({ ready }) =>
      (await fetch(`${ready['ops_url']}/metrics`)).text(),
    )
    const each = (await Promise.all(texts)).map(
      (text) => readMetrics(text).get('sluice_unaccounted_events') ?? 0,
    )
    return each.reduce((sum, one) => sum + one, 0)
  }

  function newer(migration: string): string {
    const copy = join(scratch.path, 'newer')
    mkdirSync(copy)
    for (const name of ['dist', 'package.json']) {
      cpSync(join(root, name), join(copy, name), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const driver = join(copy, 'dist/src/parts/store/postgres')
    const folder = join(driver, 'schema/migrations')
    const next = String(readdirSync(folder).length + 1).padStart(4, '0')
    writeFileSync(join(folder, `${next}.sql`), migration)
    renameFunctions(join(copy, 'dist'), driver)
    return join(copy, 'dist/src/main.js')
  }
}

/**
 * Gives each function the name of the next one, where it is made and wherever it is called: in the
 * driver, and in what it was bundled into.
 */
function renameFunctions(dist: string, driver: string): void {
  const names = readdirSync(join(driver, 'schema/functions'))
    .map((file) => file.slice(0, -'.sql'.length))
    // Names of one word are left out, since other things may be called the same.
    .filter((name) => name.includes('_'))
  const renamed = new Map(names.map((name, at) => [name, names[(at + 1) % names.length] ?? name]))
  const called = new RegExp(`\\b(${names.join('|')})(?=\\s*\\()`, 'g')
  const bundled = ['run', 'workers'].flatMap((folder) => filesBelow(join(dist, folder)))
  const programs = ['main.js', 'main-engine.js'].map((name) => join(dist, 'src', name))
  for (const path of [...filesBelow(driver), ...bundled, ...programs]) {
    if (!/\.(js|sql)$/.test(path) || path.includes('migrations')) continue
    const text = readFileSync(path, 'utf8')
    const other = text.replace(called, (name) => renamed.get(name) ?? name)
    if (other !== text) writeFileSync(path, other)
  }
}

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file))

function found(server: Server | undefined): Server {
  if (server === undefined) throw new Error('There is no such process in the fleet.')
  return server
}
