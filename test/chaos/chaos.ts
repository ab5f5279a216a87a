import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { attachPostgres } from '../../src/parts/store/embedded/postgres.ts'
import type { Db } from '../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../src/parts/store/postgres/connection/client.ts'
import { openApi } from './api.ts'
import { audit } from './audit.ts'
import { faultsNamed, randomFaults } from './bag-of-faults.ts'
import { makeCatalogue } from './catalogue.ts'
import { nothingKept, nothingSent, startLoad } from './clients.ts'
import type { AuditParts, Difference } from './differences.ts'
import { difference } from './differences.ts'
import type { Scene } from './faults.ts'
import { faults as everyFault } from './faults.ts'
import { openTenants } from './greedy-faults.ts'
import type { Sent } from './load.ts'
import { openModel } from './model.ts'
import { processesNaming } from './processes.ts'
import { untilQuiet } from './quiet.ts'
import { randomFrom } from './random.ts'
import { openWebhookReceiver } from './receiver.ts'
import type { ChaosServer } from './server.ts'
import { openChaosServer } from './server.ts'
import { runVerify } from './verifying.ts'

export interface ChaosOptions {
  /** How many random faults, or the names of these. */
  readonly faults: number | readonly string[]
  readonly seed: number
  /** No fault strikes after so many minutes. */
  readonly minutes: number
  /** How many clients send usage. */
  readonly senders: number
  readonly progress: (line: string) => void
}

export interface ChaosResult {
  readonly seed: number
  /** How many seeds to run, from the first one on. */
  readonly seeds?: number
  readonly seconds: number
  readonly sent: Sent
  /** Distinct events that were accepted. */
  readonly accepted: number
  readonly unanswered: number
  readonly webhooks: number
  /** How often each fault struck. */
  readonly faults: ReadonlyMap<string, number>
  readonly kills: number
  /** Moments that did not come in time. */
  readonly missed: readonly string[]
  readonly differences: readonly Difference[]
  /** Null: the command is not there. */
  readonly verify: 'passed' | 'failed' | null
  /** Kept where something differs. */
  readonly dataDir: string | null
  /** How much there was of what money is about; absent: there was no money. */
  readonly money?: MoneyCounts
}

/** What buyers and the operator did while money went through a server that was killed. */
export interface MoneyCounts {
  readonly sessions: number
  readonly payments: number
  readonly refunds: number
  readonly disputes: number
  readonly payouts: number
  /** The operator's commands: done, refused, and killed themselves. */
  readonly done: number
  readonly refused: number
  readonly killed: number
}

/** Breaks a loaded server in all known ways, lets it come to rest, and compares the books. */
export async function chaos(options: ChaosOptions): Promise<ChaosResult> {
  const began = performance.now()
  const random = randomFrom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const server = await openChaosServer(dataDir, random.stream('ports'))
  const receiver = await openWebhookReceiver(random.stream('receiver'))
  const wrongs = new Map<string, number>()
  const wrong = (what: string): void => void wrongs.set(what, (wrongs.get(what) ?? 0) + 1)
  try {
    const ready = await server.start()
    const url = () => server.url
    const key = ready['api_key'] ?? ''
    const tenants = await openTenants({ url, key }, { DATA_DIR: join(dataDir, 'data') })
    const api = openApi({
      url,
      key,
      answered: ({ method, path }, { status }) => {
        if (status === 500) wrong(`${method} ${path.replace(/[^/]*_[^/]*/g, '…')} answered 500`)
      },
    })
    const { trust } = receiver
    const catalogue = await makeCatalogue(api, { webhookUrl: receiver.url, trust })
    const model = openModel(catalogue)
    const [sent, kept] = [nothingSent(), nothingKept()]
    const parts = { api, catalogue, model, wrong, sent, kept }
    const load = startLoad(parts, random, { senders: options.senders, name: '' })
    const broken = await breakThings(
      { server, tenants, wrong, random: random.stream('faults') },
      options,
    )
    options.progress('load ends')
    await load.stop()
    options.progress('waiting for rest')
    const { books, verify } = await compare({ ...parts, ...kept, server, receiver })
    const differences = [...strange(wrongs, server, receiver.wrongs), ...books]
    const result: ChaosResult = {
      seed: options.seed,
      seconds: Math.round((performance.now() - began) / 1_000),
      sent,
      accepted: model.events,
      unanswered: kept.unanswered.length,
      webhooks: receiver.requests,
      ...broken,
      differences,
      verify,
      dataDir: differences.length === 0 ? null : dataDir,
    }
    if (result.dataDir === null) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    return result
  } catch (error) {
    options.progress(`The data directory is kept: ${dataDir}`)
    throw error
  } finally {
    await server.kill()
    await receiver.close()
  }
}

