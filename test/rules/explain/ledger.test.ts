import { describe, expect, it } from 'vitest'
import type { RecordedInputs } from '../../../src/rules/accounts/cause.ts'
import type {
  EntryOfAccount,
  GrantOfAccount,
  Told,
} from '../../../src/rules/explain/account-records.ts'
import type { EffectFacts } from '../../../src/rules/explain/effect.ts'
import { explainEffect } from '../../../src/rules/explain/effect.ts'
import { explainEntry } from '../../../src/rules/explain/entry.ts'
import { ruleOf } from '../../../src/rules/explain/entry-rules.ts'
import { explainGrant } from '../../../src/rules/explain/grant.ts'
import { creditTransactionTypes } from '../../../src/rules/facts/ledger-facts.ts'
import { emptyFold } from '../../../src/rules/meter/fold.ts'
import { usage } from '../../../src/rules/meter/route.ts'
import { hour, instantOf } from '../../../src/std/instant.ts'
import { at, link, noon, one } from '../meter/arbitraries.ts'

const entry: EntryOfAccount = {
  entryId: 'cle_1',
  accountId: 'cbl_1',
  number: 3,
  businessId: 'bus_1',
  brandId: 'bus_1',
  mode: 'test',
  customerId: 'cus_1',
  entitlementId: 'cde_1',
  transactionType: 'credit_deducted',
  isCredit: false,
  amount: '2.00',
  balanceBefore: '5.00',
  balanceAfter: '3.00',
  overageBefore: '0.00',
  overageAfter: '0.00',
  grantId: 'cgr_1',
  referenceType: null,
  referenceId: null,
  description: null,
  metadata: {},
  inputs: null,
  createdAt: noon,
}
const grant: GrantOfAccount = {
  grantId: 'cgr_1',
  accountId: 'cbl_1',
  number: 1,
  businessId: 'bus_1',
  mode: 'test',
  customerId: 'cus_1',
  entitlementId: 'cde_1',
  sourceType: 'subscription',
  sourceId: 'sub_1',
  parentGrantId: null,
  rolloverCount: 0,
  rolledOver: false,
  rolledInto: null,
  initial: '5.00',
  remaining: '3.00',
  expiresAt: null,
  endedAt: null,
  metadata: null,
  createdAt: noon,
  updatedAt: noon,
}
const told: Told = { waiting: [], deliveries: [] }
const plainFacts = { told, grant: null, settling: null, usage: null }

