import type { FaultCode } from '../../../faults.ts'
import { Fault, isFaultCode } from '../../../faults.ts'
import type { NamedShape } from '../../../wire/answers/shape.ts'
import type { Described } from '../../../wire/described/described.ts'
import type { Definition } from '../../../wire/schemas.ts'
import { exampleOf } from './examples.ts'
import type { DescribedOperation } from './operation.ts'

/** What an operation answers, and all that it can be refused with, by status. */
export const responsesOf = (
  operation: DescribedOperation,
): Readonly<Record<string, Definition>> => ({
  ...successOf(operation),
  ...(operation.tagged === true ? { 304: asItWas } : {}),
  ...refusalsOf(operation),
})

export const shapeOf = (
  answers: Exclude<Described['answers'], 'page' | 'pdf' | 'csv' | null>,
): NamedShape => ('items' in answers ? answers.items : answers)

const textHeader: Definition = { schema: { type: 'string' } }
const oursHeader: Definition = { ...textHeader, 'x-sluice': true }
const neverAgain: Definition = { schema: { type: 'string', enum: ['false'] } }
const wholeHeader: Definition = { schema: { type: 'integer' } }
const everyHeader = {
  'X-Request-Id': textHeader,
  'X-RateLimit-Limit': wholeHeader,
  'X-RateLimit-Remaining': wholeHeader,
  'X-RateLimit-Reset': wholeHeader,
}

const asItWas: Definition = {
  description: 'It is as it was.',
  headers: { ...everyHeader, ETag: textHeader },
}

/** Pages, and what they load: styles, a script, the index of the search. */
const pageMedia = ['text/html', 'text/css', 'text/javascript', 'application/json']

const pageAnswer: Definition = {
  description: 'A page, or a file that pages load.',
  headers: { ...everyHeader, ETag: textHeader },
  content: Object.fromEntries(pageMedia.map((media) => [media, {}])),
}

const pdfAnswer: Definition = {
  description: 'A PDF file.',
  headers: { ...everyHeader, ETag: textHeader, 'Content-Disposition': textHeader },
  content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
}

const csvAnswer: Definition = {
  description: 'A CSV file.',
  headers: { ...everyHeader, 'Content-Disposition': textHeader },
  content: { 'text/csv': { schema: { type: 'string' } } },
}

function successOf({
  answers,
  answersAs,
  status,
  id,
  tagged,
}: DescribedOperation): Readonly<Record<string, Definition>> {
  if (answers === null) return { 204: { description: 'Done.', headers: everyHeader } }
  if (answers === 'page') return { 200: pageAnswer }
  if (answers === 'pdf') return { 200: pdfAnswer }
  if (answers === 'csv') return { 200: csvAnswer }
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
  const more = {
    ...(id === 'ingestEvents' ? { 'Sluice-Position': oursHeader } : {}),
    ...(tagged === true ? { ETag: textHeader } : {}),
  }
  return {
    [status ?? 200]: {
      description: 'items' in answers ? 'A page of the list, newest first.' : 'What it is now.',
      headers: { ...everyHeader, ...more },
      content: { [answersAs ?? 'application/json']: { schema, ...exampleOf(id) } },
    },
  }
}

/** Every status that it can be refused with, and the codes that go with each. */
function refusalsOf(operation: DescribedOperation): Readonly<Record<string, Definition>> {
  const byStatus = new Map<number, Fault[]>()
  for (const code of faultsOf(operation)) {
    const fault = new Fault(code, '')
    byStatus.set(fault.status, [...(byStatus.get(fault.status) ?? []), fault])
  }
  const entries = [...byStatus].map(([status, faults]) => [status, refusalOf(status, faults)])
  return Object.fromEntries(entries)
}

function refusalOf(status: number, faults: readonly Fault[]): Definition {
  const codes = new Map<string, string>()
  for (const { wireCode, docs } of faults) {
    const told = docs === null ? `\`${wireCode}\`` : `[\`${wireCode}\`](/docs/${docs})`
    codes.set(wireCode, codes.get(wireCode) ?? told)
  }
  return {
    description: [...codes.values()].join(', '),
    headers: {
      ...everyHeader,
      ...(status === 429 || status === 503 ? { 'Retry-After': wholeHeader } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': textHeader } : {}),
      ...(faults.some(({ retriable }) => !retriable) ? { 'x-should-retry': neverAgain } : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { enum: [...codes.keys()] } } },
          ],
        },
      },
    },
  }
}

function faultsOf({
  method,
  pattern,
  access,
  body,
  uploads,
  query,
  paged,
  refusals = [],
}: DescribedOperation) {
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
  if (uploads !== undefined) {
    faults.push('REQUEST_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'INVALID_REQUEST_BODY')
  }
  return [...faults, 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE'] as const
}
