import { useEffect, useState } from './ui.ts'

export type ShownMode = 'test' | 'live'

/** Where in the console somebody is: everything of it stands in the address. */
export interface ConsolePlace {
  readonly mode: ShownMode
  /** Below the mode, such as `['customers', 'cus_…']`; empty: the overview. */
  readonly steps: readonly string[]
  readonly query: URLSearchParams
}

const root = '/console'
const watching = new Set<() => void>()
addEventListener('popstate', tell)

function tell(): void {
  for (const told of watching) told()
}

/** The path of the page without its mode: `setup`, `test/events`, … */
export const rawSteps = (): readonly string[] =>
  location.pathname.slice(root.length).split('/').filter(Boolean).map(decodeURIComponent)

function placeNow(): ConsolePlace {
  const [first, ...rest] = rawSteps()
  const query = new URLSearchParams(location.search)
  if (first === 'live') return { mode: 'live', steps: rest, query }
  return { mode: 'test', steps: first === 'test' ? rest : [], query }
}

/** The address of a place; names of the query that are empty are left out. */
export function hrefOf(
  mode: ShownMode,
  steps: readonly string[],
  query: Readonly<Record<string, string | null>> = {},
): string {
  const kept = Object.entries(query).filter(([, value]) => value !== null && value !== '')
  const search = new URLSearchParams(kept as [string, string][]).toString()
  const path = [root, mode, ...steps.map(encodeURIComponent)].join('/')
  return search === '' ? path : `${path}?${search}`
}

export function goTo(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  tell()
  if (how === 'push') scrollTo(0, 0)
}

export function usePlace(): ConsolePlace {
  const [place, setPlace] = useState(placeNow)
  useEffect(() => {
    const told = () => setPlace(placeNow())
    watching.add(told)
    return () => void watching.delete(told)
  }, [])
  return place
}

/** Links within the console are followed without loading it again. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
    if (link.target !== '' || link.hasAttribute('download')) return
    const { origin, pathname, search } = new URL(link.href)
    if (origin !== location.origin || !/^\/console\/(test|live)(\/|$)/.test(pathname)) return
    event.preventDefault()
    goTo(pathname + search)
  })
}
