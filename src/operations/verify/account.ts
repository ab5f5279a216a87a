import type { AuditedAccount, AuditedGrant } from '../../parts/store/audit.ts'
import type { Account, Charge } from '../../rules/accounts/account.ts'
import { settledDemand } from '../../rules/accounts/account.ts'
import type { Credits } from '../../rules/accounts/credits.ts'
import {
  credits,
  formatCredits,
  minus,
  noCredits,
  parseCredits,
  plus,
  sum,
} from '../../rules/accounts/credits.ts'
import type { Placement } from '../../rules/accounts/place.ts'
import { balanceOf, place } from '../../rules/accounts/place.ts'
import { project } from '../../rules/accounts/project.ts'
import type { AccountView } from '../../rules/accounts/view.ts'
import type { Instant } from '../../std/instant.ts'
import { formatInstant } from '../../std/instant.ts'
import type { FoldedLedger } from './fold.ts'
import { grantLives, momentDifferencesOf } from './moments.ts'

/**
 * What does not add up in an account whose entries have been folded, in sentences without a
 * subject: `its balance is 5, but its entries end at 4`. Empty when all is well.
 * [guarantees#books-that-add-up, guarantees#determinism]
 */
export function accountDifferences(
  audited: AuditedAccount,
  folded: FoldedLedger,
): readonly string[] {
  const { view, unreadable } = audited
  if (view === null) return [`it cannot be read: ${unreadable ?? 'for no known reason'}`]
  if (view.entitlement === null) return ['its credit entitlement does not exist']
  if (view.stored === null) return ['it cannot be read']
  const { account, setAside } = view.stored
  const said = text(account.precision)
  return [
    ...(setAside === null ? [] : [`it was set aside and is not settled: ${setAside}`]),
    ...(folded.broken === null
      ? []
      : [`its entries do not follow from each other: ${folded.broken}`]),
    ...(folded.backwards === null ? [] : [folded.backwards]),
    ...(folded.broken === null ? foldDifferences(audited, account, folded) : []),
    ...(folded.broken === null ? grantLives(audited.grants, folded, view.stored.updatedAt) : []),
    ...(folded.broken === null ? momentDifferencesOf(view.stored, folded) : []),
    ...placementDifferences(account),
    ...(folded.broken === null ? conservationDifferences(account, folded, said) : []),
    ...(view.unsettled.length === 0 ? worthDifferences(view, account, said) : []),
  ]
}

type Said = (value: Credits) => string

const text =
  (precision: number): Said =>
  (value) =>
    formatCredits(value, precision)

/** Compares the stored account with the fold of its entries. */
function foldDifferences(
  audited: AuditedAccount,
  account: Account,
  folded: FoldedLedger,
): readonly string[] {
  const { books } = folded
  const said = text(account.precision)
  const found: string[] = []
  if (books.entries !== account.entries) {
    found.push(`it counts ${account.entries} entries, but has ${books.entries}`)
  }
  if (parseCredits(audited.balance, account.precision) !== books.balance) {
    found.push(`its balance is ${audited.balance}, but its entries end at ${said(books.balance)}`)
  }
  const held = balanceOf(account.state)
  if (held !== books.balance) {
    found.push(`its live grants hold ${said(held)}, but its entries end at ${said(books.balance)}`)
  }
  if (account.state.overage !== books.overage) {
    const { overage } = account.state
    found.push(`its overage is ${said(overage)}, but its entries end at ${said(books.overage)}`)
  }
  if (audited.grants.length !== account.grantsMade) {
    found.push(`it counts ${account.grantsMade} grants, but has ${audited.grants.length}`)
  }
  audited.grants.forEach((grant, index) => {
    if (grant.number !== index + 1)
      found.push(`its grant ${grant.grantId} is not number ${index + 1}`)
    found.push(...grantDifferences(grant, folded, account.precision))
  })
  const known = new Set(audited.grants.map((grant) => grant.grantId))
  for (const grantId of books.grants.keys()) {
    if (!known.has(grantId)) found.push(`its entries name the grant ${grantId}, which is not there`)
  }
  return found
}

