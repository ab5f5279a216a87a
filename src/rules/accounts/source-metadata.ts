import type { Account } from './account.ts'

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
