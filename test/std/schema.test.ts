import { expect, it } from 'vitest'

// A copy of its own: another suite of this process looks at every schema that was made, and those
// here are broken.
const copy = '../../src/std/schema.ts?copy'
const made = (await import(copy)) as typeof import('../../src/std/schema.ts')
const { compileNextSchema, compileSchemas, schema } = made

it('is compiled by its first check, or with all others when a server begins to serve', () => {
  // One that cannot be compiled tells when it is.
  const broken = schema({ type: 'nothing' })
  expect(() => compileSchemas()).toThrow('type must be')
  const again = schema({ type: 'nothing else' })
  expect(() => compileNextSchema()).toThrow('type must be')
  expect(() => again.check(1)).toThrow('type must be')
  expect(() => broken.check(1)).toThrow('type must be')
  const sound = schema({ type: 'integer' })
  let compiled = 0
  while (compileNextSchema()) compiled += 1
  expect(compiled).toBe(1)
  expect([sound.check(1), sound.check('1')]).toEqual([
    { ok: true, value: 1 },
    { ok: false, problem: 'The body must be an integer.' },
  ])
})

it('names the key that is wrong, and by which bound', () => {
  const names = { maxLength: 3, pattern: '^a*$', description: 'letters a' }
  const keys = { type: 'object', propertyNames: names }
  const { check } = schema({ type: 'object', properties: { map: keys } })
  expect(check({ map: { aaaa: 1 } })).toEqual({
    ok: false,
    problem: 'Every key of map must not be longer than 3 characters.',
  })
  expect(check({ map: { b: 1 } })).toEqual({
    ok: false,
    problem: 'Every key of map must be letters a.',
  })
})
