import { creditTransactionTypes, factTypesOf } from '../../../../rules/facts/ledger-facts.ts'
import type { Statement } from '../connection/sql.ts'
import { sql } from '../connection/sql.ts'

const rowsMax = 5_000

/** Every kind of entry with each fact that it is told as. */
const told = JSON.stringify(
  creditTransactionTypes.flatMap((transactionType) =>
    [true, false].flatMap((isCredit) =>
      factTypesOf({ transactionType, isCredit }).map((type) => ({
        transaction_type: transactionType,
        is_credit: isCredit,
        type,
      })),
    ),
  ),
)

/**
 * Facts and messages that tell of an entry what it is not, or tell it to others than it belongs to:
 * a business that keeps books by webhooks would book what never happened. A message that nobody
 * asked for has no row, so that a fact which is missing cannot be found. [webhooks#kinds]
 */
export const factsMistold = (businessId: string | null): Statement => sql`
  with facts as (
    select 'fact' as noun, message_id, business_id, mode, type, account_id, entry_number
    from outbox where entry_number is not null
    union all
    select 'message', message_id, business_id, mode, type, account_id, entry_number
    from messages where entry_number is not null
  )
  select case when (f.business_id, f.mode) <> (a.business_id, a.mode)
      then format('The %s %s is of %s in %s mode, but tells of entry %s of an account of %s in %s mode.',
        noun, message_id, f.business_id, f.mode, number, a.business_id, a.mode)
      else format('The %s %s tells of entry %s of account %s as %s, which is %s.',
        noun, message_id, number, e.account_id, f.type, transaction_type)
    end as sentence
  from facts f
  join ledger_entries e on (e.account_id, e.number) = (f.account_id, f.entry_number)
  join accounts a on a.account_id = e.account_id
  where (${businessId}::text is null or ${businessId} in (a.business_id, f.business_id))
    and ((f.business_id, f.mode) <> (a.business_id, a.mode) or not exists (
      select from jsonb_to_recordset(${told}::jsonb)
        t (transaction_type text, is_credit boolean, type text)
      where (t.transaction_type, t.is_credit, t.type) = (e.transaction_type, e.is_credit, f.type)))
  limit ${rowsMax}`
