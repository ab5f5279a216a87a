import type { Goal, Line } from '../../harness/result.ts'
import { figure, quantile } from '../../harness/result.ts'
import type { Stream } from './stream.ts'
import { customerOf, eventNames, idOf, numbers } from './stream.ts'

export interface ReadsOptions {
  readonly url: string
  readonly apiKey: string
  readonly stream: Stream
  /** How many reads of each kind. */
  readonly count: number
}

/**
 * Reads of a served archive, one after the other: a line for each kind, and whether the goal is
 * met.
 */
export async function benchReads(
  options: ReadsOptions,
): Promise<{ readonly lines: readonly Line[]; readonly goals: readonly Goal[] }> {
  const { stream, count } = options
  const timed = requester(options)
  const day = (number: number) => {
    const at = new Date(
      (stream.from + ((stream.to - stream.from) * number) / stream.events) / 1_000,
    )
    return { start: at.toISOString(), end: new Date(at.getTime() + 3_600_000).toISOString() }
  }
  const any = numbers(count, stream.events)
  await timed(any.slice(0, 10), (number) => `/events/${idOf(number)}`, 200)
  const kinds: [string, readonly number[], (number: number) => string, number][] = [
    ['an event by its id', any, (number) => `/events/${idOf(number)}`, 200],
    ['an id that is not there', any, (number) => `/events/${idOf(number)}x`, 404],
    ['newest page', any, () => '/events', 200],
    ['newest page of a name', any, () => `/events?event_name=${eventNames[1]}`, 200],
    ['of the busiest customer', any, () => `/events?customer_id=${customerOf(0)}`, 200],
    [
      'of a customer in the tail',
      any,
      (number) => `/events?customer_id=${customerOf(10 + (number % (stream.customers - 10)))}`,
      200,
    ],
    ['an hour of long ago', any, (number) => `/events?${new URLSearchParams(day(number))}`, 200],
    [
      'customer, name and hour',
      any,
      (number) =>
        `/events?customer_id=${customerOf(3)}&event_name=${eventNames[2]}&${new URLSearchParams(day(number))}`,
      200,
    ],
    ['page 400 of 100', any.slice(0, 10), () => '/events?page_size=100&page_number=400', 200],
  ]
  const lines: Line[] = []
  const goals: Goal[] = []
  for (const [label, chosen, path, status] of kinds) {
    const took = await timed(chosen, path, status)
    const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)]
    const worst = quantile(took, 1)
    lines.push({
      label,
      figures: [figure('p50', p50, 'ms'), figure('p99', p99, 'ms'), figure('worst', worst, 'ms')],
    })
    if (!label.includes(' id')) continue
    const name = `archive: ${label}, p99`
    goals.push({ name, value: p99, unit: 'ms', target: 200, better: 'less' })
  }
  return { lines, goals }
}

/** Milliseconds of each request. */
function requester({ apiKey, url }: ReadsOptions) {
  return async (
    chosen: readonly number[],
    path: (number: number) => string,
    status: number,
  ): Promise<readonly number[]> => {
    const took: number[] = []
    for (const number of chosen) {
      const startedAt = performance.now()
      const answer = await fetch(`${url}${path(number)}`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      await answer.text()
      took.push(performance.now() - startedAt)
      if (answer.status !== status)
        throw new Error(`${path(number)} was answered ${answer.status}.`)
    }
    return took
  }
}
