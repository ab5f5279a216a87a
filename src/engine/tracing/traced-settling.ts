import type { Changes } from '../../parts/store/changes.ts'
import type { AccountChange } from '../../rules/accounts/change.ts'
import type { Span } from '../../runtime/tracing.ts'
import type { TracedNeeds } from './links.ts'
import { lenientLinks, ofAccount, ofMessage } from './links.ts'

type CommitEach = Pick<Changes, 'commitEach'>

/** Gives the settling of traced usage a span, and links what it tells to that. */
export function tracedSettling({ commitEach }: CommitEach, needs: TracedNeeds): CommitEach {
  const links = lenientLinks(needs)
  return { commitEach: traced }

  async function traced(changes: readonly AccountChange[]): Promise<ReadonlySet<string>> {
    const found = await links.find(changes.map(({ key }) => ofAccount(key)))
    if (found.size === 0) return commitEach(changes)
    const spans = new Map<AccountChange, Span>()
    for (const change of changes) {
      const parent = found.get(ofAccount(change.key)) ?? null
      if (parent === null) continue
      const span = needs.tracing.begin({ name: 'settle', kind: 'internal', parent })
      if (span !== null) spans.set(change, span)
    }
    // Before the commit, since what it tells may be on its way a moment later.
    await links.put(
      [...spans].flatMap(([{ facts }, { traceparent }]) =>
        facts.map(({ messageId }) => ({ subject: ofMessage(messageId), traceparent })),
      ),
    )
    const saved = await commitEach(changes)
    const over = [...spans].filter(([{ accountId }]) => saved.has(accountId))
    for (const [change, span] of spans) {
      span.end({ 'sluice.entries': change.entries.length }, !saved.has(change.accountId))
    }
    if (over.length > 0) await links.drop(over.map(([{ key }]) => ofAccount(key)))
    return saved
  }
}
