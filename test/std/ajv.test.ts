import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ValidateFunction } from '../../src/std/ajv.ts'
import { newAjv, validatorsAsCode } from '../../src/std/ajv.ts'
import { formats } from '../../src/std/formats.ts'
import { madeDefinitions } from '../../src/std/schema.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { runs } from '../support/run/runs.ts'

type Definition = Readonly<Record<string, unknown>>
type ValidatorOf = (definition: Definition) => ValidateFunction

const wire = fileURLToPath(new URL('../../src/wire/', import.meta.url))
const scratch = scratchDirectory()
afterAll(() => scratch.remove())
let validatorOf: ValidatorOf

beforeAll(async () => {
  const scripts = readdirSync(wire).filter((name) => name.endsWith('.ts'))
  for (const name of scripts) await import(join(wire, name))
  Object.assign(globalThis, { testedFormats: formats })
  const here = (name: string) => join(scratch.path, name)
  writeFileSync(here('package.json'), '{"type":"module"}')
  writeFileSync(here('formats.js'), 'export const formats = globalThis.testedFormats')
  const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
  const { functions, module } = validatorsAsCode(madeDefinitions(), digest)
  writeFileSync(here('validators.txt'), functions)
  // Outside of the repository it would find no packages.
  const place = JSON.stringify(import.meta.url)
  writeFileSync(here('all.js'), module.replace('import.meta.url', place))
  const made = (await import(pathToFileURL(here('all.js')).href)) as { validatorOf: ValidatorOf }
  validatorOf = made.validatorOf
})

it('says of everything what the compiler itself would, written as code by the build', () => {
  const ajv = newAjv()
  expect(madeDefinitions().length).toBeGreaterThan(30)
  const said = { right: 0, wrong: 0 }
  for (const definition of madeDefinitions()) {
    const [built, compiled] = [validatorOf(definition), ajv.compile(definition)]
    fc.assert(
      fc.property(like(definition), (value) => {
        const verdict = compiled(value)
        said[verdict ? 'right' : 'wrong'] += 1
        expect([built(value), built.errors]).toEqual([verdict, compiled.errors])
      }),
      runs(50),
    )
  }
  expect(Math.min(said.right, said.wrong)).toBeGreaterThan(100)
})

it('refuses a schema that the build has not seen', () => {
  expect(() => validatorOf({ type: 'integer' })).toThrow('the build has not seen')
})

const texts = ['', 'a', '12.5', 'ada@example.com', '2026-01-31T12:00:00Z', 'DE', 'x'.repeat(600)]
const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    1,
    -1,
    7,
    Number.POSITIVE_INFINITY,
    2.5,
    [],
    {},
    ...texts,
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

/** Values that a schema lets in, nearly so, or not at all. */
function like(definition: Definition): fc.Arbitrary<unknown> {
  const {
    enum: choices,
    items,
    properties,
    type,
  } = definition as {
    readonly enum?: readonly unknown[]
    readonly items?: Definition
    readonly properties?: Readonly<Record<string, Definition>>
    readonly type?: string | readonly string[]
  }
  const likely: fc.Arbitrary<unknown>[] = []
  if (choices !== undefined) likely.push(fc.constantFrom(...choices))
  if (items !== undefined) likely.push(fc.array(like(items), { maxLength: 3 }))
  if (properties !== undefined) {
    const parts = Object.entries(properties).map(([key, part]) => [key, like(part)] as const)
    likely.push(fc.record(Object.fromEntries(parts), { requiredKeys: required(definition) }))
  }
  if ([type].flat().includes('string')) likely.push(fc.constantFrom(...texts))
  if ([type].flat().includes('integer')) likely.push(fc.constantFrom(0, 1, 7, 2 ** 31))
  if (likely.length === 0) return junk
  return fc.oneof({ arbitrary: fc.oneof(...likely), weight: 20 }, { arbitrary: junk, weight: 1 })
}

const required = (definition: Definition): string[] => [
  ...((definition['required'] as readonly string[] | undefined) ?? []),
]
