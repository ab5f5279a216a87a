import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '../../../src/parts/store/postgres/connection/client.ts'
import { openDb } from '../../../src/parts/store/postgres/connection/client.ts'
import { openApi } from '../api.ts'
import { faultsNamed, randomFaults } from '../bag-of-faults.ts'
import { makeCatalogue } from '../catalogue.ts'
import type { ChaosOptions, ChaosResult } from '../chaos.ts'
import { nothingKept, nothingSent, startLoad } from '../clients.ts'
import type { Difference } from '../differences.ts'
import { difference } from '../differences.ts'
import { openTenants } from '../greedy-faults.ts'
import { openModel } from '../model.ts'
import { makeBusiness, makeKey } from '../operator.ts'
import { processesWith } from '../processes.ts'
import { untilQuiet } from '../quiet.ts'
import { randomFrom } from '../random.ts'
import { openWebhookReceiver } from '../receiver.ts'
import type { Verified } from '../verifying.ts'
import { runVerify } from '../verifying.ts'
import type { DistributedAuditParts } from './audit.ts'
import { auditDistributed } from './audit.ts'
import type { Fault } from './faults.ts'
import type { ChaosFleet } from './fleet.ts'
import { openChaosFleet } from './fleet.ts'
import type { Ground } from './ground.ts'
import { openGround } from './ground.ts'
import type { RedisKind } from './redis.ts'
import { redisKinds } from './redis.ts'
import type { Strikes } from './striking.ts'
import { faults as everyFault, openStrikes } from './striking.ts'

export interface DistributedOptions extends ChaosOptions {
  /** The kind of Redis; absent: the seed decides. */
  readonly redis?: RedisKind
  /** After so many faults the load pauses and everything is compared; then it goes on. */
  readonly faultsPerRound: number
}

const restMs = 600_000

/** How long after all have come to rest `/readyz` of one may still say "not ready". */
const readyMs = 30_000

/**
 * Breaks the servers and processes of one installation, several at a time, lets it come to rest,
 * and compares the books.
 */
export async function distributedChaos(options: DistributedOptions): Promise<ChaosResult> {
  const random = randomFrom(options.seed)
  const directory = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const kind = options.redis ?? redisKinds[options.seed % redisKinds.length] ?? 'sentinel'
  const strikes = openStrikes({
    random: random.stream('faults'),
    deadlineMs: performance.now() + options.minutes * 60_000,
    progress: options.progress,
  })
  options.progress(`seed ${options.seed}: three brokers, Redis (${kind}), PostgreSQL`)
  const ground = await openGround(kind)
  const { isStruck } = strikes
  const fleet = await openChaosFleet({ directory, environment: ground.settings, isStruck })
  try {
    const result = await campaign({ ground, fleet, strikes, directory }, options)
    if (result.dataDir === null) rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
    return result
  } catch (error) {
    options.progress(`The logs are kept: ${directory}`)
    throw error
  } finally {
    await fleet.kill()
    await ground.stop()
  }
}

interface Stage {
  readonly ground: Ground
  readonly fleet: ChaosFleet
  readonly strikes: Strikes
  readonly directory: string
}

async function campaign(stage: Stage, options: DistributedOptions): Promise<ChaosResult> {
  const { ground, fleet, strikes, directory } = stage
  const began = performance.now()
  const random = randomFrom(options.seed)
  const wrongs = new Map<string, number>()
  const wrong = (what: string): void => void wrongs.set(what, (wrongs.get(what) ?? 0) + 1)
  const receiver = await openWebhookReceiver(random.stream('receiver'))
  const db = openDb({ url: ground.postgres.url, connectionsMax: 2, name: 'chaos audit' })
  try {
    await fleet.start()
    const key = await makeKey(await makeBusiness('Chaos', ground.settings), ground.settings)
    const tenants = await openTenants({ url: fleet.nextUrl, key }, ground.settings)
    const api = openApi({
      url: fleet.nextUrl,
      key,
      timeoutMs: 20_000,
      patienceMs: restMs,
      answered: ({ method, path }, { status }) => {
        if (status === 500) wrong(`${method} ${path.replace(/[^/]*_[^/]*/g, '…')} answered 500`)
      },
    })
    const catalogue = await makeCatalogue(api, { webhookUrl: receiver.url, trust: receiver.trust })
    const model = openModel(catalogue)
    const [sent, kept] = [nothingSent(), nothingKept()]
    const parts = { api, catalogue, model, wrong, sent, kept }
    const differences: Difference[] = []
    let unanswered = 0
    for (const [round, chosen] of rounds(options).entries()) {
      const name = `round ${round} `
      const load = startLoad(parts, random.stream(name), { senders: options.senders, name })
      await strikes.strike(chosen, { ground, fleet, tenants, wrong })
      options.progress('load ends')
      await load.stop()
      options.progress('waiting for rest')
      unanswered += kept.unanswered.length
      const books = { ...parts, ...kept, receiver, db, brokers: ground.kafka.brokers }
      differences.push(...(await compare(books, fleet)))
      // The comparison has told the model which of them were accepted.
      kept.unanswered.length = 0
      options.progress(`compared: ${differences.length} differences`)
      if (differences.length > 0) break
    }
    const { verify, said } = await verified(ground)
    if (verify === 'failed') differences.push(difference('sluice verify', 'passes', said))
    differences.push(...strange(wrongs, receiver.wrongs), ...(await endOf(fleet, directory)))
    return {
      seed: options.seed,
      seconds: Math.round((performance.now() - began) / 1_000),
      sent,
      accepted: model.events,
      unanswered,
      webhooks: receiver.requests,
      faults: strikes.counts,
      kills: strikes.kills,
      missed: strikes.missed,
      differences,
      verify,
      dataDir: differences.length === 0 ? null : directory,
    }
  } finally {
    await db.close()
    await receiver.close()
  }
}

