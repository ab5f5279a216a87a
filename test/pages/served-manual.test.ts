import { describe, expect, it } from 'vitest'
import { Fault } from '../../src/faults.ts'
import { html } from '../../src/pages/html.ts'
import { linksFrom } from '../../src/pages/links.ts'
import type { Findable } from '../../src/pages/manual.ts'
import { renderProse } from '../../src/pages/markdown.ts'
import { anchorsIn } from '../support/pages/anchors.ts'
import { browse, everyPage, linksIn } from '../support/pages/browse.ts'
import { bareRoutes } from '../support/pages/description.ts'
import { pages as written } from './manual.ts'

interface Script {
  ranked(findable: readonly Findable[], query: string): readonly Findable[]
  excerpt(text: string, query: string): string
}

const script = async (): Promise<Script> => {
  const file: string = new URL('../../src/pages/browser/manual.mjs', import.meta.url).href
  return (await import(file)) as Script
}

const idsIn = (text: string): readonly string[] =>
  [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

describe('the manual as it is served', () => {
  it('has a page for each that is written, with its anchors', async () => {
    for (const { name, text } of written) {
      const place = name === 'README.md' ? '' : `/${name.replace('.md', '')}`
      const page = await browse(`/docs${place}`)
      expect(page.status).toBe(200)
      const [title, ...sections] = anchorsIn(text)
      expect([name, title === undefined]).toEqual([name, false])
      for (const anchor of sections) expect(idsIn(page.text), name).toContain(anchor)
    }
  })

  it('has a part for each route, where its request can be copied', async () => {
    const all = [...(await everyPage()).values()].join('\n')
    for (const { method, pattern } of bareRoutes) {
      const path = pattern.replace(/:(\w+)/g, '{$1}')
      expect(all).toContain(`<code><b>${method}</b> ${path}</code>`)
    }
    expect(all.match(/<pre class="request"/g)).toHaveLength(bareRoutes.length + 1)
  })

  it('leads only to places that are there, and names each once', async () => {
    const all = await everyPage()
    expect(all.size).toBeGreaterThan(15)
    for (const [url, text] of all) {
      expect(new Set(idsIn(text)).size, url).toBe(idsIn(text).length)
      const regions = text.match(/ role="region"[^>]*/g) ?? []
      expect(new Set(regions).size, url).toBe(regions.length)
      for (const { path, anchor } of linksIn(url, text)) {
        if (path === '/openapi.json') continue
        const target = all.get(path)
        expect(target, `${url} → ${path}`).toBeDefined()
        if (anchor !== '') expect(idsIn(target ?? ''), `${url} → ${path}`).toContain(anchor)
      }
    }
  })

  it('loads nothing from elsewhere, and holds no script or style of its own', async () => {
    for (const [url, text] of await everyPage()) {
      expect(text.match(/<(script|style)[^>]*>[^<]/), url).toBeNull()
      expect(text.match(/<[^>]+ (on\w+|style)=/), url).toBeNull()
      for (const [, address = ''] of text.matchAll(
        /<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g,
      )) {
        expect([url, new URL(address, `http://manual${url}`).host]).toEqual([url, 'manual'])
      }
    }
    const { headers } = await browse('/docs/credits')
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': expect.stringContaining("default-src 'none'"),
    })
    expect(headers?.['Content-Security-Policy']).toContain("frame-ancestors 'none'")
    expect(headers?.['Content-Security-Policy']).not.toContain('unsafe')
  })

  it('is not sent again to whoever has it, and what pages load never changes at its address', async () => {
    const page = await browse('/docs/credits')
    const etag = page.headers?.['ETag'] ?? ''
    expect(await browse('/docs/credits', { 'if-none-match': etag })).toMatchObject({ status: 304 })
    const [, style = ''] = /<link rel="stylesheet" href="([^"]*)"/.exec(page.text) ?? []
    const kept = await browse(new URL(style, 'http://manual/docs/credits').href)
    expect(kept.headers?.['Cache-Control']).toContain('immutable')
    const other = await browse('/docs/manual.css?v=other')
    expect([other.text, other.headers?.['Cache-Control']]).toEqual([kept.text, 'no-cache'])
  })

  it('says so where there is no such page', async () => {
    for (const url of ['/docs/nothing', '/docs/api/nothing', '/docs/credits.md']) {
      await expect(browse(url), url).rejects.toThrow(Fault)
    }
  })

  it('escapes whatever is not its own HTML', () => {
    const { body } = renderProse(
      '# A\n\n<script>a</script>\n\n[b](javascript:c) `<d>`\n',
      linksFrom(1),
    )
    expect(body.html).not.toMatch(/<script|javascript:|<d>/)
    expect(html`<p title="${'"><b>'}">${['&', "'"]}</p>`.html).toBe(
      '<p title="&quot;&gt;&lt;b&gt;">&amp;&#39;</p>',
    )
  })
})

describe('the search of the manual', () => {
  const findable = async () => JSON.parse((await browse('/docs/search.json')).text) as Findable[]

  it('finds places that are there', async () => {
    const pages = await everyPage()
    for (const { place } of await findable()) {
      const [path = '', anchor] = place.split('#')
      const text = pages.get(`/docs/${path}`)
      expect(text, place).toBeDefined()
      if (anchor !== undefined) expect(idsIn(text ?? ''), place).toContain(anchor)
    }
  })

  it.each([
    ['rollover', 'credits#rollover'],
    ['Rate limits', 'requests#limits'],
    ['low balance', 'credits#low-balance'],
    ['plan change', 'subscriptions#plan-changes'],
    ['create customer', 'api/customers#createCustomer'],
    ['page_size', 'requests#lists'],
    ['signature', 'webhooks#signature'],
  ])('%s → %s', async (query, place) => {
    const { ranked } = await script()
    const found = ranked(await findable(), query)
    expect(found.map((one) => one.place).slice(0, 5)).toContain(place)
    expect(found.length).toBeLessThanOrEqual(12)
  })

  it('finds nothing for what is nowhere, and for no words', async () => {
    const { ranked } = await script()
    expect(ranked(await findable(), 'rollover xylophone')).toEqual([])
    expect(ranked(await findable(), '  ')).toEqual([])
  })

  it('shows the words around what was asked for', async () => {
    const { excerpt } = await script()
    const text = `${'before '.repeat(40)}the overage limit ${'after '.repeat(40)}`
    expect(excerpt(text, 'Overage')).toMatch(/^….*overage limit.*…$/)
    expect(excerpt('short', 'nothing')).toBe('short')
  })
})
