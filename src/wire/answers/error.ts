import type { NamedShape } from './shape.ts'
import { named } from './shape.ts'

/** What every refusal answers. [requests#refusals] */
export const errorAnswer: NamedShape = named('Error', {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'For programs; the codes stand with each answer.' },
    message: { type: 'string', description: 'For people: what is wrong, and what would be right.' },
    doc_url: {
      type: 'string',
      format: 'uri-reference',
      description: 'Where the manual says more: a path on this host, unless PUBLIC_URL is set.',
      'x-sluice': true,
    },
  },
})