/** Compares a grant with its own fold: given, drawn and remaining. */
function grantDifferences(
  grant: AuditedGrant,
  { books, granted, drawn }: FoldedLedger,
  precision: number,
): readonly string[] {
  const compared = [
    ['was given', grant.initial, granted],
    ['holds', grant.remaining, books.grants],
    ['gave usage', grant.drawn, drawn],
  ] as const
  return compared.flatMap(([verb, stored, folded]) => {
    const told = folded.get(grant.grantId) ?? noCredits
    if (parseCredits(stored, precision) === told) return []
    const said = formatCredits(told, precision)
    return [`its grant ${grant.grantId} ${verb} ${stored}, but its entries add up to ${said}`]
  })
}

/** state = place(base, settled demand). [machines#settling] */
function placementDifferences(account: Account): readonly string[] {
  const said = text(account.precision)
  const demand = settledDemand(account)
  const placed = attempted(() => place(account.base, demand, account.overageTerms))
  if (typeof placed === 'string') return ['its base and what was settled since cannot be placed']
  const compared = [
    ['remaining/drawn', holdingsText(account.state, said), holdingsText(placed, said)],
    ['overage', said(account.state.overage), said(placed.overage)],
    ['dropped', said(account.state.dropped), said(placed.dropped)],
    ['unreturned', said(account.state.unreturned), said(placed.unreturned)],
  ] as const
  return compared
    .filter(([, stored, expected]) => stored !== expected)
    .map(
      ([what, stored, expected]) =>
        `its ${what} should be ${expected} by placing ${said(demand)} on its base, but is ${stored}`,
    )
}

/** What each grant holds and what usage took from it: `15/5, 20/0`. */
const holdingsText = (placement: Placement, said: Said): string =>
  placement.holdings.map(({ remaining, drawn }) => `${said(remaining)}/${said(drawn)}`).join(', ')

/** Credits settled = consumed + incurred + dropped − unreturned. [guarantees#books-that-add-up] */
function conservationDifferences(
  account: Account,
  folded: FoldedLedger,
  said: Said,
): readonly string[] {
  const { state, closed } = account
  const settled = sum(account.charges.map((charge) => charge.charged))
  const consumed = sum(folded.drawn.values())
  const dropped = plus(state.dropped, closed.dropped)
  const unreturned = plus(state.unreturned, closed.unreturned)
  const placed = minus(plus(plus(consumed, folded.incurred), dropped), unreturned)
  if (settled === placed) return []
  return [
    `its usage was charged ${said(settled)} in all, but ${said(consumed)} consumed + ` +
      `${said(folded.incurred)} overage + ${said(dropped)} dropped − ${said(unreturned)} unreturned ` +
      `is ${said(placed)}`,
  ]
}

/** What was charged equals what usage is worth, where nothing waits to be settled. */
function worthDifferences(view: AccountView, account: Account, said: Said): readonly string[] {
  const at = view.stored?.updatedAt
  if (at === undefined) return []
  const projected = attempted(() => project(view, at))
  if (typeof projected === 'string') return [`its usage cannot be settled: ${projected}`]
  const stored = new Map(account.charges.map((charge) => [nameOf(charge), charge.charged]))
  const differing = projected.account.charges
    .filter((charge) => charge.charged !== (stored.get(nameOf(charge)) ?? noCredits))
    .map((charge) => {
      const was = said(stored.get(nameOf(charge)) ?? noCredits)
      return `${nameOf(charge)} was charged ${was}, but its usage is worth ${said(charge.charged)}`
    })
  return [...differing, ...unfounded(view, account, said)]
}

/** What was charged although there is no usage (any more). */
function unfounded(view: AccountView, account: Account, said: Said): readonly string[] {
  const used = new Set(view.usage.map(nameOf))
  return account.charges
    .filter((charge) => charge.charged !== credits(0n) && !used.has(nameOf(charge)))
    .map((charge) => `${nameOf(charge)} was charged ${said(charge.charged)}, but has no usage`)
}

const nameOf = (of: Pick<Charge, 'meterId' | 'routeId'> & { readonly cycleAt: Instant }): string =>
  `the cycle of ${formatInstant(of.cycleAt)} of meter ${of.meterId} through ${of.routeId}`

/** A rule that throws on broken data is a finding here, and must not end the audit. */
function attempted<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
