import { setTimeout as sleep } from 'node:timers/promises'
import { cpuTime } from '../harness/cpu.ts'
import { startLoad } from '../harness/load.ts'
import type { Figure, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Site } from '../harness/site.ts'
import type { Size } from '../harness/sizes.ts'
import { openBooks, worthOf } from './books.ts'

/** The result, and the rate of events that were accepted, measured and settled. */
export interface EndToEnd {
  readonly result: Result
  readonly eventsPerSecond: number
}

const batch = 100
const deadlineMs = 240_000
/** Of the events, so many come before the clock starts: compilers are done after seconds only. */
const warmShare = 0.2

/**
 * Sends a fixed number of events as fast as the server takes them, and waits until every one is
 * measured and settled. Ends with an audit: the credits that the customers have used are, to the
 * thousandth, what the events are worth.
 */
export async function benchEndToEnd(site: Site, size: Size): Promise<EndToEnd> {
  const books = await openBooks(site)
  await warm(site, books, Math.ceil(size.endToEndEvents * warmShare))
  const before = { used: await books.used(), ...(await books.progress()) }
  const spentBefore = await spent(site)
  const startedAt = performance.now()
  const load = await startLoad(orderOf(site, 'e', size.endToEndEvents))
  const accepted = await load.done
  const acceptedMs = performance.now() - startedAt
  const goal = before.measured + accepted.events
  const measuredMs = (await waitUntil(books, ({ measured }) => measured >= goal)) - startedAt
  const settledMs = (await waitUntil(books, ({ settled }) => settled)) - startedAt
  const spentAfter = await spent(site)
  const [{ billed }, used] = [await books.progress(), await books.used()]
  await books.close()
  const worth = worthOf(accepted.usage)
  if (billed - before.billed !== accepted.events || used - before.used !== worth) {
    throw new Error(
      `The books are wrong: ${billed - before.billed} of ${accepted.events} events billed, ` +
        `${used - before.used} of ${worth} thousandths of credits used.`,
    )
  }
  const rate = (ms: number) => accepted.events / (ms / 1_000)
  const line = {
    label: 'accepted → settled',
    figures: [
      figure('events', accepted.events, ''),
      figure('accepted/s', rate(acceptedMs), ''),
      figure('measured/s', rate(measuredMs), ''),
      figure('settled/s', rate(settledMs), ''),
      ...costs(spentBefore, spentAfter, accepted.events),
    ],
  }
  const checksum = `${worth} thousandths of credits for ${accepted.events} events`
  const result = { name: 'end-to-end', lines: [line], goals: [], checksum }
  return { result, eventsPerSecond: rate(settledMs) }
}

/** So many that every partition is measured once, so that every checkpoint names a namespace. */
export const measureFew = (site: Site, size: Size): Promise<EndToEnd> =>
  benchEndToEnd(site, { ...size, endToEndEvents: 5_000 })

/** CPU time by who has used it, in microseconds. */
type Spent = readonly (readonly [name: string, micros: number])[]

/** Empty where the system does not tell. */
async function spent({ parts, pid }: Site): Promise<Spent> {
  const own = cpuTime(pid)
  if (own === null) return []
  const ours = [
    ['CPU/event', own.own],
    ['of it the edge’s thread', own.mainThread],
  ] as const
  if (parts === null) return [...ours, ['PostgreSQL/event', own.started]]
  const postgres = cpuTime(parts.postgresPid)
  return [
    ...ours,
    ['PostgreSQL/event', postgres === null ? 0 : postgres.own + postgres.started],
    ['Redis/event', await parts.redisMicros()],
  ]
}

const costs = (before: Spent, after: Spent, events: number): readonly Figure[] =>
  after.map(([name, micros], index) =>
    figure(name, (micros - (before[index]?.[1] ?? 0)) / events, 'µs'),
  )

type Books = Awaited<ReturnType<typeof openBooks>>

/** Compilers and caches have seen the workload before the clock starts. */
async function warm(site: Site, books: Books, eventsMax: number): Promise<void> {
  const load = await startLoad(orderOf(site, 'w', eventsMax))
  const { events } = await load.done
  await waitUntil(books, ({ measured, settled }) => measured >= events && settled)
}

const orderOf = (site: Site, idPrefix: string, eventsMax: number) => ({
  workload: site.workload(idPrefix, batch),
  url: site.url,
  apiKey: site.apiKey,
  connections: 16,
  eventsMax,
  rate: null,
  deadlineMs,
})

/** Resolves with the moment at which the condition held. */
async function waitUntil(
  books: Books,
  isSo: (progress: Awaited<ReturnType<Books['progress']>>) => boolean,
): Promise<number> {
  const deadline = performance.now() + deadlineMs
  while (!isSo(await books.progress())) {
    if (performance.now() > deadline) throw new Error('The server does not get done.')
    await sleep(20)
  }
  return performance.now()
}
