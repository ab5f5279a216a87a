import { openCommandReader } from '../compose/explain.ts'
import { repositories } from '../compose/store.ts'
import { orNotFound } from '../faults.ts'
import type { Difference } from '../operations/verify/difference.ts'
import type { Seen } from '../operations/verify/verify-books.ts'
import { verifyBooks } from '../operations/verify/verify-books.ts'
import type { Command } from './command.ts'
import { withStore } from './command.ts'

export const verify: Command = {
  name: 'verify',
  usage: '[--business ID]',
  summary: 'audits the books: every balance against its entries, every event accounted for',
  options: { business: { type: 'string' } },
  positionals: [],

  async run(input) {
    const businessId = input.text('business')
    const differences: Difference[] = []
    const seen = await withStore(input, async (ports) => {
      // The books of a business that does not exist would agree with everything.
      if (businessId !== null) {
        orNotFound(await ports.businesses.find(businessId), 'business', businessId)
      }
      const { archiveStretches: archive, audit, voids } = repositories(ports.db, input.config())
      const { dedupeWindow: window } = input.config()
      const log = await openCommandReader(input.config(), ports)
      const progress = progressOn(process.stderr)
      try {
        const needs = { audit, log, window, events: { archive, voids } }
        const books = verifyBooks(needs, { businessId, onProgress: progress })
        for await (const difference of books) {
          if (differences.length < differencesShown) differences.push(difference)
        }
        return books.seen
      } finally {
        await log?.close()
      }
    })
    input.answer(documentOf(seen, differences), linesOf(seen, differences))
    return seen.differences === 0 ? 0 : 1
  },
}

/** More than a person reads; the count is exact even so. */
const differencesShown = 1_000
const progressMs = 1_000

function progressOn(out: NodeJS.WriteStream): (seen: Readonly<Seen>) => void {
  let told = performance.now()
  return ({ accounts, entries, differences }) => {
    if (performance.now() - told < progressMs) return
    told = performance.now()
    out.write(`${accounts} accounts, ${entries} entries, ${differences} differences so far\n`)
  }
}

const documentOf = (seen: Readonly<Seen>, differences: readonly Difference[]) => ({
  ok: seen.differences === 0,
  ...seen,
  found: differences.map(({ businessId, ...rest }) => ({ ...rest, business_id: businessId })),
})

function linesOf(seen: Readonly<Seen>, differences: readonly Difference[]): readonly string[] {
  const { accounts, entries, partitions, recounted, unsettled } = seen
  const looked = `Looked at ${accounts} accounts (${unsettled} with unsettled usage), ${entries} ledger entries and ${partitions} partitions, and counted ${recounted} customers’ events again.`
  if (seen.differences === 0) return [looked, 'Everything agrees.']
  const rows = differences.map(({ kind, id, sentence }) => `  ${kind}  ${id ?? '–'}  ${sentence}`)
  return [looked, `${seen.differences} differences:`, ...rows]
}
