import { describe, expect, it } from 'vitest'
import type { Spoken } from './dialect.ts'
import { oneDialect } from './dialect.ts'
import { treeOf } from './tree.ts'

const found = (texts: Readonly<Record<string, string>>, ...allowed: readonly Spoken[]) =>
  oneDialect(allowed)(treeOf(texts))

describe('the dialect of the domain', () => {
  const line = { 'src/rules/meter/line.ts': 'export const idOf = (line: Line) => line.event_id' }
  const logged = { why: 'a line', names: ['event_id'], files: ['src/rules/meter/line.ts'] }

  it.each([
    'interface Price {\n  readonly tax_inclusive: boolean\n}',
    '\nconst price = { tax_inclusive: true }',
    '\nconst taxed = price.tax_inclusive',
    '\nconst { tax_inclusive: taxed } = price',
  ])('has no `%s`', (text) => {
    for (const room of ['rules/a', 'operations/a', 'edge/api', 'engine/webhooks'])
      expect(found({ [`src/${room}/a.ts`]: text })).toEqual([
        expect.stringMatching(/a\.ts:2: tax_inclusive\. Speak/),
      ])
    for (const room of ['wire', 'parts/store/postgres', 'cli'])
      expect(found({ [`src/${room}/a.ts`]: text })).toEqual([])
  })

  it('says what it likes in strings and comments', () => {
    const text = "// tax_inclusive\nconst a = 'tax_inclusive'\nconst b = `tax_inclusive`"
    expect(found({ 'src/rules/a.ts': text })).toEqual([])
  })

  it('has exceptions that only shrink', () => {
    expect(found(line, logged)).toEqual([])
    const other = { ...line, 'src/rules/b.ts': 'a.event_id' }
    expect(found(other, logged)).toEqual([expect.stringMatching(/^src\/rules\/b.ts:1: event_id/)])
    const more = { ...logged, names: ['event_id', 'event_name'] }
    expect(found(line, more)).toEqual([expect.stringMatching(/event_name needs no exception/)])
    const gone = { ...logged, files: [...logged.files, 'src/rules/gone.ts'] }
    expect(found(line, gone)).toEqual([expect.stringMatching(/gone.ts needs no exception/)])
  })
})
