import type { AccountChange } from '../../../../rules/accounts/change.ts'
import type { Change, Changes, CommitOutcome, LoneFact } from '../../changes.ts'
import type { Scope } from '../../scope.ts'
import { accountChanges } from '../accounts/account-changes.ts'
import type { Db } from '../connection/client.ts'
import { stateOf, timestamptz } from '../connection/client.ts'
import { sql } from '../connection/sql.ts'
import { rowsByNoun } from './row-changes.ts'

export function changes(db: Db): Changes {
  return { commit, commitEach }

  async function commit(change: Change): Promise<CommitOutcome> {
    if (isEmpty(change)) return 'committed'
    const statement = sql`select commit_change(${changeJson(change)}::jsonb) as committed`
    try {
      const [row] = await db.query<{ committed: boolean }>(statement)
      return row?.committed === true ? 'committed' : 'moved'
    } catch (error) {
      const outcome = isSameAccount(error) ? 'moved' : refusals[stateOf(error) ?? '']
      if (outcome === undefined) throw error
      return outcome
    }
  }

  async function commitEach(all: readonly AccountChange[]): Promise<ReadonlySet<string>> {
    if (all.length === 0) return new Set()
    const statement = sql`
      select unnest(write_accounts(decided, standing_accounts(decided))) as account_id
      from (select ${JSON.stringify(accountChanges(all))}::jsonb as decided) as given`
    try {
      const rows = await db.query<{ account_id: string }>(statement)
      return new Set(rows.map((row) => row.account_id))
    } catch (error) {
      if (isSameAccount(error)) return new Set()
      throw error
    }
  }
}

/**
 * Two transactions that make the same account at once may meet on the key of which write_accounts()
 * says nothing, before they meet on its id: the second has moved, as it has there.
 */
const isSameAccount = (error: unknown): boolean =>
  error instanceof Error &&
  'constraint' in error &&
  error.constraint === 'accounts_business_id_mode_entitlement_id_customer_id_key'

/** The SQLSTATEs of commit_change() that stand for an outcome. */
const refusals: Readonly<Record<string, CommitOutcome>> = { SL001: 'moved', SL002: 'taken' }

const isEmpty = ({ rows, accounts, facts }: Change): boolean =>
  rows.length + accounts.length + facts.length === 0

function changeJson({ scope, clockAhead, rows, accounts, facts }: Change): string {
  const ofAccounts = accountChanges(accounts)
  return JSON.stringify({
    business_id: scope.businessId,
    mode: scope.mode,
    clock_ahead: clockAhead,
    rows: rowsByNoun(scope, rows),
    ...ofAccounts,
    facts: [...facts.map((fact) => factRow(scope, fact)), ...ofAccounts.facts],
  })
}

const factRow = ({ businessId, mode }: Scope, fact: LoneFact): object => ({
  message_id: fact.messageId,
  business_id: businessId,
  mode,
  type: fact.type,
  data: fact.data,
  at: timestamptz(fact.at),
})
