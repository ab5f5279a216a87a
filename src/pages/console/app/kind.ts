import type { Json } from './calls.ts'
import type { ByTime } from './going-on.ts'

/**
 * How a field is shown. `money`: minor units of the currency that another field names, `out` where a
 * further field says that they went out; `major`: the same in text such as `12.50`; `taken`: what a
 * discount takes off; `invoice`: the number of a payment's, which leads to the paper itself.
 */
export type ShownAs =
  | 'text'
  | 'id'
  | 'when'
  | 'state'
  | 'number'
  | 'flag'
  | 'customer'
  | 'taken'
  | 'invoice'
  | { money: string; out?: string }
  | { major: string }

export interface KindColumn {
  readonly head: string
  readonly field: string
  readonly as: ShownAs
}

export interface KindFilter {
  readonly name: string
  readonly label: string
  /** Absent: any text. */
  readonly options?: readonly string[]
  /** What choosing none of them is called; absent: `any`. */
  readonly none?: string
  /** What may be entered looks like this. */
  readonly example?: string
  /** A date and a time: in the address in UTC, and entered as the reader sees them. */
  readonly isMoment?: true
}

/** A list of the API with its details: what pages of it need to know. */
export interface ResourceKind {
  /** In the address of the console. */
  readonly step: string
  /** In the API; the same for one of them, with the id behind it. */
  readonly path: string
  readonly title: string
  readonly one: string
  readonly id: string
  readonly name: string | null
  readonly columns: readonly KindColumn[]
  readonly filters: readonly KindFilter[]
  /** What of the API's list is shown at all; absent: the whole of it. */
  readonly only?: Readonly<Record<string, string>>
  readonly empty: string
  /** The body of a `POST` that makes one; absent: they come about by themselves. */
  readonly example?: Json
  /** What the operator pastes to make one, in place of it; absent: nothing. */
  readonly command?: (of: { readonly mode: string; readonly businessId: string }) => string
  /** Absent: its pages have numbers alone. */
  readonly byTime?: ByTime
  /** Absent: nothing ends it. */
  readonly ends?: KindEnd
  /** False: a list alone, whose rows say all that there is. */
  readonly hasPage?: false
}

/** How a thing is taken out of use with `DELETE`. */
export interface KindEnd {
  readonly label: string
  readonly says: string
  /** The filter of the list under which it stands then; null: it is gone. */
  readonly past: 'archived' | 'deleted' | null
  /** What brings it back, behind its path; null: nothing does. */
  readonly back: 'unarchive' | 'undelete' | null
}

export const column = (head: string, field: string, as: ShownAs = 'text'): KindColumn => ({
  head,
  field,
  as,
})

/** The newest first. */
export const byCreation: ByTime = { until: 'created_at_lte', field: 'created_at' }

export const createdColumn = column('Created', 'created_at', 'when')

/** Such as `a customer`, `an add-on`. */
export const namedOne = ({ one }: ResourceKind): string =>
  `${/^[AEIO]/.test(one) ? 'an' : 'a'} ${one.charAt(0).toLowerCase()}${one.slice(1)}`

/** What an entitlement may be. */
export const integrations = [
  'feature_flag',
  'license_key',
  'digital_files',
  'discord',
  'telegram',
  'github',
  'figma',
  'framer',
  'notion',
]
