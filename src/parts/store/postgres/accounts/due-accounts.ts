import type { AccountKey } from '../../../../rules/accounts/view.ts'
import type { Mode } from '../../../../rules/meter/meter.ts'
import type { Share } from '../../accounts.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

/** How many words one statement reads: few at first, since the oldest ones are mostly due. */
const wordsAtOnce = { first: 500, max: 8_000 }

/** So many words of accounts that were set aside are worth a statement that clears them. */
const clearedFrom = 1_000

export interface AccountKeyRow {
  readonly business_id: string
  readonly mode: Mode
  readonly customer_id: string
  readonly entitlement_id: string
}

export const keyOf = (row: AccountKeyRow): AccountKey => ({
  businessId: row.business_id,
  mode: row.mode,
  customerId: row.customer_id,
  entitlementId: row.entitlement_id,
})

/** What a stretch of `unsettled` says. */
interface Stretch {
  /** The last word that was read; null: there is none. */
  readonly last: number | null
  readonly words: number
  /** Each account once, the one whose word is oldest first. */
  readonly due: readonly AccountKeyRow[]
  /** Accounts with several words in the stretch that were set aside. */
  readonly aside: readonly (AccountKeyRow & { readonly words: number })[]
}

/** How long no word is looked at again, and whose words are. */
interface Whose {
  readonly quietMs: number
  readonly share: Share | null
}

/**
 * Walks through the words to settling from the oldest on, until enough accounts are found. A word
 * that is older than the quiet time belongs to an account that is due, since settling it takes its
 * words away. So where much is due the walk is short, however much waits behind.
 *
 * Only an account that was set aside keeps its words, and gets more with all that it uses. They are
 * cleared but for the newest, which still says what there is to say once it is taken back: or else
 * every look would pass over all of them.
 */
export async function dueAccounts(
  db: Db,
  limit: number,
  whose: Whose,
): Promise<readonly AccountKey[]> {
  const found = new Map<string, AccountKey>()
  const aside = new Map<string, AccountKeyRow>()
  let asideWords = 0
  let behind = 0
  let most = wordsAtOnce.first
  while (found.size < limit) {
    const { aside: waiting, due, last, words } = await stretchOf(db, { behind, most }, whose)
    for (const row of due) found.set(nameOf(row), keyOf(row))
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

const nameOf = ({ business_id, mode, customer_id, entitlement_id }: AccountKeyRow): string =>
  JSON.stringify([business_id, mode, customer_id, entitlement_id])

async function stretchOf(
  db: Db,
  { behind, most }: { readonly behind: number; readonly most: number },
  { quietMs, share }: Whose,
): Promise<Stretch> {
  // Each account is looked for by itself: by their statistics, which are old where accounts become
  // many at once, all of them would be read.
  const [stretch] = await db.query<Stretch>(sql`
    with words as materialized (
      select id, business_id, mode, customer_id, entitlement_id
      from unsettled where id > ${behind} order by id limit ${limitOf(most)}
    ),
    accounts_of_words as (
      select u.*, a.set_aside, case
        when a.account_id is null then true
        when a.set_aside is not null then false
        else a.settled_at <= now() - ${quietMs}::integer * interval '1 ms'
          or a.settled_at > now() end as is_due
      from (
        select business_id, mode, customer_id, entitlement_id, min(id) as first,
          count(*) as words
        from words
        where ${share?.slots ?? null}::integer[] is null
          or (hashtext(customer_id) & 2147483647) % ${share?.of ?? 1}::integer
            = any(${share?.slots ?? null}::integer[])
        group by 1, 2, 3, 4
      ) u
      left join lateral (
        select account_id, set_aside, settled_at from accounts a
        where (a.business_id, a.mode, a.entitlement_id, a.customer_id)
          = (u.business_id, u.mode, u.entitlement_id, u.customer_id) limit 1) a on true
    )
    select (select max(id) from words) as last, (select count(*) from words) as words,
      coalesce(jsonb_agg(jsonb_build_object(${keyColumns}) order by first)
        filter (where is_due), '[]') as due,
      coalesce(jsonb_agg(jsonb_build_object(${keyColumns}, 'words', words))
        filter (where set_aside is not null and words > 1), '[]') as aside
    from accounts_of_words`)
  return stretch ?? { last: null, words: 0, due: [], aside: [] }
}

/** In the text of the statement, so that its plan is made for this many. */
const limitOf = (words: number): Statement => ({ text: String(words), values: [] })

const keyColumns: Statement = sql`'business_id', business_id, 'mode', mode,
  'customer_id', customer_id, 'entitlement_id', entitlement_id`

/** All words of these accounts but the newest of each, unless they were taken back meanwhile. */
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
