import { expect, it } from 'vitest'
import { noProps } from './exports.ts'
import { treeOf } from './tree.ts'

const tree = treeOf({
  'src/rules/a.ts': 'export const used = 1\n/** Also prop. */\nexport function prop(): void {}',
  'src/rules/b.ts': "import { used } from './a.ts'\nconst text = 'prop'\nexport type Known = 1",
  'test/a.test.ts': "import { prop } from '../src/rules/a.ts'\nprop()",
})

it('finds what tests alone use', () => {
  expect(noProps([])(tree)).toEqual([expect.stringMatching(/^src\/rules\/a\.ts:3: .* uses prop\./)])
})

it('lets be what is awaited, by name or by place', () => {
  expect(noProps(['prop'])(tree)).toEqual([])
  expect(noProps(['src/rules/a'])(tree)).toEqual([])
})
