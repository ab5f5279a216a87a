import { mebibyte } from '../watching.ts'

/**
 * Tables that grow with what is sent, and what deletes their rows. Every other table must stay as
 * large as it is when everything is warm, and so must tables that are not named here.
 */
export const growing: Readonly<Record<string, string>> = {
  batches: 'by day, when dedupe and the archive need them no more',
  archive_blocks: 'by day, EVENT_RETENTION',
  archive_index: 'by day, EVENT_RETENTION',
  routing_history: 'when no event is kept that was measured before the next change',
  meter_versions: 'the same',
  link_versions: 'the same',
  route_versions: 'the same',
  messages: 'by day, WEBHOOK_RETENTION',
  deliveries: 'with their messages',
  attempts: 'with their messages',
  // The books: their rows are as many as commands, cycles or customers.
  accounts: 'never',
  adjustments: 'never',
  charged: 'never',
  customers: 'never',
  discount_customers: 'never',
  discount_uses: 'never',
  discounts: 'never',
  grants: 'never',
  ledger_entries: 'never',
  old_links: 'never: with usage',
  old_stretches: 'never: with usage',
  subscriptions: 'never',
  usage: 'never',
  voids: 'never',
  wallet_entries: 'never',
  wallets: 'never',
}

const slackBytes = 4 * mebibyte

/** Tables that have grown since `early` and must not; a little is left to the next vacuum. */
export function grownAmong(
  early: ReadonlyMap<string, number>,
  late: ReadonlyMap<string, number>,
): readonly string[] {
  return [...late].flatMap(([table, bytes]) => {
    if (table in growing || bytes <= 2 * (early.get(table) ?? 0) + slackBytes) return []
    return [table]
  })
}