async function breakThings(
  scene: Omit<Scene, 'missed'>,
  { faults, minutes, progress }: ChaosOptions,
): Promise<Pick<ChaosResult, 'faults' | 'kills' | 'missed'>> {
  const { random } = scene
  const counts = new Map<string, number>()
  const missed: string[] = []
  const count = typeof faults === 'number' ? faults : faults.length
  const chosen =
    typeof faults === 'number'
      ? randomFaults(everyFault, { random, count })
      : faultsNamed(everyFault, faults)
  const deadline = performance.now() + minutes * 60_000
  let [number, kills] = [0, 0]
  await sleep(500)
  for (const fault of chosen) {
    if (performance.now() > deadline) break
    number += 1
    progress(`${number}/${count} ${fault.name}`)
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    if (fault.kills) kills += 1
    await fault.strike({ ...scene, missed: (name) => missed.push(name) })
    await sleep(random.between(50, 1_200))
  }
  return { faults: counts, kills, missed }
}

const restMs = 300_000

/** Waits until the server is at rest, compares, and stops it; nothing of it may be left. */
async function compare(
  parts: Omit<AuditParts, 'db' | 'opsUrls'> & { readonly server: ChaosServer },
): Promise<{ readonly books: readonly Difference[]; readonly verify: ChaosResult['verify'] }> {
  const { server } = parts
  const db = await openStore(server)
  try {
    const left = await untilQuiet({ opsUrls: [server.opsUrl], db, withinMs: restMs })
    const restless = Object.entries(left).filter(([, count]) => count !== 0)
    const unrest = restless.map(([name, count]) => difference(`left: ${name}`, 0, count))
    const books = await audit({ ...parts, opsUrls: [server.opsUrl], db })
    const { verify, said } = await runVerify({ DATA_DIR: join(server.dataDir, 'data') })
    const failed = verify === 'failed' ? [difference('sluice verify', 'passes', said)] : []
    const ended = await endOf(server)
    return { books: [...unrest, ...books, ...failed, ...ended], verify }
  } finally {
    await db.close()
  }
}

async function openStore(server: ChaosServer): Promise<Db> {
  for (let tries = 0; tries < 300; tries += 1) {
    const url = await attachPostgres(join(server.dataDir, 'data/postgres'))
    if (url !== null) return openDb({ url, connectionsMax: 2, name: 'chaos audit' })
    await sleep(100)
  }
  throw new Error('The server has no PostgreSQL.')
}

async function endOf(server: ChaosServer): Promise<readonly Difference[]> {
  const { status } = await server.terminate()
  const left = processesNaming(server.dataDir).length
  const found = [difference('exit status at the end', 0, status)]
  if (left > 0) found.push(difference('processes left behind', 0, left))
  return found.filter(({ expected, found: status }) => expected !== status)
}

/** What was noticed along the way. */
function strange(
  wrongs: ReadonlyMap<string, number>,
  server: ChaosServer,
  receiver: readonly string[],
): readonly Difference[] {
  return [
    ...[...wrongs].map(([what, times]) => difference(what, 'never', `${times} times`)),
    ...server.crashes.map((what) => difference('the server', 'lives on', what)),
    ...receiver.slice(0, 20).map((what) => difference('webhooks', 'the same and signed', what)),
  ]
}
