import type {
  EntryOfAccount,
  GrantOfAccount,
  Settling,
} from '../../../../rules/explain/account-records.ts'
import { usageInputs } from '../../../../rules/explain/account-records.ts'
import type { RoutingChange } from '../../../../rules/explain/routing.ts'
import type { EventPlace, Positions } from '../../../../rules/meter/place.ts'
import type { Stretch } from '../../../../rules/meter/route.ts'
import type { ChargeKey, Explanations, RoutingKnown } from '../../explanations.ts'
import type { Scope } from '../../scope.ts'
import { stretchesOf } from '../catalog/route-stretches.ts'
import type { StretchJson } from '../catalog/stretches.ts'
import { stretchesFrom } from '../catalog/stretches.ts'
import type { Db } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'
import { instantOrNull } from '../connection/values.ts'
import type { StoredRange } from '../usage/log-time.ts'
import { rangesOf } from '../usage/log-time.ts'
import type { OwnedEntryRow, OwnedGrantRow } from './explanation-rows.ts'
import { ownedEntryOf, ownedGrantOf } from './explanation-rows.ts'

export function explanations(db: Db): Explanations {
  return {
    entry,
    grant,
    entriesOfGrant,
    settlingAfter,
    settlingOf,
    routing,
    stretches,
    untold,
  }

  async function entry(entryId: string): Promise<EntryOfAccount | null> {
    const [found] = await entries(sql`e.entry_id = ${entryId}`)
    return found ?? null
  }

  async function grant(grantId: string): Promise<GrantOfAccount | null> {
    const [row] = await db.query<OwnedGrantRow>(sql`
      select g.*, a.business_id, a.mode, a.customer_id, a.entitlement_id, (
        select child.grant_id from grants as child
        where child.account_id = g.account_id and child.parent_grant_id = g.grant_id
        order by child.number limit 1) as rolled_into
      from grants as g join accounts as a using (account_id)
      where g.grant_id = ${grantId}`)
    return row === undefined ? null : ownedGrantOf(row)
  }

  async function entriesOfGrant(
    { accountId, grantId }: Pick<GrantOfAccount, 'accountId' | 'grantId'>,
    max: number,
  ) {
    const [counted] = await db.query<{ count: number }>(sql`
      select count(*) as count from ledger_entries
      where account_id = ${accountId} and grant_id = ${grantId}`)
    const found = await entries(sql`
      e.account_id = ${accountId} and e.grant_id = ${grantId} order by e.number limit ${max}`)
    return { count: counted?.count ?? 0, entries: found }
  }

  async function settlingAfter(
    accountId: string,
    charge: ChargeKey,
    place: EventPlace,
  ): Promise<Settling | null> {
    const from = await firstThatSaw(accountId, place)
    if (from === null) return null
    const [first] = await entries(sql`
      e.account_id = ${accountId} and e.number >= ${from} and ${isOf(charge)}
      order by e.number limit 1`)
    return first === undefined ? null : settlingOf(first, charge)
  }

  /**
   * What settlings had seen only grows with an account's entries. So a binary search finds the
   * first one that had seen the event in some twenty steps; reading them all could take minutes.
   */
  async function firstThatSaw(
    accountId: string,
    { partition, offset }: EventPlace,
  ): Promise<number | null> {
    const [bounds] = await db.query<{ last: number | null }>(
      sql`select max(number) as last from ledger_entries where account_id = ${accountId}`,
    )
    let [low, high] = [1, (bounds?.last ?? 0) + 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      const [row] = await db.query<{ number: number; saw: boolean }>(sql`
        select number, coalesce((inputs -> 'measured' ->> ${String(partition)})::bigint, 0)
          > ${offset}::bigint as saw
        from ledger_entries
        where account_id = ${accountId} and number >= ${middle} and number < ${high}
        and inputs ? 'measured'
        order by number limit 1`)
      if (row === undefined) high = middle
      else if (row.saw) high = middle
      else low = row.number + 1
    }
    return low > (bounds?.last ?? 0) ? null : low
  }

  async function settlingOf(of: EntryOfAccount, charge: ChargeKey): Promise<Settling> {
    const { accountId, number } = of
    // Entries of one settling have equal inputs, to the letter, and a settling charges each usage
    // once.
    const made = await entries(sql`
      e.account_id = ${accountId} and e.number > ${number - span} and e.number < ${number + span}
      and ${isOf(charge)} and e.inputs = (
        select same.inputs from ledger_entries same
        where (same.account_id, same.number) = (${accountId}, ${number}::bigint))
      order by e.number`)
    const [before] = await entries(sql`
      e.account_id = ${accountId} and e.number < ${made[0]?.number ?? number} and ${isOf(charge)}
      order by e.number desc limit 1`)
    return {
      entries: made,
      since: before === undefined ? null : measuredOf(before),
      sinceAt: before?.createdAt ?? null,
      upTo: measuredOf(of),
    }
  }

  async function entries(condition: Statement): Promise<readonly EntryOfAccount[]> {
    const rows = await db.query<OwnedEntryRow>(sql`
      select e.*, a.business_id, a.mode, a.customer_id, a.entitlement_id
      from ledger_entries as e join accounts as a using (account_id)
      where ${condition}`)
    return rows.map(ownedEntryOf)
  }

  async function routing(
    scope: Scope,
    customerId: string,
    before: Positions,
  ): Promise<RoutingKnown> {
    const { businessId, mode } = scope
    const rows = await db.query<RoutingRow>(sql`
      with history as (
        select * from routing_history
        where business_id = ${businessId} and mode = ${mode} and kind in ('meter', 'links')
        union all
        select * from routing_history
        where business_id = ${businessId} and mode = ${mode} and customer_id = ${customerId}
      ), held as (
        select distinct on (kind, subject_id) id from history
        where exists (
          select from jsonb_each_text(${JSON.stringify(before)}::jsonb) as wanted
          where coalesce((measured ->> wanted.key)::bigint, 0) < wanted.value::bigint)
        order by kind, subject_id, id desc
      ), newest as (
        select id, sum(octet_length(state::text)) over (order by id desc) as bytes
        from (select * from history order by id desc limit ${routingRowsMax}) as latest
      )
      select kind, subject_id, measured, state, (select count(*) from history) as changes
      from history
      where id in (
        select id from held
        union
        select id from newest where bytes <= ${routingBytesMax})
      order by id`)
    return { changes: rows.map(changeOf), complete: rows.length === (rows[0]?.changes ?? 0) }
  }

  async function stretches(scope: Scope, routeId: string): Promise<readonly Stretch[]> {
    return (await stretchesOf(db, scope, [routeId])).get(routeId) ?? []
  }

  async function untold(accountId: string, entryNumber: number): Promise<readonly string[]> {
    const rows = await db.query<{ type: string }>(sql`
      select type from outbox
      where account_id = ${accountId} and entry_number = ${entryNumber}
      order by id`)
    return rows.map((row) => row.type)
  }
}

