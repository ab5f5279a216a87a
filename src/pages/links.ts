/** How many folders below `/docs` a page stands: `/docs` itself, `/docs/credits`, `/docs/api/meters`. */
export type Depth = 0 | 1 | 2

/**
 * A link from a page to a place of the manual, such as `credits#overage`; empty: its first page.
 * Links are relative, so that a proxy may serve everything below a path of its own.
 */
export type PlaceLink = (place: string) => string

const roots = ['docs/', './', '../'] as const
const firsts = ['docs', '../docs', '../../docs'] as const

export const linksFrom =
  (depth: Depth): PlaceLink =>
  (place) =>
    place === '' ? firsts[depth] : `${roots[depth]}${place}`

/**
 * What a link in our Markdown leads to: a page by its file, or by the path that errors name; a page
 * of another host; null for a file that is in the repository alone.
 */
export function linkOf(link: PlaceLink, href: string): string | null {
  if (/^(https?:|#)/.test(href)) return href
  const [, page, anchor = ''] =
    /^(?:\/docs\/)?([\w-]+(?:\/[\w-]+)?)(?:\.md)?(#[\w-]+)?$/.exec(href) ?? []
  return page === undefined ? null : link(`${page}${anchor}`)
}
