import type { AccountChange } from '../../../../rules/accounts/change.ts'
import type { NewFact } from '../../../../rules/facts/fact.ts'
import { timestamptz } from '../connection/client.ts'
import { accountRow } from './account-rows.ts'
import { chargeRows } from './charge-rows.ts'
import { entryRow } from './entry-rows.ts'
import { grantRows } from './grant-rows.ts'

/**
 * Changes of accounts, table by table, in the form that standing_accounts() and write_accounts()
 * take.
 */
export const accountChanges = (changes: readonly AccountChange[]) => ({
  accounts: changes.map(accountRow),
  grants: changes.flatMap(grantRows),
  charged: changes.flatMap(chargeRows),
  ledger_entries: changes.flatMap((change) =>
    change.entries.map((entry) => entryRow(entry, change)),
  ),
  adjustments: changes.flatMap(adjustmentRows),
  facts: changes.flatMap((change) => change.facts.map((fact) => factRow(fact, change))),
  settled: changes.flatMap(({ accountId, unsettled }) =>
    unsettled.map((id) => ({ account_id: accountId, id })),
  ),
})

/** The idempotency key of a change stands beside the first entry that it made. */
const adjustmentRows = ({
  accountId,
  idempotencyKey,
  entries,
}: AccountChange): readonly object[] =>
  idempotencyKey === null
    ? []
    : [{ account_id: accountId, idempotency_key: idempotencyKey, entry_id: entries[0]?.entryId }]

const factRow = (fact: NewFact, { key, accountId }: AccountChange): object => ({
  message_id: fact.messageId,
  business_id: key.businessId,
  mode: key.mode,
  type: fact.type,
  account_id: accountId,
  entry_number: fact.entryNumber,
  data: fact.data,
  at: timestamptz(fact.at),
})
