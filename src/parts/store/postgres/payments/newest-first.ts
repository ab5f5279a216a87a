import type { Instant } from '../../../../std/instant.ts'
import type { Page, Scope } from '../../scope.ts'
import { timestamptz } from '../connection/client.ts'
import type { Statement } from '../connection/sql.ts'
import { joined, sql } from '../connection/sql.ts'

interface Listed {
  readonly columns: Statement
  readonly table: Statement
  /** What comes behind `created_at` in the order. */
  readonly order: Statement
  readonly scope: Scope
  /** Columns with what they must be; null: anything. */
  readonly equal: readonly (readonly [Statement, unknown])[]
  readonly filter: { readonly createdFrom: Instant | null; readonly createdTo: Instant | null }
  readonly page: Page
}

/** A page of a business's rows, newest first; both ends of the time are included. */
export function newestFirst(of: Listed): Statement {
  const { businessId, mode } = of.scope
  const { createdFrom, createdTo } = of.filter
  const conditions = [
    sql`business_id = ${businessId} and mode = ${mode}`,
    ...of.equal.flatMap(([column, value]) => (value === null ? [] : [sql`${column} = ${value}`])),
    ...(createdFrom === null ? [] : [sql`created_at >= ${timestamptz(createdFrom)}`]),
    ...(createdTo === null ? [] : [sql`created_at <= ${timestamptz(createdTo)}`]),
  ]
  return sql`
    select ${of.columns} from ${of.table}
    where ${joined(conditions, ' and ')}
    order by created_at desc, ${of.order}
    limit ${of.page.limit} offset ${of.page.offset}`
}
