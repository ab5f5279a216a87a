import type { Account } from './account.ts'

/**
 * What an entry says of where its grant came from: the metadata of the subscription or the payment.
 * Empty for credits of the API, whose metadata stays on their grant, and where no grant is touched.
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
