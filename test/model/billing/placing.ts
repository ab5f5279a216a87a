import type { ModelBooks, ModelGrant } from './state.ts'

/** Takes demand from grants and overage, a tenth of a credit at a time. [credits#who-pays-first] */
export function placed(
  base: ModelBooks,
  demand: number,
  terms: { readonly overage: boolean; readonly limit: number | null },
): ModelBooks {
  const books = structuredClone(base)
  for (let unit = 0; unit < demand; unit += 1) takeOne(books, terms)
  for (let unit = 0; unit > demand; unit -= 1) returnOne(books)
  return books
}

function takeOne(
  books: ModelBooks,
  terms: { readonly overage: boolean; readonly limit: number | null },
): void {
  if (books.unreturned > 0) {
    books.unreturned -= 1
    return
  }
  const grant = books.grants.find((each) => each.remaining > 0)
  if (grant !== undefined) {
    grant.remaining -= 1
    grant.drawn += 1
    books.totals.consumed += 1
    return
  }
  if (terms.overage && (terms.limit === null || books.overage < terms.limit)) {
    books.overage += 1
    books.totals.incurred += 1
    return
  }
  books.dropped += 1
}

function returnOne(books: ModelBooks): void {
  if (books.dropped > 0) {
    books.dropped -= 1
    return
  }
  if (books.overage > 0) {
    books.overage -= 1
    books.totals.incurred -= 1
    return
  }
  const grant = books.grants.findLast((each) => each.drawn > 0)
  if (grant !== undefined) {
    grant.remaining += 1
    grant.drawn -= 1
    books.totals.consumed -= 1
    return
  }
  books.unreturned += 1
}

/** A grant pays for nothing at its end: that moment belongs to what comes after. */
export const isDue = (grant: ModelGrant, now: number): boolean =>
  grant.endsAt !== null && grant.endsAt <= now

export const balanceOf = (books: ModelBooks, now: number): number =>
  books.grants.reduce((sum, grant) => (isDue(grant, now) ? sum : sum + grant.remaining), 0)

export function addGrant(
  books: ModelBooks,
  made: Omit<ModelGrant, 'name' | 'remaining' | 'drawn'>,
): ModelGrant {
  books.made += 1
  const grant = { ...made, name: books.made, remaining: made.initial, drawn: 0 }
  books.grants.push(grant)
  return grant
}

/** Ends a grant, even where nothing is left in it. */
export function expire(books: ModelBooks, grant: ModelGrant): void {
  books.totals.expired += grant.remaining
  books.grants = books.grants.filter((each) => each !== grant)
}
