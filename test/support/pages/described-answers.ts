import assert from 'node:assert/strict'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** Is shown every answer of a server. */
export type Look = (method: string, url: string, answer: Response) => Promise<void>

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

type Check = (method: string, path: string, status: number, body: unknown) => void

/**
 * Compares each answer with what the server's own description promises: it must name the status,
 * and the body must fit its schema and have no other fields.
 */
export function describedAnswers(): Look {
  let opened: Promise<Check> | null = null
  return async (method, url, answer) => {
    const { origin, pathname } = new URL(url)
    opened ??= openCheck(origin)
    const check = await opened.catch(() => {
      // A server that is going down may not answer: the next look asks again.
      opened = null
      return null
    })
    const isJson = answer.headers.get('content-type') === 'application/json'
    // An answer that breaks off is the caller's business.
    const text = isJson ? await answer.text().catch(() => null) : ''
    if (text === null) return
    check?.(method, pathname, answer.status, text === '' ? undefined : JSON.parse(text))
  }
}

async function openCheck(origin: string): Promise<Check> {
  // From an address that no test uses, so that this does not use up a limit that a test counts.
  const headers = { 'X-Forwarded-For': '198.51.100.250' }
  const answer = await fetch(`${origin}/openapi.json`, { headers })
  assert.equal(answer.status, 200)
  return checkOf((await answer.json()) as Description)
}

function checkOf({ paths, components }: Description): Check {
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': isTime, 'uri-reference': true },
  })
  ajv.addSchema({ $id: 'api', components: closed(components) })
  const compiled = new Map<object, ValidateFunction>()
  const routes = Object.entries(paths).map(([path, methods]) => ({
    // The most literal path first, as the router takes it.
    rank: path.split('{').length,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    methods,
  }))
  routes.sort((a, b) => a.rank - b.rank)
  return check

  function check(method: string, path: string, status: number, body: unknown): void {
    const sought = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const found = routes.find(({ pattern, methods }) => pattern.test(path) && sought in methods)
    const operation = found?.methods[sought]
    if (operation === undefined) return
    const promised = operation.responses[status]
    assert(promised !== undefined, `${method} ${path} answered ${status}, which nobody describes.`)
    const schema = promised.content?.['application/json']?.schema
    if (schema === undefined || method === 'HEAD') return
    const validate = compiled.get(schema) ?? ajv.compile(within(closed(schema)))
    compiled.set(schema, validate)
    const problem = `${method} ${path} ${status}: ${JSON.stringify(body)?.slice(0, 2_000)}`
    assert(validate(body), `${problem}\n${ajv.errorsText(validate.errors)}`)
  }
}

const within = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')) as object

/** The schema with no object allowed to have a field that it does not name. */
export function closed(value: object): object {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('properties' in part)) return part
    if (!('required' in part) || 'additionalProperties' in part) return part
    return 'type' in part && part.type === 'object'
      ? { ...part, additionalProperties: false }
      : part
  }) as object
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(text)