/** What one explanation reads of how usage was routed: an explanation is no reason to run full. */
const [routingRowsMax, routingBytesMax] = [2_000, 4 * 1024 * 1024]

/** More than the number of an account's grants that one settling can touch. */
const span = 1_000

const isOf = ({ routeId, meterId, cycleAt }: ChargeKey): Statement => sql`
  e.reference_type = 'meter' and e.reference_id = ${meterId}
  and e.inputs ->> 'route_id' = ${routeId}
  and (e.inputs ->> 'cycle_start_us')::bigint = ${cycleAt}::bigint`

const measuredOf = (entry: EntryOfAccount): Positions => usageInputs(entry)?.measured ?? {}

interface RoutingRow {
  /** How many there are in all. */
  readonly changes: number
  readonly kind: RoutingChange['kind']
  readonly subject_id: string
  readonly measured: Positions
  readonly state: {
    readonly stretches: readonly StretchJson[] | null
    readonly activated_at: string | null
    readonly ended: string | null
    /** Null for meters and entitlements, which are never paused. */
    readonly pauses: readonly StoredRange[] | null
  }
}

const changeOf = ({ kind, subject_id, measured, state }: RoutingRow): RoutingChange => ({
  kind,
  subjectId: subject_id,
  measured,
  stretches: stretchesFrom(state.stretches ?? []),
  activatedAt: instantOrNull(state.activated_at),
  ended: instantOrNull(state.ended),
  pauses: rangesOf(state.pauses ?? []),
})
