import { beginning } from '../../model/billing/model.ts'
import type { Call, Plan, Settings } from '../../model/billing/program.ts'
import { text } from '../../support/billing/catalog.ts'
import type { BillingDesk } from '../../support/billing/desk.ts'
import { openBillingDesk } from '../../support/billing/desk.ts'
import { memoryShelf } from '../../support/billing/memory-shelf.ts'
import { day, planOf, programOf } from './plans.ts'

interface Business {
  readonly settings?: Partial<Settings>
  readonly plans?: readonly Plan[]
  readonly trialDays?: number
}

/** A customer who has subscribed to the first plan on day 0. */
export async function subscribed({
  settings: own = {},
  plans = [planOf()],
  trialDays = 0,
}: Business) {
  const desk = await openBillingDesk(memoryShelf(), programOf(own, plans))
  const at = (days: number): number => beginning + days * day
  const call = (days: number, next: Call): Promise<boolean> => {
    desk.at(at(days))
    return desk.call(next, 0, at(days))
  }
  await call(0, { kind: 'subscribe', plan: 0, trialDays })
  let events = 0
  return {
    desk,
    call,
    async use(days: number, quantity: number): Promise<void> {
      desk.at(at(days))
      const [timestamp, received] = [at(days), at(days)]
      await desk.measure([{ id: ++events, meter: 'a', quantity, timestamp, received }])
    },
    async sweep(days: number): Promise<void> {
      desk.at(at(days))
      await desk.sweep(true)
    },
    /** When each living grant ends, in days; null: never. */
    async ends(): Promise<readonly (number | null)[]> {
      const { account } = await desk.read()
      return account.grants.map(({ expiresAt }) =>
        expiresAt === null ? null : (expiresAt / 1_000_000 - beginning) / day,
      )
    },
    status: async () => (await desk.subscriptions())[0]?.status,
  }
}

/** The entries from number `from` on, as lines. */
export const lines = (desk: BillingDesk, from = 0): readonly string[] =>
  desk.written
    .slice(from)
    .map(({ type, amount, balanceAfter, overageAfter }) =>
      [type, ...[amount, balanceAfter, overageAfter].map((each) => text(Number(each)))].join(' '),
    )
