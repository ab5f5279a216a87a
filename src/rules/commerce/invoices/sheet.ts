import type { Instant } from '../../../std/instant.ts'

/**
 * A paper as it is read: every text in its language, every amount and date formatted. Drawing it
 * decides nothing but places. [invoices#what-stands-on-it]
 */
export interface Sheet {
  /** A language tag, for screen readers. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** The country by whose habits characters that China, Japan and Korea share are drawn. */
  readonly country: string
  readonly title: string
  readonly author: string
  readonly issuedAt: Instant
  readonly heading: string
  /** Says that it is no real one; null: it is. */
  readonly notice: string | null
  readonly seller: SheetParty
  /** Null: it names nobody else. */
  readonly buyer: SheetParty | null
  /** Its number, its date and the like. */
  readonly facts: readonly SheetFact[]
  readonly columns: readonly SheetColumn[]
  readonly rows: readonly SheetRow[]
  readonly totals: readonly SheetTotal[]
  readonly notes: readonly string[]
  /** Has {page} and {pages}. */
  readonly footer: string
}

export interface SheetParty {
  readonly label: string | null
  readonly name: string
  readonly lines: readonly string[]
}

export interface SheetFact {
  readonly label: string
  readonly value: string
}

export interface SheetColumn {
  readonly label: string
  readonly side: 'start' | 'end'
  /** Its share of the page's width. */
  readonly share: number
}

/** A line: a text a column, and what explains the first one. */
export interface SheetRow {
  readonly cells: readonly string[]
  readonly details: readonly string[]
}

export interface SheetTotal extends SheetFact {
  readonly isStrong: boolean
}
