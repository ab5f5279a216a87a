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

/** What the build puts in the place of validators.js: a module, and a file that it reads. */
export interface BuiltValidators {
  readonly module: string
  readonly functions: string
}

/**
 * A module whose `validatorOf` knows these schemas and no others. The functions of all are megabytes
 * of code, of which most processes and threads use little: so each is read and compiled when it is
 * asked for. The file stays open, so that a process keeps its own when another one is built.
 * `digest` is SHA-256 in base64, by which they are looked up.
 */
export function validatorsAsCode(
  definitions: readonly Definition[],
  digest: (text: string) => string,
): BuiltValidators {
  const ajv = newAjv({ source: true, formats: _`formats` })
  const texts = [...new Set(definitions.map((definition) => JSON.stringify(definition)))]
  let functions = ''
  const places = texts.map((text) => {
    // Bytes are counted by characters.
    const code = standalone
      .default(ajv, ajv.compile(JSON.parse(text)))
      .replace(/[^\0-\x7f]/g, escaped)
    const from = functions.length
    functions += `${code}\n`
    return [digest(text), [from, code.length]]
  })
  return { functions, module: lookingUp(JSON.stringify(places)) }
}

/** As JavaScript writes it in a text: the code of a schema has such characters nowhere else. */
const escaped = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const lookingUp = (places: string): string => `import { createHash } from 'node:crypto'
import { existsSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import { formats } from './formats.js'
const require = createRequire(import.meta.url)
const path = new URL('./validators.txt', import.meta.url)
// The build itself, which makes it, finds none.
const file = existsSync(path) ? openSync(path) : null
const places = new Map(${places})
export function validatorOf(definition) {
  const text = JSON.stringify(definition)
  const place = places.get(createHash('sha256').update(text).digest('base64'))
  if (place === undefined) throw new Error('A schema was made that the build has not seen.')
  const [from, length] = place
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, from)
  const module = { exports: {} }
  const parameters = ['module', 'require', 'formats']
  compileFunction(bytes.latin1Slice(), parameters)(module, require, formats)
  return module.exports
}
`
