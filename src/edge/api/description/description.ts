import { priceAnswer } from '../../../wire/answers/catalog.ts'
import { errorAnswer } from '../../../wire/answers/error.ts'
import type { Described, DescribedRoutes } from '../../../wire/described/described.ts'
import { pageQuery } from '../../../wire/described/described.ts'
import type { Definition } from '../../../wire/schemas.ts'
import type { DescribedOperation, ServedRoute } from './operation.ts'
import { definitionOf, portable } from './published.ts'
import { responsesOf, shapeOf } from './responses.ts'
import { apiTold, operationTold, tagOf, tagTold } from './told.ts'

/** The version of the interface that we keep to. */
const version = '1.113.6'

/**
 * The description of an API (OpenAPI 3.1): of the routes that are served, with the schemas that
 * check their bodies, those of their views, and the table of faults. Throws where a route is not
 * described, or what is described is not served. [requests#description]
 */
export function describeApi(
  routes: readonly ServedRoute[],
  described: DescribedRoutes,
): Definition {
  const operations = operationsOf(routes, described)
  const paths: Record<string, Record<string, Definition>> = {}
  for (const operation of operations) {
    const path = operation.pattern.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: operationOf(operation) }
  }
  return portable({
    openapi: '3.1.0',
    info: {
      title: 'Sluice',
      version,
      description: apiTold,
      contact: { name: 'The operator of this server' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The host that serves this description.' }],
    security: [{ API_KEY: [] }],
    tags: tagsOf(operations).map((name) => ({ name, description: tagTold(name) })),
    paths,
    components: {
      securitySchemes: { API_KEY: { type: 'http', scheme: 'bearer' } },
      schemas: schemasOf(operations),
    },
  })
}

function operationsOf(
  routes: readonly ServedRoute[],
  described: DescribedRoutes,
): readonly DescribedOperation[] {
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

const tagsOf = (operations: readonly DescribedOperation[]): readonly string[] => [
  ...new Set(operations.map(tagOf)),
]

function schemasOf(
  operations: readonly DescribedOperation[],
): Readonly<Record<string, Definition>> {
  const shapes = operations.flatMap(({ answers }) =>
    answers === null || typeof answers === 'string' ? [] : [shapeOf(answers)],
  )
  const entries = shapes.map(({ name, definition }) => [name, definition] as const)
  return { ...Object.fromEntries([...extraShapes, ...entries]), Error: errorAnswer.definition }
}

/** Those that only others refer to. */
const extraShapes = [priceAnswer].map(({ name, definition }) => [name, definition] as const)

function operationOf(operation: DescribedOperation): Definition {
  const { id, summary, access, body, ours, uploads } = operation
  return {
    operationId: id,
    summary,
    description: operationTold(operation),
    tags: [tagOf(operation)],
    ...(ours === true ? { 'x-sluice': true } : {}),
    ...(access === 'public' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...(body === undefined ? {} : { requestBody: requestBodyOf(body) }),
    ...(uploads === undefined ? {} : { requestBody: formWithFile }),
    responses: responsesOf(operation),
  }
}

const formWithFile: Definition = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary' } },
      },
    },
  },
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

function parametersOf(operation: DescribedOperation): readonly Definition[] {
  const { pattern, query = {}, headers = {}, paged, waits } = operation
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
    ...Object.entries(headers).map(([name, { description, ...schema }]) => ({
      name,
      in: 'header',
      required: false,
      'x-sluice': true,
      ...(description === undefined ? {} : { description }),
      schema,
    })),
    ...(waits === true ? [sluiceAfter] : []),
  ]
}

const sluiceAfter: Definition = {
  name: 'Sluice-After',
  in: 'header',
  required: false,
  'x-sluice': true,
  description: 'Positions of ingest answers: waits until their usage is measured.',
  schema: { type: 'string' },
}
