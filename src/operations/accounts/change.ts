import { createHash } from 'node:crypto'
import { Fault } from '../../faults.ts'
import type {
  AccountChange,
  AccountKey,
  Accounts,
  AccountView,
  NewFact,
} from '../../parts/store/accounts.ts'
import type { Account } from '../../rules/credits/account.ts'
import { storedBalance } from '../../rules/credits/account.ts'
import type { Decided } from '../../rules/credits/settle.ts'
import { sourceMetadata } from '../../rules/credits/source-metadata.ts'
import { passing } from '../../runtime/moments.ts'
import type { NewId } from '../../std/id.ts'
import type { Instant } from '../../std/instant.ts'
import { factsOf, lowBalanceFacts } from './facts.ts'
import type { Projected } from './project.ts'
import { ownCycleAt, project } from './project.ts'
import { inTurn } from './turns.ts'

export interface AccountDesk {
  readonly accounts: Accounts
  readonly newId: NewId
  /** Told of the entries that a command has written, where somebody counts them. */
  readonly wrote?: (entries: AccountChange['entries']) => void
}

/** What a command makes of a settled account; null leaves it as it is. */
export type Command = (projected: Projected, view: AccountView) => Decided | null

export interface AccountCommand<T> {
  readonly keys: readonly AccountKey[]
  readonly at: Instant
  /**
   * The one command of each key, in order. Throws a Fault to refuse: then nothing changes, not even
   * the settling. [design 2]
   */
  readonly decide: (views: readonly AccountView[]) => readonly Command[]
  /** Writes all of it, or answers false when an account lost a race. */
  readonly write: (changes: readonly AccountChange[]) => Promise<boolean>
  readonly idempotencyKey?: string | null
  readonly answer: (changes: readonly AccountChange[]) => T
}

const triesMax = 50

/**
 * The one operation that changes accounts: load with version → settle → decide (pure) → write if
 * the versions hold, else again. Commands of this process on one account take turns. (design 3,
 * rule 8)
 */
export function changeAccounts<T>(desk: AccountDesk, command: AccountCommand<T>): Promise<T> {
  return inTurn(command.keys.map(accountIdOf), async () => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const views = await desk.accounts.load(command.keys)
      const commands = command.decide(views)
      const changes = views.map((view, index) =>
        changeOf(desk, view, {
          at: command.at,
          decide: commands[index] ?? (() => null),
          idempotencyKey: command.idempotencyKey ?? null,
        }),
      )
      if (!(await command.write(changes))) continue
      passing('adjusted')
      desk.wrote?.(changes.flatMap(({ entries }) => entries))
      return command.answer(changes)
    }
    throw new Fault('UNAVAILABLE', 'The balance is changing too fast just now; try again.', {
      retryAfterSeconds: 1,
    })
  })
}

interface ChangeRequest {
  readonly at: Instant
  readonly decide: Command
  readonly idempotencyKey: string | null
}

/** Settled and decided, with ids and facts, ready to be written. */
export function changeOf(
  desk: Pick<AccountDesk, 'newId'>,
  view: AccountView,
  { at, decide, idempotencyKey }: ChangeRequest,
): AccountChange {
  const projected = project(view, at)
  const decided = decide(projected, view) ?? { account: projected.account, entries: [] }
  const facts = [
    ...factsFor(desk, view, projected, { before: projected.before, decided: projected, at }),
    ...factsFor(desk, view, projected, { before: projected.account, decided, at }),
  ]
  const entries = [...projected.entries, ...decided.entries]
  return {
    key: view.key,
    accountId: view.stored?.accountId ?? accountIdOf(view.key),
    expected: view.stored?.version ?? null,
    before: view.stored?.account ?? null,
    account: decided.account,
    entries: entries.map((entry) => {
      const metadata = sourceMetadata(decided.account, entry.grantId)
      const cause = { ...entry.cause, metadata }
      return { ...entry, cause, entryId: desk.newId('cle'), brandId: projected.brandId }
    }),
    facts,
    unsettled: view.unsettled,
    idempotencyKey,
    ownCycleAt: ownCycleAt(view, at),
    announce: false,
    at,
  }
}

interface Step {
  readonly before: Account
  readonly decided: Decided
  readonly at: Instant
}

/** What one step announces: its entries, then a low balance if it crossed the line. [ruling 22] */
function factsFor(
  desk: Pick<AccountDesk, 'newId'>,
  view: AccountView,
  projected: Projected,
  { before, decided, at }: Step,
): readonly NewFact[] {
  const low = lowBalanceFacts(view, projected, {
    before: storedBalance(before),
    now: storedBalance(decided.account),
  })
  return [...decided.entries.flatMap(factsOf), ...low].map((fact) => ({
    ...fact,
    messageId: desk.newId('msg'),
    at,
  }))
}

/** The id of a balance: derived from its key, so that it has one before it is stored. */
export function accountIdOf(key: AccountKey): string {
  const name = JSON.stringify([key.businessId, key.mode, key.customerId, key.entitlementId])
  return `cbl_${createHash('sha256').update(name).digest('base64url').slice(0, 21)}`
}
