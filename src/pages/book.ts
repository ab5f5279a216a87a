import { readdirSync, readFileSync } from 'node:fs'

/** A page of the rule book as it is written. */
export interface BookPage {
  /** Its name, and its place below `/docs`. */
  readonly place: string
  readonly title: string
  readonly text: string
}

export interface Book {
  /** The page that says what is in the others. */
  readonly first: string
  readonly pages: readonly BookPage[]
}

/** The order in which one reads; pages that it does not name follow. */
const order = [
  'events',
  'meters',
  'credits',
  'subscriptions',
  'payments',
  'refunds',
  'licenses',
  'entitlements',
  'invoices',
  'payouts',
  'story',
  'webhooks',
  'requests',
  'resources',
]

const folder = new URL('./docs/', import.meta.url)

/** Reads all of it. A few dozen kilobytes. */
export function readBook(): Book {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const names = files.map((name) => name.slice(0, -'.md'.length)).sort()
  const known = order.filter((name) => names.includes(name))
  const pages = [...known, ...names.filter((name) => !order.includes(name))].map((place) => {
    const text = readPage(place)
    return { place, text, title: /^# (.+)$/m.exec(text)?.[1] ?? place }
  })
  return { first: readPage('README'), pages }
}

const readPage = (name: string): string => readFileSync(new URL(`${name}.md`, folder), 'utf8')
