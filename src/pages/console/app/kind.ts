import type { Json } from './calls.ts'

/**
 * How a field is shown. `money`: minor units of the currency that another field names; `major`: the
 * same in text such as `12.50`.
 */
export type ShownAs =
  | 'text'
  | 'id'
  | 'when'
  | 'state'
  | 'number'
  | 'flag'
  | 'customer'
  | { money: string }
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
  readonly empty: string
  /** The body of a `POST` that makes one; absent: they come about by themselves. */
  readonly example?: Json
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

export const createdColumn = column('Created', 'created_at', 'when')
