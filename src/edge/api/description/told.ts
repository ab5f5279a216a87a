import { ofPages, withoutKey } from '../../../rules/commerce/rate-tier.ts'
import { placesOfTags } from '../../../wire/described/places.ts'
import type { DescribedOperation } from './operation.ts'

const keys = {
  public: 'Needs no key.',
  read: 'Any key of the mode may call it.',
  write: 'Needs a key that may write.',
} as const

/** The first segment of an operation's path, by which operations are grouped. */
export const tagOf = ({ pattern }: Pick<DescribedOperation, 'pattern'>): string =>
  pattern.split('/')[1] ?? ''

/** What a tag is, with a link to where the manual says more. */
export const tagTold = (name: string): string => `Routes under /${name}. ${moreOf(name)}`

/** Who may call an operation, what else is to be known of it, and where the manual says more. */
export const operationTold = (operation: DescribedOperation): string =>
  [keys[operation.access], operation.note, moreOf(tagOf(operation))]
    .filter((sentence) => sentence !== undefined)
    .join(' ')

function moreOf(tag: string): string {
  const place = placesOfTags[tag]
  if (place === undefined) throw new Error(`Nobody has said where the manual tells of /${tag}.`)
  return `See [the manual](/docs/${place}).`
}

/** What holds for every route. */
export const apiTold = [
  'Usage ingestion and credit billing. The host decides the mode: test or live.',
  'A body has at most [4 MiB](/docs/requests#bodies), a page of a list at most [100 items](/docs/requests#lists).',
  'Requests are [counted](/docs/requests#limits) per business by its tier,',
  `without a valid key per address: ${withoutKey.burst} a second and ${withoutKey.sustained} a minute`,
  `(pages ${ofPages.burst} and ${ofPages.sustained}).`,
  'A refusal with `x-should-retry: false` would come again for the same request.',
  'What is marked `x-sluice` is ours; all else is the contract.',
].join(' ')
