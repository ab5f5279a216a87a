import type { AccountKey } from '../../../../rules/accounts/view.ts'
import type { Accounts, Share } from '../../accounts.ts'
import type { Scope } from '../../scope.ts'
import type { Db } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import type { AccountKeyRow } from './account-keys.ts'
import { keyOf } from './account-keys.ts'

/** How many words one statement reads: few at first, since the oldest ones are mostly due. */
const wordsAtOnce = { first: 500, max: 8_000 }

/** So many words of accounts that were set aside are worth a statement that clears them. */
const clearedFrom = 1_000

/** Among how many businesses (and modes) one look divides, and how many words of each it reads. */
const turn = { scopes: 20, words: 500 }

/** What due_accounts() answers: `last` is null where no word is left. */
interface Stretch {
  readonly last: number | null
  readonly words: number
  readonly due: readonly AccountKeyRow[]
  readonly aside: readonly (AccountKeyRow & { readonly words: number })[]
}

/** What due_accounts_of_each() answers; where it found nothing the last are null. */
interface TurnRow {
  readonly last_business_id: string | null
  readonly last_mode: string | null
  readonly scopes: number
  readonly due: readonly AccountKeyRow[]
}

/** What settling is told to look at. A process has one, which remembers whose turn is next. */
export function dueAccounts(db: Db): Pick<Accounts, 'due' | 'dueOfEach'> {
  let before: Place = start
  return { due, dueOfEach }

  /**
   * Walks through the words to settling from the oldest on, until enough accounts are found. A word
   * that is older than the quiet time belongs to an account that is due, since settling it takes
   * its words away. So where much is due the walk is short, however much waits behind.
   *
   * Only an account that was set aside keeps its words, and gets more with all that it uses. They
   * are cleared but for the newest, which still says what there is to say once it is taken back: or
   * else every look would pass over all of them.
   */
  async function due(
    limit: number,
    quietMs: number,
    share: Share | null,
  ): Promise<readonly AccountKey[]> {
    const found = new Map<string, AccountKey>()
    const aside = new Map<string, AccountKeyRow>()
    let asideWords = 0
    let behind = 0
    let most = wordsAtOnce.first
    while (found.size < limit) {
      const stretch = await db.query<Stretch>(sql`
        select * from due_accounts(${behind}, ${most}, ${quietMs}, ${share?.slots ?? null},
          ${share?.of ?? 1})`)
      const { aside: waiting = [], due: some = [], last = null, words = 0 } = stretch[0] ?? {}
      for (const row of some) found.set(nameOf(row), keyOf(row))
      for (const { words: more, ...row } of waiting) {
        aside.set(nameOf(row), row)
        asideWords += more - 1
      }
      if (last === null || words < most) break
      behind = last
      most = Math.min(most * 2, wordsAtOnce.max)
    }
    if (asideWords >= clearedFrom) await clear(db, [...aside.values()])
    return [...found.values()].slice(0, limit)
  }

  async function dueOfEach(
    limit: number,
    quietMs: number,
    { share, except }: { readonly share: Share | null; readonly except: Scope },
  ): Promise<readonly AccountKey[]> {
    const isWhole = before === start
    const first = await turnBehind(before)
    const taken = first.isEmpty && !isWhole ? await turnBehind(start) : first
    before = taken.last
    return taken.due

    async function turnBehind([businessId, mode]: Place) {
      const [row] = await db.query<TurnRow>(sql`
        select * from due_accounts_of_each(${businessId}, ${mode}, ${turn.scopes}, ${turn.words},
          ${limit}, ${quietMs}, ${share?.slots ?? null}, ${share?.of ?? 1},
          ${except.businessId}, ${except.mode})`)
      const { due: some = [], last_business_id, last_mode, scopes = 0 } = row ?? {}
      const isLast = scopes < turn.scopes
      const last: Place = isLast ? start : [last_business_id ?? '', last_mode ?? '']
      return { due: some.map(keyOf), isEmpty: scopes === 0, last }
    }
  }
}

/** A business and a mode. */
type Place = readonly [string, string]

/** Before every business. */
const start: Place = ['', '']

const nameOf = ({ business_id, mode, customer_id, entitlement_id }: AccountKeyRow): string =>
  JSON.stringify([business_id, mode, customer_id, entitlement_id])

/** Clears all words of these accounts but the newest of each, which tells of all that they used. */
async function clear(db: Db, keys: readonly AccountKeyRow[]): Promise<void> {
  await db.query(sql`
    delete from unsettled u
    using jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
      k (business_id text, mode text, customer_id text, entitlement_id text)
    cross join lateral (
      select max(id) as newest from unsettled n
      where (n.customer_id, n.entitlement_id, n.business_id, n.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)) w
    where (u.customer_id, u.entitlement_id, u.business_id, u.mode)
        = (k.customer_id, k.entitlement_id, k.business_id, k.mode)
      and u.id < w.newest`)
}
