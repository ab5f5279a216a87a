import { expect, it } from 'vitest'
import { oneMeaning, oneSurname } from './names.ts'
import { treeOf } from './tree.ts'

const found = (texts: Readonly<Record<string, string>>, allowed: readonly string[] = []) =>
  oneMeaning(allowed)(treeOf(texts))

const link = 'export interface Link {}\n'

it('finds an exported name that means two things, of whatever kind', () => {
  const texts = { 'src/rules/a.ts': link, 'src/parts/b.ts': '\nexport const Link = 1\n' }
  expect(found(texts)).toEqual([
    expect.stringMatching(/^src\/rules\/a.ts:1, src\/parts\/b.ts:2: Link means 2 things/),
  ])
  const asynchronous = {
    'src/a.ts': 'export async function* run() {}',
    'src/b.ts': 'export type run = 1',
  }
  expect(found(asynchronous)).toHaveLength(1)
})

it('lets tests, private names and comments say what they like', () => {
  expect(found({ 'src/a.ts': link, 'test/a.ts': link })).toEqual([])
  expect(found({ 'src/a.ts': link, 'src/b.ts': 'interface Link {}' })).toEqual([])
  expect(found({ 'src/a.ts': link, 'src/b.ts': `/*\n${link}*/` })).toEqual([])
})

it('lets drivers of one part name the same thing alike, in files of the same name', () => {
  const drivers = { 'src/parts/log/one/record.ts': link, 'src/parts/log/two/record.ts': link }
  expect(found(drivers)).toEqual([])
  const other = { 'src/parts/log/one/record.ts': link, 'src/parts/log/two/reader.ts': link }
  expect(found(other)).toHaveLength(1)
  const port = { 'src/parts/log/port.ts': link, 'src/parts/log/two/port.ts': link }
  expect(found(port)).toHaveLength(1)
})

it('is a ratchet: what is allowed and no longer needed goes', () => {
  const twice = { 'src/a.ts': link, 'src/b.ts': link }
  expect(found(twice, ['Link'])).toEqual([])
  expect(found({ 'src/a.ts': link }, ['Link'])).toEqual([
    expect.stringMatching(/Link means one thing now/),
  ])
})

it('gives dependencies one surname, and leaves plain values their own', () => {
  const surnames = (text: string) => oneSurname(treeOf({ 'src/a.ts': text }))
  expect(surnames('export interface ReaderPorts {\n}')).toEqual([
    expect.stringMatching(/^src\/a.ts:1: ReaderPorts holds dependencies/),
  ])
  expect(surnames('type ReaderDeps = Reader')).toHaveLength(1)
  expect(surnames('interface ReadOptions {\n  readonly clock: Pick<Clock>\n}')).toHaveLength(1)
  expect(surnames('interface ReadOptions {\n  readonly max: number\n}')).toEqual([])
  expect(surnames('interface ReadNeeds {\n  readonly clock: Clock\n}')).toEqual([])
})
