import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import type { Greed } from '../test/support/edge/greedy.ts'
import { greeds } from '../test/support/edge/greedy.ts'
import { benchAgainst } from './against/against.ts'
import { againstOf } from './against/options.ts'
import { cliffsOf } from './drawing/cliffs.ts'
import { flameOf } from './drawing/flame.ts'
import { machine } from './harness/machine.ts'
import { partsMissing } from './harness/parts.ts'
import { seed } from './harness/random.ts'
import type { Report } from './harness/report.ts'
import { goalsText, headText, resultText } from './harness/report.ts'
import type { Result } from './harness/result.ts'
import type { Site } from './harness/site.ts'
import { openSite } from './harness/site.ts'
import type { Run } from './harness/sizes.ts'
import { sizes } from './harness/sizes.ts'
import { benchArchive } from './macro/archive.ts'
import { benchCliffs } from './macro/cliffs.ts'
import { benchOverview } from './macro/console/overview.ts'
import { benchConsole } from './macro/console.ts'
import { benchCores } from './macro/cores.ts'
import { benchDistributed } from './macro/distributed.ts'
import { benchEndToEnd } from './macro/end-to-end.ts'
import { benchFairness } from './macro/fairness.ts'
import { benchFreshness } from './macro/freshness.ts'
import { benchIngest } from './macro/ingest.ts'
import { benchDistributedOverload, benchOverload } from './macro/overload.ts'
import { benchSidecar } from './macro/sidecar.ts'
import { benchSoak } from './macro/soak.ts'
import { benchStart } from './macro/start.ts'
import { benchMicro } from './micro/run.ts'

// `npm run bench [-- NAME…] [--quick] [--json FILE] [--profile FOLDER] [--archived EVENTS]
// [--minutes MINUTES] [--greed KIND]`, `-- against URL …`, or `-- draw FILE`. bench/README.md says how to read it.
const usual = [
  'parse',
  'edge',
  'end-to-end',
  'freshness',
  'start',
  'micro',
  'archive',
  'distributed-edge',
  'distributed-end-to-end',
] as const
/** Only on request: these take minutes, and everything that the machine has. */
const names = [
  ...usual,
  'cliffs',
  'console',
  'console-overview',
  'cores',
  'fairness',
  'overload',
  'distributed-overload',
  'sidecar',
  'soak',
] as const
type Name = (typeof names)[number]

process.exitCode = await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<number> {
  if (words[0] === 'against') return against(words.slice(1))
  if (words[0] === 'draw') return draw(words[1])
  const asked = read(words)
  if (asked === null) return 2
  const { json, run } = asked
  const startedAt = performance.now()
  const head = {
    command: `npm run bench${words.length === 0 ? '' : ` -- ${words.join(' ')}`}`,
    startedAt: new Date(performance.timeOrigin + startedAt).toISOString(),
    seed,
    size: run.name,
    machine: machine(),
    seconds: 0,
  }
  process.stdout.write(`${headText(head)}\n`)
  const results: Result[] = []
  for (const group of groups(asked)) {
    for (const result of await group()) {
      results.push(result)
      process.stdout.write(`${resultText(result)}\n`)
    }
  }
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(`${goalsText(results, run.name)}\n${seconds} s in all\n`)
  const report: Report = { ...head, seconds, results }
  if (json !== null) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  return 0
}

/** A server of somebody else's. The key is not printed. */
async function against(words: readonly string[]): Promise<number> {
  try {
    const { isUp, result } = await benchAgainst(againstOf(words))
    process.stdout.write(`${resultText(result)}\n`)
    return isUp ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return 2
  }
}

/** Writes the picture of a report, or of a CPU profile, beside it. */
function draw(path: string | undefined): number {
  try {
    const [, name, kind] = /^(.*)\.(json|cpuprofile)$/.exec(path ?? '') ?? []
    if (path === undefined || name === undefined) {
      throw new Error('Usage: npm run bench -- draw FILE.json, or FILE.cpuprofile')
    }
    const found = JSON.parse(readFileSync(path, 'utf8'))
    const title = `CPU time, of ${basename(name)}`
    writeFileSync(`${name}.svg`, kind === 'json' ? cliffsOf(found) : flameOf(found, title))
    return 0
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return 2
  }
}

