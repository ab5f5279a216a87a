import { readFileSync } from 'node:fs'
import { etagOf, unlessKnown, versionOf } from '../edge/http/etag.ts'
import type { Reply, Request, Route } from '../edge/http/route.ts'
import { pageRoute } from '../edge/http/route.ts'
import { notFound } from '../faults.ts'
import type { Manual } from './manual.ts'
import { openManual } from './manual.ts'
import type { ApiDescription } from './reference/description.ts'

/**
 * The manual at `/docs`, without a key (ours): the rule book, and the reference of the API that
 * `describe` answers. All of it comes from this process. [requests#manual]
 */
export function manualRoutes(describe: () => object): readonly Route[] {
  const files = [style, script].map((name) => [name, readText(name)] as const)
  const replies = new Map(files.map(([name, text]) => [name, replyOf(typeOf(name), text)]))
  const loaded = { style: addressed(style), script: addressed(script) }
  let manual: Manual | null = null
  return [
    pageRoute('GET', '/docs', (request) => serve(request, '')),
    pageRoute('GET', '/docs/:page', (request) => serve(request, request.param('page'))),
    pageRoute('GET', '/docs/api/:resource', (request) =>
      serve(request, `api/${request.param('resource')}`),
    ),
  ]

  async function serve(request: Request, place: string): Promise<Reply> {
    const reply = replies.get(place) ?? (await made(place))
    if (reply === null) throw notFound('page of the manual', place)
    replies.set(place, reply)
    const isLasting = request.query('v') === versionOf(reply)
    return unlessKnown(request, isLasting ? lasting(reply) : reply)
  }

  async function made(place: string): Promise<Reply | null> {
    manual ??= openManual(describe() as ApiDescription, loaded)
    if (place === index) return replyOf(typeOf(place), JSON.stringify(await manual.findable()))
    const page = manual.page(place)
    return page === null ? null : replyOf('text/html', page)
  }

  /** Its address has the digest of its text, so that browsers may keep it for good. */
  function addressed(name: string): string {
    const reply = replies.get(name)
    return reply === undefined ? name : `${name}?v=${versionOf(reply)}`
  }
}

const style = 'manual.css'
const script = 'manual.mjs'
const index = 'search.json'

const types: Readonly<Record<string, string>> = {
  [style]: 'text/css',
  [script]: 'text/javascript',
  [index]: 'application/json',
}

const typeOf = (name: string): string => types[name] ?? 'text/html'

const readText = (name: string): string =>
  readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')

function replyOf(type: string, text: string): Reply {
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    ETag: etagOf(text),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(type === 'text/html' ? pageHeaders : {}),
  }
  return { status: 200, raw: text, headers }
}

/** Nothing is loaded from elsewhere, no script stands in a page, no page is shown in a frame. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** For good, since another text would have another address. */
const lasting = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'Cache-Control': 'public, max-age=31536000, immutable' },
})
