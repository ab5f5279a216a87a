import { importsOf } from './imports.ts'
import type { Rule } from './tree.ts'
import { isScript, matchesIn } from './tree.ts'

const isPure = (path: string): boolean =>
  isCodec(path) || /^src\/(std|rules|wire)\/|^workers\//.test(path)

/** What another's protocol looks like in bytes: with Node's own way of holding them. */
const isCodec = (path: string): boolean => path.startsWith('src/parts/kafka/protocol/')

/** The one place where pure code meets Node's own way with bytes. */
const bytes = 'src/std/bytes.ts'

const impure: readonly (readonly [RegExp, string])[] = [
  [/\b(async|await|Promise)\b/g, 'Pure rooms wait for nothing: load first, then decide'],
  [
    /\b(performance|process|setTimeout|setInterval|setImmediate|fetch)\b/g,
    'Pass it as an argument',
  ],
  [/\bcrypto\./g, 'Pass it as an argument'],
]

/** What is right must be a function of its arguments: the same on every machine, at every time. */
export const pureRooms: Rule = (files) =>
  files
    .filter((file) => isScript(file) && isPure(file.path))
    .flatMap((file) => [
      ...importsOf(file)
        .filter(({ specifier }) => specifier.startsWith('node:'))
        .filter(({ specifier }) => specifier !== 'node:assert/strict')
        .filter(({ specifier }) => specifier !== 'node:buffer' || file.path !== bytes)
        .map(
          ({ line, specifier }) =>
            `${file.path}:${line}: a pure room imports ${specifier}. Do this part outside.`,
        ),
      ...impure.flatMap(([pattern, advice]) =>
        matchesIn(file, pattern).map(({ at, match }) => `${at}: ${match[0]}. ${advice}.`),
      ),
      ...(file.path === bytes || isCodec(file.path) ? [] : matchesIn(file, /\bBuffer\b/g)).map(
        ({ at }) => `${at}: Buffer in a pure room. Use ${bytes}.`,
      ),
    ])

/** Time and chance are arguments, so that a test can choose them. */
export const clocks: Rule = (files) =>
  ours(files, /^src\/(runtime\/|pages\/console\/app\/moments\.ts$|start(-engine)?\.js$)/).flatMap(
    (file) =>
      matchesIn(file, /\bDate\.now\b|\bMath\.random\b|\bnew Date\(\s*\)/g).map(
        ({ at, match }) =>
          `${at}: ${match[0]}. Take a Clock or a NewId of src/runtime as an argument.`,
      ),
  )

/** One place says what can be set. */
export const environment: Rule = (files) =>
  ours(files, /^src\/(config\.ts|start-engine\.js|edge\/http\/uws\.ts)$/).flatMap((file) =>
    matchesIn(file, /\bprocess\.env\b|\bimport\.meta\.env\b/g).map(
      ({ at, match }) => `${at}: ${match[0]}. Read it in src/config.ts and pass the value.`,
    ),
  )

/** Lines that people and machines search have one form. */
export const diagnostics: Rule = (files) =>
  ours(files, /^src\/start\.js$/).flatMap((file) =>
    matchesIn(file, /\bconsole\.\w+/g).map(
      ({ at, match }) => `${at}: ${match[0]}. Use the Logger, or the answer of a command.`,
    ),
  )

const ours = (files: Parameters<Rule>[0], except: RegExp) =>
  files.filter(
    (file) => isScript(file) && /^(src|workers)\//.test(file.path) && !except.test(file.path),
  )