interface Asked {
  readonly wanted: ReadonlySet<Name>
  readonly run: Run
  /** For overload and soak. */
  readonly minutes: number
  /** For fairness; null: every kind. */
  readonly greed: Greed | null
  readonly json: string | null
}

/** Null when the words make no sense, which has been reported. */
function read(words: readonly string[]): Asked | null {
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        smoke: { type: 'boolean' },
        json: { type: 'string' },
        profile: { type: 'string' },
        archived: { type: 'string' },
        minutes: { type: 'string' },
        greed: { type: 'string' },
      },
    })
    const wanted = positionals.map((name) => {
      const known = names.find((each) => each === name)
      if (known === undefined) throw new Error(`There is no bench '${name}'.`)
      return known
    })
    const size = values.smoke ? sizes.smoke : values.quick ? sizes.quick : sizes.full
    const archivedEvents = Number(values.archived ?? size.archivedEvents)
    if (!(archivedEvents >= 1_000)) throw new Error('--archived takes a number of events.')
    const minutes = Number(values.minutes ?? (values.smoke ? 0.05 : 1))
    if (!(minutes > 0)) throw new Error('--minutes takes a number of minutes.')
    const greed = greeds.find((kind) => kind === values.greed) ?? null
    if (values.greed !== undefined && greed === null)
      throw new Error(`--greed takes one of: ${greeds.join(', ')}.`)
    const run = { ...size, archivedEvents, profile: values.profile ?? null }
    return {
      wanted: new Set<Name>(wanted.length === 0 ? usual : wanted),
      run,
      minutes,
      greed,
      json: values.json ?? null,
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const usage =
      'npm run bench [-- NAME…] [--quick] [--json FILE] [--profile FOLDER] [--archived EVENTS] [--minutes MINUTES] [--greed KIND]'
    process.stderr.write(`${message}\nUsage: ${usage}\nNames: ${names.join(', ')}\n`)
    return null
  }
}

type Group = () => Promise<readonly Result[]>

function groups({ greed, minutes, run, wanted }: Asked): readonly Group[] {
  const found: Group[] = []
  const edge = wanted.has('edge')
  if (edge || wanted.has('parse')) found.push(() => benchIngest(run, edge))
  const fresh = wanted.has('freshness')
  if (fresh || wanted.has('end-to-end')) found.push(() => whole(run, fresh))
  if (wanted.has('start')) found.push(async () => [await benchStart(run)])
  if (wanted.has('micro')) found.push(() => benchMicro(run))
  if (wanted.has('archive')) found.push(() => benchArchive(run))
  const distributed = {
    edge: wanted.has('distributed-edge'),
    endToEnd: wanted.has('distributed-end-to-end'),
  }
  if (distributed.edge || distributed.endToEnd)
    found.push(() => onParts(() => benchDistributed(run, distributed)))
  if (wanted.has('cliffs')) found.push(() => benchCliffs(run))
  if (wanted.has('console')) found.push(async () => [await benchConsole(run)])
  if (wanted.has('console-overview')) found.push(async () => [await benchOverview(run)])
  if (wanted.has('cores')) found.push(() => onParts(() => benchCores(run)))
  if (wanted.has('fairness')) found.push(async () => [await benchFairness(run, greed)])
  if (wanted.has('overload')) found.push(async () => [await benchOverload(run, minutes)])
  if (wanted.has('distributed-overload'))
    found.push(() => onParts(async () => [await benchDistributedOverload(run, minutes)]))
  if (wanted.has('sidecar')) found.push(async () => [await benchSidecar(run)])
  if (wanted.has('soak')) found.push(async () => [await benchSoak(run, minutes)])
  return found
}

/** Reports what is missing, and measures the rest. */
async function onParts(bench: Group): Promise<readonly Result[]> {
  const missing = await partsMissing()
  if (missing === null) return bench()
  process.stdout.write(`The distributed benches are left out, for want of ${missing}.\n`)
  return []
}

/** Freshness is measured at half of the rate that end-to-end has just sustained. */
async function whole(run: Run, fresh: boolean): Promise<readonly Result[]> {
  const site: Site = await openSite(run)
  const { eventsPerSecond, result } = await benchEndToEnd(site, run)
  const results = fresh ? [result, await benchFreshness(site, run, eventsPerSecond)] : [result]
  await site.stop()
  return results
}
