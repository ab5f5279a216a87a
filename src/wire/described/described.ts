import { limits } from '../../limits.ts'
import type { Schema } from '../../std/schema.ts'
import type { NamedShape } from '../answers/shape.ts'
import type { Definition } from '../schemas.ts'
import { whole } from '../schemas.ts'

/** What a route cannot say of itself; the rest of its description is derived. */
export interface Described {
  /** What generated clients call it. */
  readonly id: string
  readonly summary: string
  /** What callers should know besides, in sentences. */
  readonly note?: string
  /** Parameters of the query, none of which is required. */
  readonly query?: Readonly<Record<string, Definition>>
  /** Headers of its own that it reads, none of which is required. */
  readonly headers?: Readonly<Record<string, Definition>>
  /** `page_number` and `page_size` besides. */
  readonly paged?: true
  /** Takes `Sluice-After`. [events#read-your-own-usage] */
  readonly waits?: true
  /** The schema that the handler checks the body with, and a body that it takes. */
  readonly body?: {
    readonly schema: Schema<unknown>
    readonly example: unknown
    /** By media type, where it takes others than JSON. */
    readonly others?: Readonly<Record<string, Schema<unknown>>>
  }
  /** It takes a form with one file. */
  readonly uploads?: true
  /** `page`: what a browser shows; `pdf`, `csv`: a file; null: 204. */
  readonly answers: NamedShape | { readonly items: NamedShape } | 'page' | 'pdf' | 'csv' | null
  /** What it answers instead of JSON. */
  readonly answersAs?: 'text/event-stream'
  readonly status?: 201
  /** Has an `ETag`: 304 to a caller that has it already. */
  readonly tagged?: true
  /** Codes of what it refuses besides what every route of its kind does. */
  readonly refusals?: readonly string[]
  /** Not of the contract. */
  readonly ours?: true
}

/** By method and pattern. */
export type DescribedRoutes = Readonly<Record<`${string} /${string}`, Described>>

export const textQuery: Definition = { type: 'string' }
export const flagQuery: Definition = { type: 'boolean' }
export const timeQuery: Definition = { type: 'string', format: 'date-time' }

/** The parameters of a list's pages. [requests#lists] */
export const pageQuery: Readonly<Record<string, Definition>> = {
  page_number: { ...whole(0, 2 ** 31 - 1), default: 0 },
  page_size: { ...whole(1, limits.pageSizeMax), default: limits.pageSizeDefault },
}
