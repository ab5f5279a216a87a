import { existsSync, readFileSync } from 'node:fs'
import { etagOf, unlessKnown, versionOf } from '../../edge/http/etag.ts'
import type { Reply, Request, Route } from '../../edge/http/route.ts'
import { route } from '../../edge/http/route.ts'
import { Fault, notFound } from '../../faults.ts'
import { html } from '../html.ts'

/**
 * The one page of the console, whatever its address, and the two files that it loads: what they
 * show comes from the API. [security#the-console]
 */
export function shellRoutes(): readonly Route[] {
  const files = new Map(names.flatMap((name) => fileOf(name)))
  const page = files.size === names.length ? pageReply(files) : null
  const depths = ['', '/:a', '/:a/:b', '/:a/:b/:c', '/:a/:b/:c/:d']
  return [
    // People write addresses with a slash behind them, too.
    ...depths.flatMap((depth) =>
      ['', '/'].map((end) => route('GET', `/console${depth}${end}`, 'public', show)),
    ),
    route('GET', '/console/assets/:name', 'public', load),
  ].map((one) => ({ ...one, isPage: true }))

  async function show(request: Request): Promise<Reply> {
    if (request.path.startsWith('/console/api')) throw notFound('route', request.path)
    if (page === null) throw new Fault('UNAVAILABLE', 'The console is not built: npm run build.')
    return unlessKnown(request, page)
  }

  async function load(request: Request): Promise<Reply> {
    const name = request.param('name')
    const reply = files.get(name)
    if (reply === undefined) throw notFound('file of the console', name)
    const isLasting = request.query('v') === versionOf(reply)
    return unlessKnown(request, isLasting ? lasting(reply) : reply)
  }
}

const script = 'console.js'
const style = 'console.css'
const names = [script, style]

/** None before it is built: `src/start-bundle.js` makes it of `app/`. */
function fileOf(name: string): readonly (readonly [string, Reply])[] {
  const url = new URL(`./browser/${name}`, import.meta.url)
  const type = name === script ? 'text/javascript' : 'text/css'
  return existsSync(url) ? [[name, replyOf(type, readFileSync(url, 'utf8'))]] : []
}

function pageReply(files: ReadonlyMap<string, Reply>): Reply {
  const addressOf = (name: string): string => {
    const reply = files.get(name)
    return `/console/assets/${name}?v=${reply === undefined ? '' : versionOf(reply)}`
  }
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sluice</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${addressOf(style)}">
<script type="module" src="${addressOf(script)}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p class="alone">The console needs JavaScript. Everything that it does the API does, too:
<a href="/docs">the manual</a> has all of it.</p></noscript>
</body>
</html>
`.html
  const reply = replyOf('text/html', page)
  return { ...reply, headers: { ...reply.headers, ...pageHeaders } }
}

const replyOf = (type: string, text: string): Reply => ({
  status: 200,
  raw: text,
  headers: {
    'Content-Type': `${type}; charset=utf-8`,
    ETag: etagOf(text),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  },
})

/** For good, since another text would have another address. */
const lasting = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'Cache-Control': 'public, max-age=31536000, immutable' },
})

/** Nothing comes from elsewhere, no script stands in the page, and no text becomes one. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': contentPolicy,
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}
