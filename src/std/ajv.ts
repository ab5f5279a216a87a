// ajv: the field's validator of JSON Schema, which turns each schema into a function. This is the
// only import of it.
import type { CodeOptions } from 'ajv/dist/2020.js'
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import standalone from 'ajv/dist/standalone/index.js'
import { formats } from './formats.ts'

export type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'

/**
 * One error is enough for a person, and `allErrors` would do unbounded work on untrusted input.
 * `strictNumbers` is off, since it would call 1e400, which reads as Infinity, no number at all; the
 * bounds say what is wrong with it. `$data` is off, because it would allow ReDoS. `x-sluice` marks
 * what is ours, for readers of a schema; it checks nothing.
 */
export function newAjv(code: CodeOptions = {}): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: false,
    strict: true,
    strictNumbers: false,
    allowUnionTypes: true,
    verbose: true,
    formats,
    code,
  })
  return ajv.addVocabulary(['x-sluice'])
}

type Definition = Readonly<Record<string, unknown>>

/**
 * The text of a module in the place of validators.js, whose `validatorOf` knows these schemas and
 * no others, and compiles nothing.
 */
export function validatorsAsCode(definitions: readonly Definition[]): string {
  const ajv = newAjv({ source: true, esm: true, formats: _`formats` })
  const texts = [...new Set(definitions.map((definition) => JSON.stringify(definition)))]
  const names = Object.fromEntries(texts.map((_text, index) => [`v${index}`, `s${index}`]))
  for (const [index, text] of texts.entries()) ajv.addSchema(JSON.parse(text), `s${index}`)
  const entries = texts.map((text, index) => `[${JSON.stringify(text)}, v${index}]`)
  return `import { createRequire } from 'node:module'
import { formats } from './formats.js'
const require = createRequire(import.meta.url)
${standalone.default(ajv, names)}
const validators = new Map([${entries.join(',\n')}])
export function validatorOf(definition) {
  const validator = validators.get(JSON.stringify(definition))
  if (validator === undefined) throw new Error('A schema was made that the build has not seen.')
  return validator
}
`
}
