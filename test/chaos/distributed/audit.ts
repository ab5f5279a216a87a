import { run } from '../../support/servers/programs.ts'
import { audit } from '../audit.ts'
import { samplesOf } from '../audit-events.ts'
import type { AuditParts, Difference } from '../differences.ts'
import { differing } from '../differences.ts'

export interface DistributedAuditParts extends AuditParts {
  readonly brokers: readonly string[]
}

/**
 * Everything that the embedded audit compares, and what only exists with several processes and
 * topics.
 */
export async function auditDistributed(
  parts: DistributedAuditParts,
): Promise<readonly Difference[]> {
  const books = await audit(parts)
  const topics = [...(await auditUsageTopic(parts)), ...(await auditCreditTopic(parts))]
  return [...books, ...topics, ...(await auditPartitions(parts))]
}

/** Each partition must be held by exactly one process. */
async function auditPartitions({ db, opsUrls }: AuditParts): Promise<readonly Difference[]> {
  const rows = await db.query<{ partition: number }>({
    text: 'select partition from checkpoints order by partition',
    values: [],
  })
  const held = (await samplesOf(opsUrls, 'sluice_log_lag_events')).map(({ labels }) =>
    Number(/partition="(\d+)"/.exec(labels)?.[1]),
  )
  const holders = (partition: number) => held.filter((one) => one === partition).length
  return differing([
    ['partitions that somebody holds', rows.length, new Set(held).size],
    ...rows.map(
      ({ partition }) => [`holders of partition ${partition}`, 1, holders(partition)] as const,
    ),
  ])
}

/** The usage topic must hold all events that were measured, and no other id. */
async function auditUsageTopic({
  brokers,
  db,
  model,
}: DistributedAuditParts): Promise<readonly Difference[]> {
  const lines = linesOf(await topic(brokers, 'usage.events', '%s'))
  const ids = lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id)
  const [row] = await db.query<{ events: number }>({
    text: 'select sum(events)::bigint as events from checkpoints',
    values: [],
  })
  return differing([
    ['events in the topic', row?.events, ids.length],
    ['distinct events in the topic', model.events, new Set(ids).size],
  ])
}

/**
 * `credit.events` must hold each fact that was told by webhook, under the same id, and no other.
 */
async function auditCreditTopic({
  brokers,
  receiver,
}: DistributedAuditParts): Promise<readonly Difference[]> {
  const headers = linesOf(await topic(brokers, 'credit.events', '%h\\n'))
  const found = new Set(headers.map((line) => /webhook-id=([^,]+)/.exec(line)?.[1] ?? line))
  const ids = new Set([...found, ...receiver.told.keys()])
  return differing(
    [...ids].map((id) => [`credit.events ${id}`, receiver.told.has(id), found.has(id)]),
  )
}

/** All of a topic's records as kcat prints them. */
function topic(brokers: readonly string[], name: string, format: string): Promise<string> {
  const read = ['-C', '-b', brokers.join(','), '-t', name, '-o', 'beginning', '-e', '-q']
  return run(['kcat', ...read, '-f', format])
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')
