import { parseForm, refuseOtherThanForm } from './form.ts'
import type { Head } from './head.ts'
import { parseJson, refuseOtherMedia, refuseUnstorable } from './json.ts'
import type { Route } from './route.ts'

/** Throws 415 for a body of another kind than its route takes. */
export function refuseOtherKinds(head: Head, route: Route, sent: Buffer | null): void {
  if (route.bodyKind === 'form') refuseOtherThanForm(head)
  else if (sent !== null && route.bodyKind !== 'bytes') refuseOtherMedia(head, route.media)
}

/** What the bytes of a body hold, as its route wants it. */
export function readBody(bytes: Buffer, route: Route): unknown {
  // The slab that holds them is given back with the answer, and not before.
  if (route.bodyKind === 'bytes') return bytes
  if (bytes.length === 0 && route.emptyBody !== undefined) return undefined
  if (route.parsesItself === true) return bytes
  if (route.bodyKind === 'form') return parseForm(bytes)
  const value = parseJson(bytes)
  if (route.bodyTexts !== 'any') refuseUnstorable(value, bytes)
  return value
}
