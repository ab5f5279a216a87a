import assert from 'node:assert/strict'
import { copyRows } from '../../harness/copies.ts'
import type { Person } from '../../harness/people.ts'
import { copiedCustomer, peopleOf } from '../../harness/people.ts'
import type { Line } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import type { Cells } from './cells.ts'
import { lineForEach } from './cells.ts'

/**
 * First ever more accounts that nobody uses, and then ever more customers of these who use theirs.
 * Ends the site.
 */
export async function byCrowds(
  cells: Cells,
  first: Site,
  counts: { readonly accounts: readonly number[]; readonly customers: readonly number[] },
): Promise<{ readonly accounts: readonly Line[]; readonly customers: readonly Line[] }> {
  const person = await somebody(first)
  let site = first
  let there = 0
  const accounts = await lineForEach(counts.accounts, async (count) => {
    if (count > there) {
      const copies = peopleOf(person, { from: there + 1, count })
      site = await site.restarted(null, () => copyRows(site.dataDir, copies))
      there = count
    }
    const shape = { workload: cells.workload(site, 100), connections: 16 }
    return cells.cell(site, `${count} accounts more`, shape)
  })
  const customers = await lineForEach(counts.customers, (count) => {
    const busy = Array.from({ length: Math.min(count, there) }, (_, n) => copiedCustomer(n + 1))
    const even = { customers: busy, spread: Math.max(3_200, count) }
    const workload = { ...cells.workload(site, 1_000), ...even }
    return cells.cell(site, `${count} customers, evenly`, { workload, connections: 4 })
  })
  await site.stop()
  return { accounts, customers }
}

async function somebody(site: Site): Promise<Person> {
  const [customer = ''] = site.quiet
  const { body } = await site.call<{ readonly items: readonly { subscription_id: string }[] }>(
    'GET',
    `/subscriptions?customer_id=${customer}`,
  )
  const subscription = body.items[0]?.subscription_id
  assert(subscription !== undefined, 'A quiet customer has a subscription.')
  return { customer, subscription, credit: site.entitlementId }
}
