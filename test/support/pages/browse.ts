import type { Reply, Request } from '../../../src/edge/http/route.ts'
import { router } from '../../../src/edge/http/router.ts'
import { manual } from './description.ts'

/** What the manual answers to a browser; a fault is thrown. */
export async function browse(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply & { readonly text: string }> {
  const { pathname, searchParams } = new URL(url, 'http://manual')
  const found = router(manual).find('GET', pathname)
  if (found.route === null) throw new Error(`No route: ${url}`)
  const { params, route } = found
  const reply = await route.handler({
    header: (name: string) => headers[name] ?? null,
    query: (name: string) => searchParams.get(name),
    param: (name: string) => params.get(name) ?? '',
  } as Request)
  return { ...reply, text: String(reply.raw ?? '') }
}

/** Every page by its address, found by following the links of the first one. */
export async function everyPage(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  const ahead = ['/docs']
  for (let url = ahead.pop(); url !== undefined; url = ahead.pop()) {
    if (pages.has(url)) continue
    const { text } = await browse(url)
    pages.set(url, text)
    ahead.push(
      ...linksIn(url, text)
        .map(({ path }) => path)
        .filter((path) => path.startsWith('/docs')),
    )
  }
  return pages
}

export interface Followed {
  readonly path: string
  readonly anchor: string
}

/** Where the links of a page lead to, on this host. */
export const linksIn = (url: string, text: string): readonly Followed[] =>
  [...text.matchAll(/<a [^>]*href="([^"]*)"/g)].flatMap(([, href = '']) => {
    const { host, pathname, hash } = new URL(href, `http://manual${url}`)
    return host === 'manual' ? [{ path: pathname, anchor: hash.slice(1) }] : []
  })
