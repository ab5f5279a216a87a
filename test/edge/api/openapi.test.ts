import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../../src/edge/api/description/description.ts'
import { apiDescription, describedRoutes } from '../../../src/edge/api/openapi.ts'
import type { Request } from '../../../src/edge/http/route.ts'
import { route } from '../../../src/edge/http/route.ts'
import { Fault, isFaultCode } from '../../../src/faults.ts'
import { closed } from '../../support/pages/described-answers.ts'
import { bareRoutes, descriptionRoute } from '../../support/pages/description.ts'

interface Description {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Operation {
  readonly operationId: string
  readonly description?: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly 'x-sluice'?: true
  }[]
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: object; readonly example: unknown }>
    >
  }
  readonly responses: Readonly<Record<string, Answered>>
  readonly 'x-sluice'?: true
}

interface Answered {
  readonly headers?: object
  readonly content?: Readonly<
    Record<string, { readonly schema?: object; readonly example?: unknown }>
  >
}

const asked = (headers: Readonly<Record<string, string>> = {}): Request =>
  ({ header: (name: string) => headers[name] ?? null }) as Request

/** All codes of the table of faults, as its files spell them. */
const faultCodes = ['faults.ts', 'faults-payments.ts'].flatMap((file) => {
  const text = readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8')
  return [...text.matchAll(/\b[A-Z][A-Z_]{5,}\b/g)].map(([code]) => code).filter(isFaultCode)
})

async function description(): Promise<Description> {
  const { raw } = await descriptionRoute.handler(asked())
  return JSON.parse(String(raw)) as Description
}

const operationsOf = ({ paths }: Description): readonly (readonly [string, Operation])[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const,
    ),
  )

