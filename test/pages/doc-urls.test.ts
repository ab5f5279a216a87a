import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problem } from '../../src/edge/http/problem.ts'
import { Fault } from '../../src/faults.ts'
import { browse } from '../support/pages/browse.ts'
import { descriptionRoute } from '../support/pages/description.ts'

/** What every file of the sources names as a place of the manual. */
function placesInSource(): readonly string[] {
  const source = new URL('../../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true }).map(String)
  const scripts = files.filter((path) => path.endsWith('.ts'))
  const texts = scripts.map((path) => readFileSync(new URL(path, source), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/\bdocs: '([^']+)'/g)].map(([, place = '']) => place),
  )
}

async function isThere(url: string): Promise<boolean> {
  const { pathname, hash } = new URL(url, 'http://manual')
  const page = await browse(pathname)
  return hash !== '' && page.text.includes(` id="${hash.slice(1)}"`)
}

const telling = { logger: { error: () => undefined } as never, tell: () => undefined }

describe('an error leads into the manual', () => {
  it('to places that are there, whichever file names them', async () => {
    const places = placesInSource()
    expect(places.length).toBeGreaterThan(40)
    for (const place of new Set(places)) {
      expect([place, await isThere(`/docs/${place}`)]).toEqual([place, true])
    }
  })

  it('as the description says of each code, with links that are there', async () => {
    const { raw } = await descriptionRoute.handler({ header: () => null } as never)
    const links = [...String(raw).matchAll(/\]\((\/docs\/[^)]*)\)/g)].map(([, to = '']) => to)
    expect(links.length).toBeGreaterThan(100)
    for (const link of new Set(links)) expect([link, await isThere(link)]).toEqual([link, true])
  })

  it('below what the operator says, and nowhere where no manual is served', () => {
    const fault = new Fault('INSUFFICIENT_BALANCE', 'Too little.')
    const linkOf = (error: unknown, docs?: string) =>
      problem(error, 'req_1', { ...telling, ...(docs === undefined ? {} : { docs }) }).body
    expect(linkOf(fault, '/docs/')).toEqual({
      code: 'INSUFFICIENT_BALANCE',
      message: 'Too little.',
      doc_url: '/docs/credits#who-pays-first',
    })
    expect(linkOf(fault, 'https://x.io/pay/docs/')).toMatchObject({
      doc_url: 'https://x.io/pay/docs/credits#who-pays-first',
    })
    expect(linkOf(fault)).toEqual({ code: 'INSUFFICIENT_BALANCE', message: 'Too little.' })
    expect(linkOf(new Error('A bug.'), '/docs/')).toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      doc_url: '/docs/guarantees#safe-to-repeat',
    })
  })

  it('where it fits better than the place of its code', () => {
    const fault = new Fault('CONFLICT', 'Enough.', { docs: 'webhooks#rotation' })
    expect(problem(fault, 'req_1', { ...telling, docs: '/docs/' }).body).toMatchObject({
      doc_url: '/docs/webhooks#rotation',
    })
  })
})
