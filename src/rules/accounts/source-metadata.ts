import type { Account } from './account.ts'
import type { Cause } from './cause.ts'

/**
 * The metadata of an entry: that of the subscription or payment from which its grant came. Empty
 * for credits of the API, whose metadata stays on their grant, and for entries that touch no grant.
 * [resources#ledger-entries]
 */
export function sourceMetadata(
  { grants, ended }: Pick<Account, 'grants' | 'ended'>,
  grantId: string | null,
): Readonly<Record<string, unknown>> {
  const touched =
    grants.find((grant) => grant.grantId === grantId) ??
    ended.find(({ grant }) => grant.grantId === grantId)?.grant
  return touched === undefined || touched.sourceType === 'api' ? {} : (touched.metadata ?? {})
}

/**
 * The metadata of an entry that has a cause: a manual debit has its own where it was given any,
 * since nothing else of it remains; all others have that of their source.
 */
export function metadataOf(
  account: Pick<Account, 'grants' | 'ended'>,
  { cause, grantId }: { readonly cause: Cause; readonly grantId: string | null },
): Readonly<Record<string, unknown>> {
  const isOwn = cause.inputs?.rule === 'manual_debit' && Object.keys(cause.metadata).length > 0
  return isOwn ? cause.metadata : sourceMetadata(account, grantId)
}