/** The faults that strike between two comparisons. */
function rounds({ faults, seed, faultsPerRound }: DistributedOptions): readonly Iterable<Fault>[] {
  if (typeof faults !== 'number') return [faultsNamed(everyFault, faults)]
  const random = randomFrom(seed).stream('choice')
  const all = [...randomFaults(everyFault, { random, count: faults })]
  const count = Math.ceil(all.length / faultsPerRound)
  return Array.from({ length: count }, (_, round) =>
    all.slice(round * faultsPerRound, (round + 1) * faultsPerRound),
  )
}

async function compare(
  parts: Omit<DistributedAuditParts, 'opsUrls'>,
  fleet: ChaosFleet,
): Promise<readonly Difference[]> {
  const { opsUrls } = fleet
  const left = await atRest(opsUrls, parts.db)
  const restless = Object.entries(left).filter(([, count]) => count !== 0)
  const unrest = restless.map(([name, count]) => difference(`left: ${name}`, 0, count))
  return [...unrest, ...(await unready(fleet)), ...(await auditDistributed({ ...parts, opsUrls }))]
}

/** Processes whose `/readyz` does not say that all is well again. */
async function unready(fleet: ChaosFleet): Promise<readonly Difference[]> {
  const running = fleet.posts.filter(({ life }) => life.running)
  const each = running.map(async ({ name, opsUrl }) => {
    const deadline = performance.now() + readyMs
    for (;;) {
      const answer = await fetch(`${opsUrl}/readyz`)
      const said = await answer.text()
      if (answer.status === 200) return []
      if (performance.now() > deadline) return [difference(`/readyz of ${name}`, 200, said)]
      await sleep(500)
    }
  })
  return (await Promise.all(each)).flat()
}

/** Twice, because a partition that is just changing hands shows no lag. */
async function atRest(opsUrls: readonly string[], db: Db): ReturnType<typeof untilQuiet> {
  await untilQuiet({ opsUrls, db, withinMs: restMs })
  await sleep(3_000)
  return untilQuiet({ opsUrls, db, withinMs: restMs })
}

const verified = ({ settings, postgres }: Ground): Promise<Verified> =>
  runVerify({ ...settings, DATABASE_URL: postgres.url })

async function endOf(fleet: ChaosFleet, directory: string): Promise<readonly Difference[]> {
  const running = fleet.posts.filter(({ life }) => life.running)
  const ends = running.map(async ({ name, life }) => ({ name, ...(await life.terminate()) }))
  const statuses = await Promise.all(ends)
  const left = processesWith(directory).length
  return [
    ...statuses
      .filter(({ status }) => status !== 0)
      .map(({ name, status }) => difference(`exit status of ${name} at the end`, 0, status)),
    ...(left > 0 ? [difference('processes left behind', 0, left)] : []),
    ...fleet.posts.flatMap(({ name, life }) =>
      life.crashes.map((what) => difference(name, 'lives on', what)),
    ),
  ]
}

/** What was seen along the way. */
const strange = (
  wrongs: ReadonlyMap<string, number>,
  receiver: readonly string[],
): readonly Difference[] => [
  ...[...wrongs].map(([what, times]) => difference(what, 'never', `${times} times`)),
  ...receiver.slice(0, 20).map((what) => difference('webhooks', 'the same and signed', what)),
]
