import type { AuditParts, Difference } from './differences.ts'
import { differing } from './differences.ts'

interface Totals {
  readonly events: number
  readonly billed: number
  readonly unmatched: number
  readonly duplicates: number
  readonly quarantined: number
  readonly halted: number
}

/**
 * Every event that was answered with 200 must be there. Those that were never answered are counted
 * as far as they are there. All together must be as many as the checkpoints say were measured.
 */
export async function auditEvents(parts: AuditParts): Promise<readonly Difference[]> {
  const { api, db, model, samples, unanswered, opsUrls } = parts
  for (const event of unanswered) if (await exists(event.event_id)) model.count(event)
  const pairs: [string, unknown, unknown][] = []
  for (const event of samples.accepted) {
    pairs.push([
      `event ${event.event_id} can be read`,
      event.customer_id,
      await ownerOf(event.event_id),
    ])
  }
  for (const id of samples.refused) pairs.push([`refused event ${id}`, null, await ownerOf(id)])

  const [totals] = await db.query<Totals>({
    text: `select sum(events)::bigint as events, sum(billed)::bigint as billed,
      sum(unmatched)::bigint as unmatched, sum(duplicates)::bigint as duplicates,
      sum(quarantined)::bigint as quarantined, count(halted) as halted from checkpoints`,
    values: [],
  })
  const [archived] = await db.query<{ readonly events: number }>({
    text: 'select coalesce(sum(events), 0)::bigint as events from archive_blocks',
    values: [],
  })
  if (totals === undefined) throw new Error('There are no checkpoints.')
  const { events, billed, unmatched, duplicates } = totals
  return differing([
    ...pairs,
    ['distinct events measured', model.events, billed + unmatched],
    ['events accounted for', events, billed + unmatched + duplicates],
    ['records quarantined', 0, totals.quarantined],
    ['partitions halted', 0, totals.halted],
    ['events in the archive', events, archived?.events],
    ['sluice_unaccounted_events', 0, await metric(opsUrls, 'sluice_unaccounted_events')],
  ])

  async function exists(id: string): Promise<boolean> {
    return (await ownerOf(id)) !== null
  }

  async function ownerOf(id: string): Promise<unknown> {
    const path = `/events/${encodeURIComponent(id)}`
    const { status, body } = await api.insist({ method: 'GET', path })
    if (status === 404) return null
    return status === 200 ? body['customer_id'] : `status ${status}`
  }
}

/** The sum of a metric over processes and labels; null when it is nowhere. */
export async function metric(opsUrls: readonly string[], name: string): Promise<number | null> {
  const values = (await samplesOf(opsUrls, name)).map(({ value }) => value)
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0)
}

/** The samples of a metric in each process, with its labels as they are printed. */
export async function samplesOf(
  opsUrls: readonly string[],
  name: string,
): Promise<readonly { readonly labels: string; readonly value: number }[]> {
  const texts = opsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text())
  return (await Promise.all(texts))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => {
      const [labels = '', value] = line.slice(name.length).split(' ')
      return { labels, value: Number(value) }
    })
}
