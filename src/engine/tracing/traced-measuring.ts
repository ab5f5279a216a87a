import type { GroupHandler, LogGroup, LogRecord } from '../../parts/event-log/port.ts'
import type { Committed, Measured, Measuring } from '../../parts/store/measuring.ts'
import type { RangedSpan } from '../../runtime/tracing.ts'
import { textOf } from '../../std/bytes.ts'
import { isInRange } from '../../std/trace.ts'
import type { TracedNeeds } from './links.ts'
import { lenientLinks, ofAccount } from './links.ts'

/** A traced record between its poll and its commit. */
interface Underway {
  readonly record: LogRecord
  readonly spans: readonly RangedSpan[]
}

type OpenGroup = (handler: GroupHandler) => Promise<LogGroup>

export interface TracedMeasuring {
  readonly openGroup: OpenGroup
  readonly store: Measuring
}

/** Past it the oldest are given up: their partition has moved, or stands. */
const underwayMax = 1_024

/**
 * Gives each trace of a record a span from its poll to its commit, and links the accounts of its
 * customers to it, before the commit: so settling finds the link with the usage. An account that
 * several traces lead to goes on as a part of the last one.
 */
export function tracedMeasuring(
  { openGroup, store }: TracedMeasuring,
  needs: TracedNeeds,
): TracedMeasuring {
  const links = lenientLinks(needs)
  const underway = new Map<string, Underway>()
  return {
    openGroup: async (handler) => {
      const group = await openGroup(handler)
      return { ...group, poll: (bytesMax, waitMs) => noted(group, bytesMax, waitMs) }
    },
    store: {
      ...store,
      commit: (measured) => committed(measured, store.commit),
      holding: (versions, work) =>
        store.holding(versions, (commit) => work((measured) => committed(measured, commit))),
    },
  }

  async function noted(group: LogGroup, bytesMax: number, waitMs: number) {
    const slices = await group.poll(bytesMax, waitMs)
    for (const { records } of slices) for (const record of records) note(record)
    return slices
  }

  function note(record: LogRecord): void {
    const name = nameOf(record.partition, record.offset)
    if (record.traces === undefined || underway.has(name)) return
    const spans = record.traces.flatMap(({ traceparent: parent, range }) => {
      const span = needs.tracing.begin({ name: 'measure', kind: 'consumer', parent })
      return span === null ? [] : [{ span, range }]
    })
    if (spans.length === 0) return
    underway.set(name, { record, spans })
    const [oldest] = underway.keys()
    if (underway.size > underwayMax && oldest !== undefined) underway.delete(oldest)
  }

  async function committed(measured: Measured, commit: Measuring['commit']): Promise<Committed> {
    if (underway.size === 0) return commit(measured)
    const found = [...underway.values()].filter(isIn(measured))
    await links.put(linksOf(found, measured))
    const answer = await commit(measured)
    if (answer.kind === 'committed') for (const one of found) end(one)
    return answer
  }

  function end({ record: { partition, offset, events }, spans }: Underway): void {
    underway.delete(nameOf(partition, offset))
    const place = { 'sluice.partition': partition, 'sluice.offset': offset }
    for (const { span, range } of spans) {
      const own = range === null ? events : range.last - range.first + 1
      span.end({ ...place, 'sluice.events': own })
    }
  }
}

const nameOf = (partition: number, offset: number): string => `${partition} ${offset}`

const isIn =
  ({ slices }: Measured) =>
  ({ record: { partition, offset } }: Underway): boolean =>
    slices.some(
      (slice) => slice.partition === partition && slice.start <= offset && offset < slice.end,
    )

function linksOf(found: readonly Underway[], { accounts }: Measured) {
  return found.flatMap(({ record, spans }) => {
    const customers = customersIn(record)
    return accounts.flatMap((account) => {
      const { businessId, mode, customerId } = account
      const indices = customers.get(customerOf(businessId, mode, customerId)) ?? []
      const last = spans.findLast(({ range }) => indices.some((index) => isInRange(index, range)))
      if (last === undefined) return []
      return [{ subject: ofAccount(account), traceparent: last.span.traceparent }]
    })
  })
}

const customerOf = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Whose events a record holds, and at which lines; nobody's where it cannot be read. */
function customersIn({ value }: LogRecord): ReadonlyMap<string, readonly number[]> {
  const customers = new Map<string, number[]>()
  try {
    for (const [index, line] of textOf(value).split('\n').entries()) {
      if (line === '') continue
      const { business_id, mode, customer_id } = JSON.parse(line) as Record<string, string>
      const customer = customerOf(String(business_id), String(mode), String(customer_id))
      customers.set(customer, [...(customers.get(customer) ?? []), index])
    }
  } catch {
    // Measuring sets it aside.
  }
  return customers
}
