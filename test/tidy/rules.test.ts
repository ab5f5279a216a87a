import { describe, expect, it } from 'vitest'
import { citations } from './citations.ts'
import { directions } from './directions.ts'
import { doorways, noCycles, noDeadFiles } from './imports.ts'
import { oneTitle, pinned, topLevel } from './layout.ts'
import { clocks, diagnostics, environment, pureRooms } from './purity.ts'
import { columns, fileLines, functionLines, parameters, readmeLines, workerLines } from './sizes.ts'
import type { Rule } from './tree.ts'
import { treeOf } from './tree.ts'
import { glossary, namedExports, noConflicts, noLoggedSecrets, noReminders } from './words.ts'

type Texts = Readonly<Record<string, string>>

const problems = (rule: Rule, texts: Texts): readonly string[] => rule(treeOf(texts))
const fine = (rule: Rule, texts: Texts): void => expect(problems(rule, texts)).toEqual([])
const wrong = (rule: Rule, texts: Texts, ...messages: readonly RegExp[]): void => {
  const found = problems(rule, texts)
  expect(found, found.join('\n')).toHaveLength(messages.length)
  for (const [index, message] of messages.entries()) expect(found[index]).toMatch(message)
}

const importing = (path: string): string => `import { x } from '${path}'\n`
const lines = (count: number, line = 'x()'): string => `${line}\n`.repeat(count)

describe('directions', () => {
  it.each([
    ['src/std/a.ts', '../limits.ts'],
    ['src/rules/meter/a.ts', '../credits/credits.ts'],
    ['src/rules/accounts/a.ts', '../../wire/meter.ts'],
    ['src/rules/accounts/a.ts', '../../parts/store/accounts.ts'],
    ['src/wire/a.ts', '../operations/events/read-event.ts'],
    ['src/wire/a.ts', '../runtime/clock.ts'],
    ['src/operations/a/a.ts', '../../edge/http/route.ts'],
    ['src/operations/a/a.ts', '../../wire/product.ts'],
    ['src/operations/a/a.ts', '../../parts/store/postgres/meters.ts'],
    ['src/edge/api/a.ts', '../../engine/alone-by-lease.ts'],
    ['src/edge/http/a.ts', '../api/meters.ts'],
    ['src/edge/ingest/a.ts', '../api/meters.ts'],
    ['src/engine/webhooks/a.ts', '../../edge/http/route.ts'],
    ['src/engine/webhooks/a.ts', '../measuring/first-of-id.ts'],
    ['src/engine/measuring/a.ts', '../../parts/event-log/lmdb/group.ts'],
    ['src/parts/store/meters.ts', '../../faults.ts'],
    ['src/parts/store/meters.ts', './postgres/meters.ts'],
    ['src/parts/store/embedded/a.ts', '../postgres/client.ts'],
    ['src/parts/dedupe/embedded/a.ts', '../../event-log/lmdb/group.ts'],
    ['src/parts/store/postgres/a.ts', '../../../config.ts'],
    ['src/compose/wiring/a.ts', '../../parts/store/postgres/meters.ts'],
    ['src/runtime/a.ts', '../config.ts'],
    ['src/cli/a.ts', '../parts/store/postgres/meters.ts'],
    ['src/cli/a.ts', '../edge/http/route.ts'],
    ['workers/a.ts', '../src/parts/event-log/port.ts'],
    ['src/std/a.ts', '../support/store/database.ts'],
  ])('%s must not import %s', (path, specifier) => {
    wrong(directions, { [path]: importing(specifier) }, /^\S+:1: .* must not import .*argument/)
    wrong(directions, { [path]: `import type { X } from '${specifier}'` }, /must not import/)
    wrong(directions, { [path]: `export type X = import('${specifier}').X` }, /must not import/)
  })

  it.each([
    ['src/rules/accounts/a.ts', '../meter/fold.ts'],
    ['src/wire/a.ts', '../rules/facts/destination.ts'],
    ['src/operations/a/a.ts', '../../parts/store/meters.ts'],
    ['src/edge/api/a.ts', '../../wire/product.ts'],
    ['src/parts/store/postgres/a.ts', '../meters.ts'],
    ['src/parts/dedupe/embedded/a.ts', '../../lmdb.ts'],
    ['src/engine/measuring/a.ts', '../alone-by-lease.ts'],
    ['src/edge/api/a.ts', '../../operations/events/read-event.ts'],
    ['src/compose/edge.ts', '../parts/store/postgres/catalog/meters.ts'],
    ['src/cli/a.ts', '../compose/store.ts'],
    ['test/a.test.ts', '../src/parts/store/postgres/meters.ts'],
  ])('%s may import %s', (path, specifier) => {
    fine(directions, { [path]: importing(specifier) })
  })

  it('asks where a new room belongs', () => {
    wrong(directions, { 'src/plugins/a.ts': '' }, /^src\/plugins\/a.ts: no room .* import table/)
  })

  it('reads imports over several lines, and none in strings and comments', () => {
    const long = `import {\n  a,\n  b,\n} from '../wire/a.ts'\n`
    wrong(directions, { 'src/std/a.ts': `\n${long}` }, /^src\/std\/a.ts:2: /)
    const quoted = `// import '../wire/a.ts'\nconst a = \`\nimport '../wire/a.ts'\n\`\n`
    fine(directions, { 'src/std/a.ts': quoted })
  })
})

