import { randomBytes } from 'node:crypto'
import type { Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import type { Outcome } from './open-loop.ts'
import { openLoop } from './open-loop.ts'
import type { Against } from './options.ts'

/** Whether anything was accepted at all. */
export interface Loaded {
  readonly isUp: boolean
  readonly result: Result
}

/** Loads a server of anybody's, and says what its callers would have seen. */
export async function benchAgainst(asked: Against): Promise<Loaded> {
  const customers = await customersOf(asked)
  // Ids that no other run has.
  const idPrefix = `against_${randomBytes(6).toString('hex')}_`
  const outcome = await openLoop(asked, customers, idPrefix)
  const result = { name: 'against', lines: linesOf(asked, outcome), goals: [], checksum: '' }
  return { isUp: outcome.statuses.has(200), result }
}

/** Events are sent for customers that there are. */
async function customersOf({ key, url }: Against): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const asking = fetch(`${url}/customers?page_size=100`, { headers })
  const response = await asking.catch((error: Error) => {
    const { code } = (error.cause ?? {}) as NodeJS.ErrnoException
    throw new Error(`${url} does not answer (${code ?? error.message}): is it the API's address?`)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`GET /customers was answered ${response.status}: ${text}`)
  const { items } = JSON.parse(text) as { readonly items: readonly { customer_id: string }[] }
  if (items.length === 0) throw new Error('There is no customer to send events for: create one.')
  return items.map(({ customer_id: id }) => id)
}

function linesOf({ batch, rate }: Against, outcome: Outcome): readonly Line[] {
  const { fromDue, fromSent, requests, seconds, statuses } = outcome
  const accepted = (statuses.get(200) ?? 0) * batch
  const times = (label: string, { max, percentile }: Quantiles): Line => ({
    label,
    figures: [
      ...[50, 90, 99, 99.9].map((share) => figure(`p${share}`, percentile(share) / 1_000, 'ms')),
      figure('max', max / 1_000, 'ms'),
    ],
  })
  return [
    {
      label: 'events',
      figures: [
        figure('asked for', rate, 'events/s'),
        figure('accepted', accepted / seconds, 'events/s'),
      ],
    },
    {
      label: 'requests',
      figures: [
        figure('sent', requests, ''),
        ...[...statuses]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => figure(status === 0 ? 'no answer' : `${status}`, count, '')),
      ],
    },
    times('from due to answer', quantilesOf(fromDue)),
    times('from sent to answer', quantilesOf(fromSent)),
  ]
}

interface Quantiles {
  readonly max: number
  percentile(share: number): number
}

const quantilesOf = (histogram: Outcome['fromDue']): Quantiles => ({
  max: histogram.max,
  percentile: (share) => histogram.percentile(share),
})
