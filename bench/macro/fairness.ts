import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Greed } from '../../test/support/edge/greedy.ts'
import { greeds } from '../../test/support/edge/greedy.ts'
import type { GreedyOrder } from '../harness/greedy-child.ts'
import { onEnd } from '../harness/processes.ts'
import type { Goal, Line, Result } from '../harness/result.ts'
import { figure, quantile } from '../harness/result.ts'
import type { Another, Site } from '../harness/site.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { eventName } from '../harness/workload.ts'

/** What the victim does all the time, one after the other. */
const uses = ['ingest', 'usage', 'reads', 'lists'] as const
type Use = (typeof uses)[number]
type Took = Readonly<Record<Use, number[]>>

const clients = 2

/** How many events each deep page of the offender has to look at. */
const theirEvents = { smoke: 1_000, quick: 200_000, full: 200_000 } as const

/**
 * What one business feels of another that takes all it can. The victim's requests are timed by
 * turns with the offender beside it and without, for each kind of greed. A refused request of the
 * victim ends the bench.
 */
export async function benchFairness(run: Run, only: Greed | null): Promise<Result> {
  // So clients without a key may come from as many addresses as they like.
  const site = await openSite({ ...run, settings: { TRUSTED_PROXIES: '127.0.0.1' } })
  const offender = await site.another()
  await fill(site, offender, theirEvents[run.name])
  const lines: Line[] = []
  const goals: Goal[] = []
  await measured(site, run.warmMs, nothing())
  for (const kind of only === null ? greeds : [only]) {
    const [alone, beside] = [nothing(), nothing()]
    const answers: Record<string, number> = {}
    for (let round = 0; round < turnsOf(run); round += 1) {
      await measured(site, run.windowMs, alone)
      const stop = await startOffender({ ...offender, kind, url: site.url })
      await sleep(run.warmMs)
      await measured(site, run.windowMs, beside)
      for (const [status, times] of Object.entries(await stop())) {
        answers[status] = (answers[status] ?? 0) + times
      }
      // Lets what is under way come to its end.
      await sleep(run.warmMs)
    }
    for (const use of uses) lines.push(lineOf(kind, use, [alone[use], beside[use]]))
    goals.push(...uses.map((use) => goalOf(kind, use, [alone[use], beside[use]])))
    lines.push(answersOf(kind, answers))
  }
  await site.stop()
  return { name: 'fairness', lines, goals, checksum: '' }
}

const turnsOf = ({ name, rounds }: Run): number => (name === 'smoke' ? 1 : rounds + 1)

const nothing = (): Took => ({ ingest: [], usage: [], reads: [], lists: [] })

type Pair = readonly [alone: readonly number[], beside: readonly number[]]

function lineOf(kind: Greed, use: Use, [alone, beside]: Pair): Line {
  const p99 = [quantile(alone, 0.99), quantile(beside, 0.99)] as const
  return {
    label: `${kind}: ${use}`,
    figures: [
      figure('alone', alone.length, ''),
      figure('p50', quantile(alone, 0.5), 'ms'),
      figure('p99', p99[0], 'ms'),
      figure('beside', beside.length, ''),
      figure('p50 ', quantile(beside, 0.5), 'ms'),
      figure('p99 ', p99[1], 'ms'),
      figure('p99 over p99', p99[1] / p99[0], '×'),
    ],
  }
}

const goalOf = (kind: Greed, use: Use, [alone, beside]: Pair): Goal => ({
  name: `${kind}: ${use}, p99 beside over alone`,
  value: quantile(beside, 0.99) / quantile(alone, 0.99),
  unit: '×',
  target: 2,
  better: 'less',
})

/** What the offender was answered, to show that it was really there. */
function answersOf(kind: Greed, answers: Readonly<Record<string, number>>): Line {
  const figures = Object.entries(answers).map(([status, times]) =>
    figure(status === '0' ? 'none' : status, times, ''),
  )
  return { label: `${kind}: the offender was answered`, figures }
}

/** Runs two clients of the victim for so long. */
async function measured(site: Site, forMs: number, took: Took): Promise<void> {
  const until = performance.now() + forMs
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const customer = site.quiet[client] ?? ''
      // At least once, so that there is something to report however slow it is.
      do await dayOf(site, customer, took)
      while (performance.now() < until)
    }),
  )
}

let sent = 0

async function dayOf(site: Site, customer: string, took: Took): Promise<void> {
  const timed = async <T>(use: Use, work: () => Promise<T>): Promise<T> => {
    const from = performance.now()
    const answer = await work()
    took[use].push(performance.now() - from)
    return answer
  }
  const balance = `/credit-entitlements/${site.entitlementId}/balances/${customer}`
  await timed('usage', async () => {
    sent += 1
    const event = { event_id: `victim ${sent}`, customer_id: customer, event_name: eventName }
    const body = { events: [{ ...event, metadata: { tokens: 1 } }] }
    const { headers } = await timed('ingest', () => site.call('POST', '/events/ingest', { body }))
    const position = headers.get('sluice-position')
    assert(position !== null, 'An answer without a position.')
    await site.call('GET', balance, { headers: { 'Sluice-After': position } })
  })
  await timed('reads', () => site.call('GET', `/customers/${customer}`))
  await timed('reads', () => site.call('GET', balance))
  await timed('lists', () => site.call('GET', `/events?customer_id=${customer}&page_size=10`))
}

/** Sends the offender's earlier events: many of one day. */
async function fill(site: Site, offender: Another, count: number): Promise<void> {
  const batch = 1_000
  for (let first = 0; first < count; first += batch) {
    const events = Array.from({ length: batch }, (_, index) => ({
      ...{
        event_id: `old ${first + index}`,
        customer_id: offender.customerId,
        event_name: 'greedy',
      },
      metadata: { number: index },
    }))
    const answer = await fetch(`${site.url}/events/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${offender.writeKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ events }),
    })
    assert.equal(answer.status, 200, await answer.text())
  }
}

type Stop = () => Promise<Readonly<Record<string, number>>>

async function startOffender(order: GreedyOrder): Promise<Stop> {
  const child = fork(new URL('../harness/greedy-child.js', import.meta.url), { stdio: 'inherit' })
  const forget = onEnd(() => child.kill('SIGKILL'))
  await once(child, 'message')
  child.send(order)
  return async () => {
    const answers = once(child, 'message')
    child.send('stop')
    const [told] = (await answers) as [Readonly<Record<string, number>>]
    if (child.exitCode === null) await once(child, 'exit')
    forget()
    return told
  }
}
