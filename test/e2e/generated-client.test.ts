import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTypes from 'openapi-typescript'
import { describe, expect, it } from 'vitest'
import { scratchDirectory } from '../support/process/server.ts'
import { at } from './here.ts'
import { fresh, subscriber } from './plan.ts'

const run = promisify(execFile)
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** The first story, as somebody writes it who has nothing but the description. */
const story = `
import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const [baseUrl = '', key = '', customer_id = '', id = '', event_name = '', event_id = ''] =
  process.argv.slice(2)
const { GET, POST } = createClient<paths>({ baseUrl, headers: { Authorization: 'Bearer ' + key } })

const events = [{ event_id, customer_id, event_name }]
const sent = await POST('/events/ingest', { body: { events } })
if (sent.error) throw new Error(sent.error.message)
const position = sent.response.headers.get('Sluice-Position') ?? ''

const path = { id, customer_id }
const headers = { 'Sluice-After': position }
const read = await GET('/credit-entitlements/{id}/balances/{customer_id}', {
  params: { path },
  headers,
})
if (read.error) throw new Error(read.error.message)

const refused = await GET('/meters/{id}', { params: { path: { id: 'mtr_nobody' } } })
const seen = [sent.data.ingested_count, read.data.balance]
console.log(JSON.stringify([...seen, refused.error?.code, refused.error?.doc_url]))
`

/** What the compiler must refuse, since the description does not have it. */
const mistake = `
import type { paths } from './api.js'
type Customer = paths['/customers']['post']['requestBody']['content']['application/json']
export const customer: Customer = { email: 'a@example.com', nam: 'A' }
`

const compiler = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    lib: ['es2023', 'dom'],
    types: ['node'],
  },
}

describe('a client that is generated from the description', { timeout: 300_000 }, () => {
  it('compiles, and sends usage and reads the balance', async () => {
    const scratch = scratchDirectory()
    try {
      const file = (name: string, text: string) => writeFileSync(join(scratch.path, name), text)
      const described = await at.call('GET /openapi.json', { key: null })
      file('api.d.ts', await openapiTypes(JSON.parse(described.text)))
      file('story.ts', story)
      file('package.json', '{"type":"module"}')
      file('tsconfig.json', JSON.stringify({ ...compiler, files: ['story.ts'] }))
      symlinkSync(modules, join(scratch.path, 'node_modules'))
      const tsc = join(modules, 'typescript/bin/tsc')
      await run(process.execPath, [tsc, '-p', scratch.path])
      const of = await subscriber(at)
      const words = [at.url(), at.keys.write, of.customerId, of.creditId, of.eventNames[0] ?? '']
      const { stdout } = await run(process.execPath, [
        join(scratch.path, 'story.js'),
        ...words,
        fresh('generated'),
      ])
      expect(JSON.parse(stdout)).toEqual([1, '99', 'NOT_FOUND', '/docs/requests#not-found'])
      file('mistake.ts', mistake)
      file('tsconfig.json', JSON.stringify({ ...compiler, files: ['mistake.ts'] }))
      await expect(run(process.execPath, [tsc, '-p', scratch.path])).rejects.toMatchObject({
        stdout: expect.stringContaining("'nam' does not exist"),
      })
    } finally {
      scratch.remove()
    }
  })
})