describe('an entry', () => {
  it.each([
    ['usage_deducted', 'meters#worth'],
    ['usage_returned', 'meters#falling-usage'],
    ['cycle_grant', 'credits#grants'],
    ['manual_credit', 'resources#adjustments'],
    ['manual_debit', 'resources#adjustments'],
    ['credit_rolled_over', 'credits#rollover'],
    ['rollover_forfeited', 'credits#rollover'],
    ['cycle_end', 'credits#cycle-end'],
    ['expiry', 'credits#expiry'],
    ['last_cycle_end', 'credits#endings'],
    ['overage_charged', 'credits#overage'],
    ['overage_reset', 'credits#overage'],
    ['auto_repayment', 'credits#overage'],
  ] as const)('of the rule %s names it and its section', (name, section) => {
    const rule = ruleOf({ ...entry, inputs: { rule: name } })
    expect(rule.name).toBe(name)
    expect(rule.manual).toContain(section)
  })

  it.each(creditTransactionTypes)('of a rule without a name is told by its kind %s', (type) => {
    const rule = ruleOf({ inputs: null, transactionType: type })
    expect(rule).toMatchObject({
      name: type,
      manual: expect.arrayContaining([expect.stringMatching(/^\w+#[\w-]+$/)]),
    })
  })

  it("of a cycle's credits is a command at activation, and the cycle's end afterwards", () => {
    const kind = (inputs: RecordedInputs) =>
      explainEntry({
        ...plainFacts,
        entry: { ...entry, transactionType: 'credit_added', inputs },
      }).cause.kind
    expect(kind({ rule: 'cycle_grant' })).toBe('command')
    expect(kind({ rule: 'cycle_grant', endedAt: noon })).toBe('boundary')
  })

  it.each([
    ['plan_change', 'command', /^A change of the plan of subscription sub_1 made it/],
    ['cancellation', 'command', /^The cancellation of subscription sub_1 made it/],
    ['expiry', 'boundary', /^The end of subscription sub_1 made it, whose expires_at came/],
  ] as const)('of a cycle that ended early says by what: %s', (by, kind, sentence) => {
    const inputs = { rule: 'overage_charged', endedBy: by, subscriptionId: 'sub_1' } as const
    const charged = { ...entry, transactionType: 'overage_charged' as const, inputs }
    const { cause } = explainEntry({ ...plainFacts, entry: charged })
    expect(cause).toEqual({ kind, sentence: expect.stringMatching(sentence) })
  })

  it('that moved balance and overage at once shows both', () => {
    const repaid = {
      overageBefore: '4.00',
      overageAfter: '2.00',
      inputs: { rule: 'auto_repayment' as const },
    }
    const { arithmetic, cause } = explainEntry({ ...plainFacts, entry: { ...entry, ...repaid } })
    expect(arithmetic).toEqual(['Balance: 5 − 2 = 3.', 'Overage: 4 − 2 = 2.'])
    expect(cause.kind).toBe('boundary')
  })

  it('that moved neither says where they stand', () => {
    const charged = {
      transactionType: 'overage_charged' as const,
      balanceAfter: '5.00',
      overageBefore: '4.00',
      overageAfter: '4.00',
    }
    const { arithmetic } = explainEntry({ ...plainFacts, entry: { ...entry, ...charged } })
    expect(arithmetic).toEqual(['Balance and overage stand at 5 and 4.'])
  })

  it('says what its webhooks came to', () => {
    const delivery = {
      messageId: 'msg_1',
      type: 'credit.deducted',
      webhookId: 'whk_1',
      outcome: 'delivered',
      nextAt: null,
      attempts: [
        { number: 1, at: instantOf(0), durationMs: 3, status: 500, error: null },
        { number: 2, at: instantOf(0), durationMs: 3, status: 204, error: null },
      ],
    }
    const sentence = (of: Told) => explainEntry({ ...plainFacts, entry, told: of }).telling.sentence
    expect(sentence({ waiting: [], deliveries: [delivery] })).toBe(
      'Webhooks: credit.deducted to whk_1 as msg_1: delivered after 2 attempts, the last answered 204.',
    )
    expect(sentence(told)).toContain('no endpoint wanted credit.deducted')
    expect(sentence({ waiting: ['credit.deducted'], deliveries: [] })).toContain(
      'is about to be told',
    )
  })
})

describe('a grant', () => {
  const added = {
    transactionType: 'credit_added' as const,
    inputs: { rule: 'cycle_grant' as const },
  }
  const issued = { ...entry, ...added, number: 1, balanceBefore: '0', balanceAfter: '5' }

  it('is its entries, in numbers', () => {
    const { arithmetic, movements, rule } = explainGrant({
      grant,
      entries: [issued, entry],
      count: 2,
    })
    expect(rule.name).toBe('cycle_grant')
    expect(movements.map(({ remaining }) => remaining)).toEqual(['5', '3'])
    expect(arithmetic).toEqual(['Its entries add up to what is left: 3.'])
  })

  it('says how it was made, by what inputs', () => {
    const inputs = { rule: 'cycle_grant', creditsAmount: '2.5', quantity: 2 } as const
    const made = { ...issued, amount: '5.00', inputs }
    const explained = explainGrant({ grant, entries: [made, entry], count: 2 })
    expect(explained.inputs).toEqual(inputs)
    expect(explained.arithmetic).toEqual([
      'Credits: 2.5 × 2 = 5.',
      'Its entries add up to what is left: 3.',
    ])
  })

  it('that rolled over says what went where', () => {
    const rolled = { ...grant, remaining: '1.00', rolledInto: 'cgr_2' }
    const { arithmetic } = explainGrant({ grant: rolled, entries: [issued, entry], count: 2 })
    expect(arithmetic).toEqual(['2 rolled over to grant cgr_2, which leaves 1.'])
  })

  it('that was rolled over to begins with the roll', () => {
    const roll = {
      ...entry,
      transactionType: 'credit_rolled_over' as const,
      balanceAfter: '5.00',
      inputs: { rule: 'credit_rolled_over' as const },
    }
    const of = { ...grant, sourceType: 'rollover' as const, parentGrantId: 'cgr_0', remaining: '2' }
    const { arithmetic, summary } = explainGrant({ grant: of, entries: [roll], count: 1 })
    expect(arithmetic).toEqual(['Its entries add up to what is left: 2.'])
    expect(summary.join(' ')).toContain('from grant cgr_0')
  })

  it('of too many entries shows the first and claims no sum', () => {
    const { arithmetic, summary } = explainGrant({ grant, entries: [issued], count: 80 })
    expect(arithmetic).toEqual([])
    expect(summary.at(-1)).toBe('… and 79 more entries.')
  })

  it('that does not add up sends to verify', () => {
    const wrong = { ...grant, remaining: '4.00' }
    const { arithmetic } = explainGrant({ grant: wrong, entries: [issued, entry], count: 2 })
    expect(arithmetic[0]).toContain('sluice verify')
  })
})

describe('what an event did through a route', () => {
  const of = link('mtr_count', 'cde_1')
  const segment = {
    start: noon,
    fold: { ...emptyFold('sum'), events: 1, value: usage(one) },
    link: of,
  }
  const facts: EffectFacts = {
    kind: 'default_link',
    routeId: 'cde_1',
    entitlementId: 'cde_1',
    segment: { cycle: { start: noon, end: at(hour) }, start: noon, end: at(hour), links: [of] },
    link: of,
    precision: 2,
    before: [],
    after: [segment],
    agrees: true,
    complete: true,
    account: { accountId: 'cbl_1', unsettled: false, setAside: null, dropped: '0' },
    settling: null,
    told: new Map(),
  }
  const account = { accountId: 'cbl_1', unsettled: false, setAside: null, dropped: '0' }

  it.each<readonly [string, Partial<EffectFacts>, RegExp]>([
    ['waiting', { account: { ...account, unsettled: true } }, /will be settled/],
    ['set_aside', { account: { ...account, setAside: 'a reason' } }, /a reason/],
    ['no_change', { account: { ...account, dropped: '1' } }, /dropped \(1 credits/],
    ['no_change', {}, /taken back/],
    ['no_change', { before: [segment] }, /did not change/],
    ['money_only', { entitlementId: null, account: null }, /money/],
  ])('%s', (state, change, sentence) => {
    const { settling } = explainEffect({ ...facts, ...change })
    expect(settling.state).toBe(state)
    expect(settling.sentence).toMatch(sentence)
  })

  it('doubts aloud what it could not read, or what the books say otherwise', () => {
    const lines = (change: Partial<EffectFacts>) =>
      explainEffect({ ...facts, ...change }).summary.join('\n')
    expect(lines({})).toContain('Usage of the cycle: 0 before (0 events), 1 with it.\n')
    expect(lines({ agrees: false })).toContain('The books hold other usage')
    expect(lines({ agrees: null, complete: false })).toContain('at least this')
  })
})
