import { expect, it } from 'vitest'
import { treeOf } from './tree.ts'
import { nothingPacked } from './words.ts'

it('finds an object that is spread to pack its parts, and lets others be', () => {
  const found = (text: string) => nothingPacked(treeOf({ 'src/a.ts': text }))
  expect(found('f({\n  ...{ a, b },\n})')).toEqual([
    expect.stringMatching(/^src\/a.ts:2: a packed/),
  ])
  expect(found('f({ ...a, ...(b ? {} : { c }), ...{} })')).toEqual([])
})