describe('imports', () => {
  it('go in no circle, types included', () => {
    const texts = {
      'src/std/a.ts': importing('./b.ts'),
      'src/std/b.ts': `import type { X } from './c.ts'`,
      'src/std/c.ts': `export * from './a.ts'`,
    }
    wrong(noCycles, texts, /^src\/std\/a.ts → src\/std\/b.ts → src\/std\/c.ts → src\/std\/a.ts: /)
    fine(noCycles, { 'src/std/a.ts': importing('./b.ts'), 'src/std/b.ts': '' })
  })

  it('of packages go through their doorway', () => {
    const rule = doorways({ pg: 'src/door.ts' })
    const door = { 'src/door.ts': importing('pg') }
    fine(rule, { ...door, 'test/a.ts': importing('pg'), 'src/a.ts': importing('node:fs') })
    wrong(rule, { ...door, 'src/a.ts': importing('pg/lib/x.js') }, /^src\/a.ts:1: .* src\/door.ts/)
    wrong(rule, { ...door, 'src/a.ts': importing('left-pad') }, /needs its reason/)
    wrong(rule, { ...door, 'src/a.ts': `const pg = await import('pg')` }, /through src\/door.ts/)
    wrong(rule, {}, /^src\/door.ts: the doorway of pg is gone/)
  })

  it('lead to every file', () => {
    const options = { isEntry: (path: string) => path === 'src/main.ts', room: /^src\// }
    const texts = {
      'src/main.ts': `${importing('./a.ts')}start(new URL('./thread.js', import.meta.url))`,
      'src/a.ts': '',
      'src/thread.ts': '',
      'test/b.test.ts': importing('../src/b.ts'),
    }
    fine(noDeadFiles(options), texts)
    const more = { ...texts, 'src/b.ts': '' }
    wrong(noDeadFiles(options), more, /^src\/b.ts: nothing leads here/)
    fine(noDeadFiles({ ...options, awaited: ['src/b.ts'] }), more)
    wrong(noDeadFiles({ ...options, awaited: ['src/a.ts'] }), texts, /off the list/)
  })
})

describe('purity', () => {
  it.each([
    ['export async function x() {}', /async/],
    ['export const x = (): Promise<void> => y()', /Promise/],
    [importing('node:fs'), /node:fs/],
    [importing('node:assert'), /node:assert/],
    [importing('node:buffer'), /node:buffer/],
    ['const at = performance.now()', /performance/],
    ['const home = process.cwd()', /process/],
    ['setTimeout(x, 1)', /setTimeout/],
    ['const id = crypto.randomUUID()', /crypto/],
    ['const b = Buffer.from(x)', /src\/std\/bytes.ts/],
  ])('finds `%s` in a pure room', (text, message) => {
    for (const room of ['src/std', 'src/rules/meter', 'src/wire', 'workers'])
      wrong(pureRooms, { [`${room}/a.ts`]: text }, message)
    fine(pureRooms, { 'src/operations/a.ts': text, 'src/runtime/a.ts': text })
  })

  it('lets pure rooms assert, and bytes be bytes', () => {
    fine(pureRooms, { 'src/rules/meter/a.ts': importing('node:assert/strict') })
    fine(pureRooms, { 'src/std/bytes.ts': `${importing('node:buffer')}Buffer.from(x)` })
    fine(pureRooms, { 'src/std/a.ts': `// async\nconst x = 'await Promise'\n` })
  })

  it('takes clocks and chance for arguments', () => {
    for (const text of ['Date.now()', 'new Date()', 'Math.random()']) {
      wrong(clocks, { 'src/edge/api/a.ts': text }, /Take a Clock or a NewId/)
      fine(clocks, { 'src/runtime/a.ts': text, 'test/a.test.ts': text })
    }
    fine(clocks, { 'src/std/a.ts': 'new Date(at)' })
  })

  it('reads settings in one place and diagnoses through the logger', () => {
    wrong(environment, { 'src/edge/a.ts': 'process.env.PORT' }, /src\/config.ts/)
    fine(environment, { 'src/config.ts': 'process.env' })
    wrong(diagnostics, { 'src/edge/a.ts': 'console.log(1)' }, /Use the Logger/)
  })
})

describe('sizes', () => {
  const ratcheted = { 'src/a.ts': 320 }

  it('bound lines at 100 columns, but for sentences', () => {
    wrong(columns, { 'src/a.ts': `\n${'x'.repeat(101)}` }, /^src\/a.ts:2: 101 columns/)
    fine(columns, { 'src/a.ts': '→'.repeat(100), 'README.md': 'x'.repeat(200) })
    fine(columns, { 'src/a.ts': `fail('${'a sentence '.repeat(10)}')` })
  })

  it('bound files at 300 lines, or at what the ratchet says', () => {
    wrong(fileLines({}), { 'src/a.ts': lines(301) }, /^src\/a.ts: 301 lines, 300 at most/)
    fine(fileLines({}), { 'src/a.ts': lines(300) })
    fine(fileLines(ratcheted), { 'src/a.ts': lines(320) })
    wrong(fileLines(ratcheted), { 'src/a.ts': lines(321) }, /321 lines/)
    wrong(fileLines(ratcheted), { 'src/a.ts': lines(310) }, /has shrunk to 310/)
    wrong(fileLines(ratcheted), { 'src/a.ts': lines(10) }, /has shrunk to 300 or less/)
  })

  it.each([
    ['a declaration', `export async function f(a: { b: () => void }): Promise<{ c: 1 }> {\n`, '}'],
    ['a method', 'const a = {\n  f(b: string): b is "c" {\n', '  },\n}'],
    ['an arrow', 'const f = (a = {}) => {\n', '}'],
    ['a generic one', 'function f<T extends (a: T) => void>(b: T[]): readonly T[] {\n', '}'],
  ])('bound the length of %s', (_, head, tail) => {
    fine(functionLines({}), { 'src/a.ts': `${head}${lines(58)}${tail}` })
    wrong(functionLines({}), { 'src/a.ts': `${head}${lines(59)}${tail}` }, / f: 61 lines, 60/)
  })

  it('measure a factory without what is declared inside, and each of that', () => {
    const inner = (name: string, count: number) => `function ${name}() {\n${lines(count)}}\n`
    const factory = (count: number) => `function make() {\n${inner('a', 50)}${inner('b', count)}}\n`
    fine(functionLines({}), { 'src/a.ts': factory(50) })
    wrong(functionLines({}), { 'src/a.ts': factory(59) }, /^src\/a.ts:54 b: 61 lines/)
  })

  it('count neither comments nor blanks, and braces in strings for nothing', () => {
    const text = `function f() {\n${lines(58)}// why {\n\nx('}')\ny(/[}]/)\n}\n`
    wrong(functionLines({}), { 'src/a.ts': text }, / f: 62 lines/)
    fine(functionLines({}), { 'src/a.ts': `function f() {\n${lines(100, '// why')}}\n` })
  })

  it('bound positional parameters', () => {
    const text =
      'function f(a: Map<string, string>, b: () => void, c = [1, 2], d: { e: 1, f: 2 }) {}'
    wrong(parameters({}), { 'src/a.ts': text }, /^src\/a.ts:1 f: 4 positional parameters/)
    fine(parameters({ 'src/a.ts f': 4 }), { 'src/a.ts': text })
    fine(parameters({}), { 'src/a.ts': 'function f({ a, b, c, d }: X, e: Y<1, 2>) {}' })
  })

  it('bound worker entries and READMEs below the root', () => {
    wrong(workerLines, { 'workers/a.ts': lines(61) }, /^workers\/a.ts: 61 lines, 60 at most/)
    wrong(readmeLines, { 'src/edge/README.md': lines(151) }, /151 lines, 150 at most/)
    fine(readmeLines, { 'README.md': lines(400) })
  })
})

describe('words', () => {
  it.each([
    ['const tenantId = 1', /Say business for tenant/],
    ['const byTenant = 1', /Say business for tenant/],
    ['const claimId = 1', /claimId/],
    ['function handleEvent() {}', /not who calls it/],
    ['const stringUtils = 1', /what it does/],
  ])('of others are found in `%s`', (text, message) => {
    wrong(glossary, { 'src/a.ts': text }, message)
  })

  it('of ours pass, and so do words in strings', () => {
    fine(glossary, { 'src/a.ts': `const handler = 'tenant'; const handlers = utility` })
  })

  it('name files after what is in them', () => {
    for (const path of ['src/utils.ts', 'src/lib/a.ts', 'test/helpers/a.ts', 'src/wire/common.ts'])
      wrong(glossary, { [path]: '' }, /does not say what is in it/)
  })

  it('put nothing off', () => {
    wrong(noReminders, { 'src/a.ts': '// TODO: later' }, /^src\/a.ts:1: TODO/)
    wrong(noReminders, { 'src/a.sql': '-- FIXME' }, /FIXME/)
    fine(noReminders, { 'src/a.ts': `const currency = 'XXX'` })
  })

  it('are of one version', () => {
    const text = `a\n${'<'.repeat(7)} HEAD\nb\n${'>'.repeat(7)} other\n`
    wrong(noConflicts, { 'src/a.md': text }, /^src\/a.md:2: .*Finish/, /^src\/a.md:4: /)
  })

  it('are exported by name', () => {
    wrong(namedExports, { 'src/a.ts': 'export default 1' }, /Give it a name/)
    wrong(namedExports, { 'src/a.ts': 'export { a as default }' }, /Give it a name/)
    fine(namedExports, { 'workers/a.ts': 'export default 1' })
  })

  it('keep secrets out of the log', () => {
    for (const logged of ['{ apiKey }', '{ key: signingSecret }', 'event.payload', '{ body: x() }'])
      wrong(noLoggedSecrets, { 'src/a.ts': `logger.info(${logged}, 'x')` }, /Log an id/)
    fine(noLoggedSecrets, { 'src/a.ts': `logger.warn({ bytes }, 'a body'); send(body)` })
  })
})

describe('layout', () => {
  it('keeps the top level short', () => {
    expect(topLevel(['src', 'README.md', '.npmrc', 'dist'], ['dist'])).toEqual([])
    expect(topLevel(['notes.md'], [])).toEqual([expect.stringMatching(/^notes.md: does not/)])
  })

  it('gives a page one title, and at its head', () => {
    fine(oneTitle, { 'a.md': '# A\n\n## B\n\n```sh\n# a comment\n```\n' })
    wrong(oneTitle, { 'a.md': '# A\n\n# B\n' }, /^a.md:3: a second title/)
    wrong(oneTitle, { 'a.md': 'Words\n# A\n' }, /^a.md:1: begins without a title/)
  })

  it('pins versions', () => {
    fine(pinned, { 'package.json': '{"dependencies":{"a":"1.2.3","b":"18.4.0-beta.17"}}' })
    for (const range of ['^1.2.3', '1.x', 'latest', '>=1.0.0'])
      wrong(pinned, { 'package.json': `{"devDependencies":{"a":"${range}"}}` }, /Pin one exact/)
  })
})

describe('citations', () => {
  const page = { 'src/pages/docs/credits.md': '# Credits\n\n## Cycle end\n' }

  it('lead to a heading of the manual, or of a document by its path', () => {
    fine(citations, { ...page, 'src/a.ts': '/** Expires. [credits#cycle-end] */' })
    fine(citations, { ...page, 'src/a.ts': '// [src/pages/docs/credits.md#credits]' })
    wrong(citations, { ...page, 'src/a.ts': '// [credits#cycle-begin]' }, /credits#cycle-begin is/)
    wrong(
      citations,
      { ...page, 'src/a.ts': '/**\n * [credits#cycle-end,\n * debits#cycle-end]\n */' },
      /debits#cycle-end is not there/,
    )
  })

  it.each(['[ruling 24]', '(design 3, rule 8)', '[contract D.5]', '[interfaces, Metrics]'])(
    'lead nowhere else: %s',
    (cited) => wrong(citations, { 'src/a.ts': `// ${cited}` }, /cannot be opened/),
  )
})
