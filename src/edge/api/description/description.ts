import type { FaultCode } from '../../../faults.ts'
import { Fault, isFaultCode } from '../../../faults.ts'
import { priceAnswer } from '../../../wire/answers/catalog.ts'
import type { NamedShape } from '../../../wire/answers/shape.ts'
import type { Described, DescribedRoutes } from '../../../wire/described/described.ts'
import { pageQuery } from '../../../wire/described/described.ts'
import type { Definition } from '../../../wire/schemas.ts'
import type { Route } from '../../http/route.ts'
import { definitionOf } from './published.ts'

/** The version of the interface that we keep to. */
const version = '1.113.6'

/** A route with what is said of it. */
type Operation = Pick<Route, 'method' | 'pattern' | 'access' | 'bodyKind'> & Described

/**
 * The description of an API (OpenAPI 3.1): of the routes that are served, with the schemas that
 * check their bodies, those of their views, and the table of faults. Throws where a route is not
 * described, or what is described is not served. [requests#description]
 */
export function describeApi(routes: readonly Route[], described: DescribedRoutes): Definition {
  const operations = operationsOf(routes, described)
  const paths: Record<string, Record<string, Definition>> = {}
  for (const operation of operations) {
    const path = operation.pattern.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: 'Usage ingestion and credit billing. The host decides the mode: test or live.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this description.' }],
    security: [{ API_KEY: [] }],
    tags: tagsOf(operations).map((name) => ({ name, description: `Routes under /${name}.` })),
    paths,
    components: {
      securitySchemes: { API_KEY: { type: 'http', scheme: 'bearer' } },
      schemas: schemasOf(operations),
    },
  }
}

function operationsOf(routes: readonly Route[], described: DescribedRoutes): readonly Operation[] {
  const left = new Map<string, Described>(Object.entries(described))
  const operations = routes.map((route) => {
    const name = `${route.method} ${route.pattern}`
    const more = left.get(name)
    if (more === undefined) throw new Error(`${name} is served and not described.`)
    left.delete(name)
    return { ...more, ...route }
  })
  const [absent] = left.keys()
  if (absent !== undefined) throw new Error(`${absent} is described and not served.`)
  return operations
}

const tagOf = ({ pattern }: Operation): string => pattern.split('/')[1] ?? ''

const tagsOf = (operations: readonly Operation[]): readonly string[] => [
  ...new Set(operations.map(tagOf)),
]

function schemasOf(operations: readonly Operation[]): Readonly<Record<string, Definition>> {
  const shapes = operations.flatMap(({ answers }) => (answers === null ? [] : [shapeOf(answers)]))
  const entries = shapes.map(({ name, definition }) => [name, definition] as const)
  return { ...Object.fromEntries([...extraShapes, ...entries]), Error: errorShape }
}

const shapeOf = (answers: NonNullable<Described['answers']>): NamedShape =>
  'items' in answers ? answers.items : answers

/** Those that only others refer to. */
const extraShapes = [priceAnswer].map(({ name, definition }) => [name, definition] as const)

const errorShape: Definition = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'For programs; the codes stand with each answer.' },
    message: { type: 'string', description: 'For people: what is wrong, and what would be right.' },
  },
}

function operationOf(operation: Operation): Definition {
  const { id, summary, access, body, ours, tagged } = operation
  return {
    operationId: id,
    summary,
    tags: [tagOf(operation)],
    ...(ours === true ? { 'x-sluice': true } : {}),
    ...(access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    responses: {
      ...successOf(operation),
      ...(tagged === true ? { 304: { description: 'It is as it was.' } } : {}),
      ...refusalsOf(operation),
    },
  }
}

function requestBodyOf({ schema, example, others = {} }: NonNullable<Described['body']>) {
  const more = Object.entries(others).map(([media, other]) => [
    media,
    { schema: definitionOf(other) },
  ])
  return {
    required: true,
    content: {
      'application/json': { schema: definitionOf(schema), example },
      ...Object.fromEntries(more),
    },
  }
}

function parametersOf({ pattern, query = {}, paged, waits }: Operation): readonly Definition[] {
  const inPath = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }))
  const inQuery = Object.entries({ ...query, ...(paged === true ? pageQuery : {}) })
  return [
    ...inPath,
    ...inQuery.map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
    ...(waits === true ? [sluiceAfter] : []),
  ]
}

const sluiceAfter: Definition = {
  name: 'Sluice-After',
  in: 'header',
  required: false,
  description: 'Positions of ingest answers: waits until their usage is measured.',
  schema: { type: 'string' },
}

function successOf({ answers, status, id }: Operation): Readonly<Record<string, Definition>> {
  if (answers === null) return { 204: { description: 'Done.', headers: everyHeader } }
  const { name } = shapeOf(answers)
  const one = { $ref: `#/components/schemas/${name}` }
  const schema =
    'items' in answers
      ? {
          type: 'object',
          required: ['items'],
          properties: { items: { type: 'array', items: one } },
        }
      : one
  const position = id === 'ingestEvents' ? { 'Sluice-Position': textHeader } : {}
  return {
    [status ?? 200]: {
      description: 'items' in answers ? 'A page of the list, newest first.' : 'What it is now.',
      headers: { ...everyHeader, ...position },
      content: { 'application/json': { schema } },
    },
  }
}

const textHeader: Definition = { schema: { type: 'string' } }
const wholeHeader: Definition = { schema: { type: 'integer' } }
const everyHeader = {
  'X-Request-Id': textHeader,
  'X-RateLimit-Limit': wholeHeader,
  'X-RateLimit-Remaining': wholeHeader,
  'X-RateLimit-Reset': wholeHeader,
}

/** Every status that it can be refused with, and the codes that go with each. */
function refusalsOf(operation: Operation): Readonly<Record<string, Definition>> {
  const codes = new Map<number, Set<string>>()
  for (const code of faultsOf(operation)) {
    const { status, wireCode } = new Fault(code, '')
    codes.set(status, (codes.get(status) ?? new Set()).add(wireCode))
  }
  const entries = [...codes].map(([status, names]) => [status, refusalOf(status, [...names])])
  return Object.fromEntries(entries)
}

function refusalOf(status: number, codes: readonly string[]): Definition {
  const waits = status === 429 || status === 503 ? { 'Retry-After': wholeHeader } : {}
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: { ...everyHeader, ...waits },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { enum: codes } } },
          ],
        },
      },
    },
  }
}

function faultsOf({ method, pattern, access, body, query, paged, refusals = [] }: Operation) {
  const faults: FaultCode[] = ['INVALID_REQUEST_PARAMETERS', 'TOO_MANY_REQUESTS']
  for (const code of refusals) {
    if (!isFaultCode(code)) throw new Error(`There is no fault ${code}.`)
    faults.push(code)
  }
  if (access !== 'public') faults.push('UNAUTHORIZED')
  if (access === 'write') faults.push('FORBIDDEN')
  if (pattern.includes(':')) faults.push('NOT_FOUND')
  if (query !== undefined || paged === true) faults.push('INVALID_QUERY_PARAMS')
  if (method !== 'GET') faults.push('REQUEST_TIMEOUT')
  if (body !== undefined) {
    faults.push('INVALID_JSON', 'REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
    faults.push('INVALID_REQUEST_BODY')
  }
  return [...faults, 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'] as const
}