describe('the description of the API', () => {
  it('is of OpenAPI 3.1 and of the version of the interface', async () => {
    expect(await description()).toMatchObject({ openapi: '3.1.0', info: { version: '1.113.6' } })
  })

  it('names every route once, with the parameters of its path', async () => {
    const operations = operationsOf(await description())
    expect(operations).toHaveLength(bareRoutes.length + 1)
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(
      operations.length,
    )
    for (const [name, { parameters }] of operations) {
      const inPath = parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)
      expect([name, inPath]).toEqual([name, name.match(/\{\w+\}/g) ?? []])
    }
  })

  it('cannot be made where a route is not described, or what is described not served', () => {
    const more = [...bareRoutes, route('GET', '/new', 'read', async () => ({ status: 204 }))]
    expect(() => apiDescription(more)).toThrow('GET /new is served and not described.')
    expect(() => describeApi(bareRoutes, describedRoutes)).toThrow('described and not served')
  })

  it('marks the routes that are ours', async () => {
    const ours = operationsOf(await description()).filter(([, one]) => one['x-sluice'] === true)
    expect(ours.map(([name]) => name).toSorted()).toEqual([
      'GET /credit-ledger-entries/{id}/explanation',
      'GET /docs',
      'GET /docs/api/{resource}',
      'GET /docs/{page}',
      'GET /events/{event_id}/explanation',
      'GET /explanations/{id}',
      'GET /openapi.json',
      'GET /webhooks/stream',
      'GET /webhooks/{id}/messages',
      'GET /webhooks/{id}/messages/{message_id}/attempts',
      'POST /clock/advance',
      'POST /events/{event_id}/void',
      'POST /grants/{grant_id}/fulfillment',
      'POST /webhooks/{id}/messages/{message_id}/resend',
      'POST /webhooks/{id}/recover',
      'POST /webhooks/{id}/secret/rotate',
      'POST /webhooks/{id}/test',
    ])
  })

  it('marks what is ours beside the contract: headers, parameters and fields', async () => {
    const operations = operationsOf(await description())
    const headers = operations.flatMap(([, { parameters }]) =>
      parameters.filter((one) => one.in === 'header'),
    )
    expect(headers.length).toBeGreaterThan(20)
    expect(headers.filter((one) => one['x-sluice'] !== true)).toEqual([])
    const { raw } = await descriptionRoute.handler(asked())
    for (const field of ['meter_links', 'low_balance_threshold', 'voided_at', 'doc_url']) {
      expect(String(raw)).toMatch(new RegExp(`"${field}":\\{[^}]*("items":.*?)?"x-sluice":true`))
    }
  })

  it('names each refusal that there is, but for those that only people are told', async () => {
    const { raw } = await descriptionRoute.handler(asked())
    const unnamed = [...new Set(faultCodes)].filter((code) => {
      const { wireCode } = new Fault(code, '')
      return !String(raw).includes(`\`${wireCode}\``)
    })
    expect(unnamed.toSorted()).toEqual([
      'CHECKOUT_SESSION_CONSUMED',
      'CHECKOUT_SESSION_EXPIRED',
      // Of no route, but of a path without one.
      'METHOD_NOT_ALLOWED',
      'PORTAL_LINK_EXPIRED',
      'SETUP_LINK_IS_GONE',
    ])
  })

  it('says of each operation who may call it, and what a caller can read of a refusal', async () => {
    for (const [name, { description: told, responses }] of operationsOf(await description())) {
      expect([name, told]).toEqual([name, expect.stringMatching(/key.*\[the manual\]/)])
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const waits = ['429', '503'].includes(status)
        expect([name, status, 'Retry-After' in headers]).toEqual([name, status, waits])
        // Of a conflict it depends on the code.
        if (status === '409') continue
        const never = Number(status) >= 400 && !['408', '429', '500', '503'].includes(status)
        expect([name, status, 'x-should-retry' in headers]).toEqual([name, status, never])
      }
    }
  })

  it('holds schemas that can be compiled, and examples that they take', async () => {
    const { components, ...rest } = await description()
    const ajv = new Ajv2020({
      strict: false,
      formats: { 'date-time': true, 'uri-reference': true },
    })
    ajv.addSchema({ $id: 'api', components })
    const within = (schema: object) =>
      ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object)
    for (const name of Object.keys(components.schemas)) {
      expect(() => within({ $ref: `#/components/schemas/${name}` }), name).not.toThrow()
    }
    for (const [name, { requestBody }] of operationsOf({ components, ...rest })) {
      const json = requestBody?.content['application/json']
      if (json === undefined) continue
      expect([name, within(json.schema)(json.example)]).toEqual([name, true])
      // Fields that are known only to be refused are not shown.
      expect(JSON.stringify(json.schema)).not.toContain('"not"')
    }
  })

  it('holds patterns that other languages can read, in headers and answers, too', async () => {
    const { raw } = await descriptionRoute.handler(asked())
    expect(String(raw)).toContain('"pattern":"^[^\\\\u0000]*$"')
    expect(String(raw)).not.toMatch(/\\p\{/i)
  })

  it('shows answers that a server gave, with no field too many or too few', async () => {
    const { components, ...rest } = await description()
    const ajv = new Ajv2020({
      strict: false,
      formats: { 'date-time': true, 'uri-reference': true },
    })
    ajv.addSchema({ $id: 'api', components: closed(components) })
    for (const [name, { responses }] of operationsOf({ components, ...rest })) {
      for (const [status, { content }] of Object.entries(responses)) {
        const { schema, example } = content?.['application/json'] ?? {}
        if (schema === undefined || name === 'GET /openapi.json') continue
        if (status.startsWith('2')) expect([name, example !== undefined]).toEqual([name, true])
        if (example === undefined) continue
        const text = JSON.stringify(closed(schema)).replaceAll('"#/', '"api#/')
        const takes = ajv.compile(JSON.parse(text) as object)
        const right = takes(example)
        expect([name, right, ajv.errorsText(takes.errors)]).toEqual([name, true, 'No errors'])
      }
    }
  })

  it('is not sent again to whoever has it', async () => {
    const whole = await descriptionRoute.handler(asked())
    const etag = whole.headers?.['ETag'] ?? ''
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/)
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const answer = await descriptionRoute.handler(asked({ 'if-none-match': known }))
      expect([known, answer.status, answer.raw]).toEqual([known, 304, undefined])
    }
    expect((await descriptionRoute.handler(asked({ 'if-none-match': '"other"' }))).status).toBe(200)
  })
})
