import fc from 'fast-check'
import type { Account } from '../../src/rules/accounts/account.ts'
import { balanceAt, emptyAccount } from '../../src/rules/accounts/account.ts'
import { noCause } from '../../src/rules/accounts/cause.ts'
import { debit, grant } from '../../src/rules/accounts/commands.ts'
import { credits, formatCredits } from '../../src/rules/accounts/credits.ts'
import type { Entry } from '../../src/rules/accounts/entry.ts'
import type { Replay } from '../../src/rules/accounts/replay.ts'
import { emptyReplay } from '../../src/rules/accounts/replay.ts'
import type { Decided, Worth } from '../../src/rules/accounts/settle.ts'
import { settle } from '../../src/rules/accounts/settle.ts'
import type { OverageTerms } from '../../src/rules/accounts/terms.ts'
import { noOverage } from '../../src/rules/accounts/terms.ts'
import { after, instantOf, second } from '../../src/std/instant.ts'
import { replayed } from '../support/billing/replayed.ts'
import type { ModelState, ModelTerms, Step } from './credits.ts'
import { balanceOf } from './credits.ts'

/** Small amounts and few meters: faults appear where things meet. */
export const programs = (): fc.Arbitrary<Step[]> =>
  fc.array(anyStep, { minLength: 1, maxLength: 25, size: 'max' })

const amount = fc.bigInt({ min: 1n, max: 30n })

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: usageStep() },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('grant' as const),
      amount,
      lives: fc.option(fc.integer({ min: 1, max: 4 })),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('debit' as const), amount }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('terms' as const), terms: anyTerms() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('later' as const),
      by: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'settle' as const }) },
)

/**
 * `meter` stands for a meter, a cycle and a route. A worth may be below 0, since a segment with a
 * higher rate may give back what another one has used.
 */
function usageStep(): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant('usage' as const),
    meter: fc.constantFrom('calls 1 a', 'calls 2 a', 'calls 1 b', 'bytes 1 a'),
    worth: fc.bigInt({ min: -15n, max: 60n }),
  })
}

function anyTerms(): fc.Arbitrary<ModelTerms> {
  return fc.record({
    overage: fc.boolean(),
    limit: fc.option(fc.bigInt({ min: 0n, max: 25n })),
  })
}

/** When the real rules settle: the books must end the same. [guarantees#determinism] */
export type Pace = 'always' | 'at commands' | 'as told'

/** The rules under test, driven as operations drive them: load, settle, decide, keep. */
export interface Desk {
  readonly account: Account
  readonly books: Replay
  readonly entries: readonly Entry[]
  readonly refused: number
  run(step: Step): void
  /** Settles, whatever the pace. */
  settle(): void
  /** What a read shows: a settling that is not saved. */
  read(): Account
  shown(): bigint
}

export function openDesk(pace: Pace): Desk {
  let account = emptyAccount(2)
  let books = emptyReplay
  let at = instantOf(1_700_000_000 * second)
  let overage = noOverage
  let refused = 0
  const entries: Entry[] = []
  const worths = new Map<string, Worth>()

  return {
    get account() {
      return account
    },
    get books() {
      return books
    },
    get entries() {
      return entries
    },
    get refused() {
      return refused
    },
    read: () => settled().account,
    shown: () => balanceAt(settled().account, at),
    run,
    settle: () => keep(settled()),
  }

  function run(step: Step): void {
    if (step.kind === 'usage') worths.set(step.meter, worthOf(step))
    if (step.kind === 'later') at = after(at, step.by)
    if (step.kind === 'settle' && pace === 'as told') keep(settled())
    if (step.kind === 'terms') changeTerms(termsOf(step.terms))
    if (step.kind === 'grant') keep(settled(), (own) => granted(own, step))
    if (step.kind === 'debit') takeOff(step.amount)
    if (pace === 'always') keep(settled())
  }

  function settled(): Decided {
    return settle(account, { worths: [...worths.values()], overage }, at)
  }

  function keep(first: Decided, next?: (own: Account) => Decided): void {
    const second = next?.(first.account) ?? { account: first.account, entries: [] }
    const made = [...first.entries, ...second.entries]
    account = second.account
    books = replayed(books, made)
    entries.push(...made)
  }

  /** Another operation changes the terms: what was used before is settled under the old ones. */
  function changeTerms(next: OverageTerms): void {
    keep(settled())
    overage = next
    keep(settled())
  }

  function granted(own: Account, step: Step & { kind: 'grant' }): Decided {
    const command = {
      grantId: `cgr_${own.grantsMade + 1}`,
      amount: credits(step.amount),
      source: { type: 'api' as const, id: null },
      cycleAt: null,
      expiresAt: step.lives === null ? null : after(at, step.lives),
      metadata: null,
      entryType: 'manual_adjustment' as const,
      cause: noCause,
    }
    return grant(own, command, at)
  }

  function takeOff(size: bigint): void {
    const first = settled()
    const decided = debit(first.account, { amount: credits(size), cause: noCause }, at)
    if ('problem' in decided) refused += 1
    else keep(first, () => decided)
  }
}

const worthOf = ({ meter, worth }: Step & { kind: 'usage' }): Worth => {
  const [meterId = '', cycle = '1', routeId = 'a'] = meter.split(' ')
  return {
    routeId,
    meterId,
    cycleAt: instantOf(Number(cycle) * second),
    worth: credits(worth),
  }
}

const termsOf = ({ overage, limit }: ModelTerms): OverageTerms => ({
  enabled: overage,
  limit: limit === null ? null : credits(limit),
  behavior: 'forgive_at_reset',
})

/** What is compared, in one shape for rules and model. */
export interface Outcome {
  readonly balance: bigint
  readonly initial: readonly bigint[]
  readonly remaining: readonly bigint[]
  readonly drawn: readonly bigint[]
  readonly overage: bigint
  readonly dropped: bigint
  readonly unreturned: bigint
  readonly refused: number
}

export const outcomeOf = (desk: Desk): Outcome => {
  const { state, grants } = desk.read()
  return {
    balance: desk.shown(),
    initial: grants.map((each) => each.initial),
    remaining: state.holdings.map((holding) => holding.remaining),
    drawn: state.holdings.map((holding) => holding.drawn),
    overage: state.overage,
    dropped: state.dropped,
    unreturned: state.unreturned,
    refused: desk.refused,
  }
}

export const expectedOf = (model: ModelState): Outcome => ({
  balance: balanceOf(model),
  initial: model.grants.map((each) => each.initial),
  remaining: model.grants.map((each) => each.remaining),
  drawn: model.grants.map((each) => each.drawn),
  overage: model.overage,
  dropped: model.dropped,
  unreturned: model.unreturned,
  refused: model.refused,
})

/** An entry as one line, for examples to read: `1 credit_deducted -5 grant cgr_1 15/0`. */
export const lineOf = (entry: Entry): string =>
  [
    entry.number,
    entry.type,
    `${entry.isCredit ? '+' : '-'}${formatCredits(entry.amount, 0)}`,
    entry.grantId ?? 'overage',
    `${formatCredits(entry.balanceAfter, 0)}/${formatCredits(entry.overageAfter, 0)}`,
  ].join(' ')
