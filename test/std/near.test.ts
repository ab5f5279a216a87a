import { describe, expect, it } from 'vitest'
import { nearMiss } from '../../src/std/near.ts'
import { schema } from '../../src/std/schema.ts'

const known = new Set(['customer_id', 'event_id', 'event_name', 'name', 'url'])

describe('a name that was meant for another', () => {
  it.each([
    ['customer_id', 'cutomer_id'],
    ['customer_id', 'custmoer_id'],
    ['customer_id', 'customerId'],
    ['customer_id', 'Customer-ID'],
    ['customer_id', 'customers_id'],
    ['event_name', 'eventname'],
    ['name', 'nmae'],
    ['url', 'uri'],
    ['customer_id', 'customer'],
  ])('%s: %s', (wanted, given) => {
    expect(nearMiss(wanted, ['metadata', given], known)).toBe(given)
  })

  it.each([
    ['event_id', 'event_name'],
    ['name', 'unit'],
    ['url', 'id'],
    ['customer_id', ''],
    ['customer_id', 'custömer_id'],
    ['customer_id', 'customer id'],
    ['customer_id', `customer_id${'x'.repeat(100)}`],
  ])('%s: not %s', (wanted, given) => {
    expect(nearMiss(wanted, [given], known)).toBe(null)
  })

  it('is looked for among a hundred, however many there are', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `field_${at}`)
    expect(nearMiss('customer_id', [...many, 'cutomer_id'], known)).toBe(null)
    expect(nearMiss('customer_id', ['cutomer_id', ...many], known)).toBe('cutomer_id')
  })
})

it('is named by its path where a required field is missing', () => {
  const events = schema({
    type: 'object',
    properties: {
      events: {
        type: 'array',
        items: {
          type: 'object',
          required: ['customer_id', 'event_id'],
          properties: { customer_id: { type: 'string' }, event_id: { type: 'string' } },
        },
      },
    },
  })
  const problem = (event: object) => events.check({ events: [event] })
  expect(problem({ cutomer_id: 'secret', event_id: 'a' })).toEqual({
    ok: false,
    problem: "events[0].customer_id is required: 'cutomer_id' looks like a misspelling of it.",
  })
  expect(problem({ event_id: 'a' })).toEqual({
    ok: false,
    problem: 'events[0].customer_id is required.',
  })
})
