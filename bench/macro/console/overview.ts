import { setTimeout as sleep } from 'node:timers/promises'
import { Person } from '../../../test/support/console/person.ts'
import { startLoad } from '../../harness/load.ts'
import type { Line, Result } from '../../harness/result.ts'
import { figure, median, quantile } from '../../harness/result.ts'
import { command } from '../../harness/server.ts'
import type { Site } from '../../harness/site.ts'
import { openSite } from '../../harness/site.ts'
import type { Run } from '../../harness/sizes.ts'
import type { Watcher } from './watcher.ts'
import { openWatcher } from './watcher.ts'

/** What the issue asks for: so many events a second, in requests of ten. */
const rate = 5_000
const [batch, connections] = [10, 32]
/** How many people have the overview open. */
const watchers = 3

/**
 * The overview under load: turn by turn alone and with three overviews open, how long the edge
 * takes, and whether what the overviews show goes on.
 */
export async function benchOverview(run: Run): Promise<Result> {
  const site = await openSite(run)
  const visitor = await owner(site)
  const alone: Turn[] = []
  const watched: Turn[] = []
  const gaps: number[] = []
  let shown = 0
  for (let round = 0; round < run.rounds; round += 1) {
    // Another one begins in each round.
    const order = round % 2 === 0 ? [false, true] : [true, false]
    for (const isWatched of order) {
      const open = isWatched ? Array.from({ length: watchers }, () => openWatcher(visitor)) : []
      const turn = await turnOf(site, run, `o${round}${isWatched ? 'w' : 'a'}`)
      const seen = await Promise.all(open.map((each: Watcher) => each.close()))
      gaps.push(...seen.flatMap((each) => each.gapsMs))
      shown = Math.max(shown, ...seen.map(({ acceptedMost }) => acceptedMost))
      ;(isWatched ? watched : alone).push(turn)
    }
  }
  await site.stop()
  if (gaps.length === 0 || shown === 0) throw new Error('The overview has shown nothing.')
  const ratio = median(watched.map(({ p99Ms }, at) => p99Ms / (alone[at]?.p99Ms ?? p99Ms)))
  return {
    name: 'console-overview',
    lines: [
      lineOf('the edge, alone', alone),
      lineOf(`the edge, with ${watchers} overviews open`, watched),
      {
        label: 'the overview',
        figures: [
          figure('pulses', gaps.length, ''),
          figure('from one to the next, half', quantile(gaps, 0.5), 'ms'),
          figure('p99', quantile(gaps, 0.99), 'ms'),
          figure('longest', quantile(gaps, 1), 'ms'),
          figure('accepted, at most shown', shown, 'events/s'),
        ],
      },
    ],
    goals: [
      {
        name: 'console: p99 of the edge with overviews over alone',
        value: ratio,
        unit: '',
        target: 1.2,
        better: 'less',
      },
      {
        name: 'console: longest pause of an overview',
        value: quantile(gaps, 1),
        unit: 'ms',
        target: 3_000,
        better: 'less',
      },
    ],
    checksum: '',
  }
}

interface Turn {
  readonly eventsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Twice as long as a turn of the edge: a tail needs many answers. */
async function turnOf(site: Site, run: Run, name: string): Promise<Turn> {
  const load = await startLoad({
    workload: site.workload(name, batch),
    url: site.url,
    apiKey: site.apiKey,
    connections,
    eventsMax: run.eventsMax,
    rate,
    deadlineMs: run.warmMs + 2 * run.windowMs + 10_000,
  })
  await sleep(run.warmMs)
  const from = await load.mark()
  await sleep(2 * run.windowMs)
  const to = await load.mark()
  await load.stop()
  const eventsPerSecond = (to.events - from.events) / ((to.at - from.at) / 1_000)
  return { eventsPerSecond, p50Ms: to.p50Ms, p99Ms: to.p99Ms }
}

/** Somebody who is logged in. */
async function owner({ dataDir, url, call }: Site): Promise<Person> {
  const { body } = await call<{ items: readonly { business_id: string }[] }>('GET', '/customers')
  const business = body.items[0]?.business_id ?? ''
  const words = ['users', 'create', '--business', business, '--email', 'owner@example.com']
  const made = await command(words, { dataDir })
  const visitor = new Person(url)
  await visitor.setUp(made['setup_url'] ?? '', 'correct horse battery staple')
  return visitor
}

const lineOf = (label: string, turns: readonly Turn[]): Line => ({
  label,
  figures: [
    figure('sent', median(turns.map(({ eventsPerSecond }) => eventsPerSecond)), 'events/s'),
    figure('p50', median(turns.map(({ p50Ms }) => p50Ms)), 'ms'),
    figure('p99', median(turns.map(({ p99Ms }) => p99Ms)), 'ms'),
  ],
})
