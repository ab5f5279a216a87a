import { describe, expect, it } from 'vitest'
import type { Grant, GrantSource } from '../../../src/rules/accounts/account.ts'
import { noCause } from '../../../src/rules/accounts/cause.ts'
import { noCredits } from '../../../src/rules/accounts/credits.ts'
import { metadataOf, sourceMetadata } from '../../../src/rules/accounts/source-metadata.ts'
import { accountOf, ending, next, rolling } from './cycles.ts'

const plan = { plan: 'pro' }

/** An account whose one grant has this metadata. */
function holding(sourceType: GrantSource, metadata: Grant['metadata']) {
  const account = accountOf([{ id: 'a' }])
  const grants = account.grants.map((grant) => ({ ...grant, sourceType, metadata }))
  return { ...account, grants }
}

describe('metadata of an entry [resources#ledger-entries]', () => {
  it('is that of the subscription or payment that the grant came from', () => {
    expect(sourceMetadata(holding('subscription', plan), 'a')).toEqual(plan)
    expect(sourceMetadata(holding('one_time', plan), 'a')).toEqual(plan)
    expect(sourceMetadata(holding('subscription', null), 'a')).toEqual({})
  })

  it('is empty for credits of the API, and where no grant is touched', () => {
    expect(sourceMetadata(holding('api', plan), 'a')).toEqual({})
    expect(sourceMetadata(holding('subscription', plan), null)).toEqual({})
  })

  it('is there for a grant that was made or has ended just now', () => {
    const { account } = ending(holding('subscription', plan), { rollover: rolling(), next })
    const rolled = account.grants.find(({ sourceType }) => sourceType === 'rollover')
    expect(account.ended.map(({ drawn }) => drawn)).toEqual([noCredits])
    expect(sourceMetadata(account, 'a')).toEqual(plan)
    const [one] = account.ended
    if (one === undefined) throw new Error('Nothing has ended.')
    const other = { ...one, grant: { ...one.grant, grantId: 'b', metadata: { plan: 'free' } } }
    expect(sourceMetadata({ ...account, ended: [other, one] }, 'a')).toEqual(plan)
    expect(sourceMetadata({ ...account, ended: [one] }, 'nobody')).toEqual({})
    expect(sourceMetadata(account, rolled?.grantId ?? '')).toEqual(plan)
  })

  it('is that of a manual debit where it came with any', () => {
    const account = holding('subscription', plan)
    const of = (rule: 'manual_debit' | 'manual_credit', metadata: Record<string, unknown>) =>
      metadataOf(account, {
        grantId: 'a',
        cause: { ...noCause, metadata, inputs: { rule, amount: '1' } },
      })
    expect(of('manual_debit', { ticket: 7 })).toEqual({ ticket: 7 })
    expect(of('manual_debit', {})).toEqual(plan)
    expect(of('manual_credit', { ticket: 7 })).toEqual(plan)
    expect(metadataOf(account, { grantId: 'a', cause: noCause })).toEqual(plan)
  })
})
