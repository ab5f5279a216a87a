import { expect, it } from 'vitest'
import { docstringsExplain, namedActors, wholeParagraphs } from './comments.ts'
import type { Rule } from './tree.ts'
import { treeOf } from './tree.ts'

const found = (rule: Rule, text: string, path = 'src/a.ts') => rule(treeOf({ [path]: text }))

it('finds an actor without a name, in comments alone', () => {
  const wrong = [expect.stringMatching(/^src\/a\.\w+:2: "whoever"/)]
  expect(found(namedActors, '/**\n * Whoever asks.\n */\nconst a = 1')).toEqual(wrong)
  expect(found(namedActors, 'const a = 1\n// Tells whoever asks.')).toEqual(wrong)
  expect(found(namedActors, 'select 1;\n-- for whoever asks', 'src/a.sql')).toEqual(wrong)
  expect(found(namedActors, "const whoever = 'whoever'\nconst b = `\n// whoever`")).toEqual([])
})

it('finds a docstring that explains nothing', () => {
  const wrong = [expect.stringMatching(/^src\/a\.ts:2: a docstring of nothing/)]
  expect(found(docstringsExplain, 'a()\n/** A thing. */\n\nconst a = 1')).toEqual(wrong)
  expect(found(docstringsExplain, 'a()\n/**\n * A\n * thing.\n */\n\nconst a = 1')).toEqual(wrong)
  expect(found(docstringsExplain, 'a()\n/** A. */\n/** A thing. */\nconst a = 1')).toEqual(wrong)
  expect(found(docstringsExplain, '/** A thing. */\nconst a = 1\n\n// Things.\n\n')).toEqual([])
})

it('finds a paragraph that an edit has broken', () => {
  const wrong = [expect.stringMatching(/^src\/a\.\w+:2: breaks off/)]
  const broken = ['Reads what is there and', 'answers what it has read to the caller that asked.']
  const comment = (lines: readonly string[], mark = ' *') =>
    lines.map((line) => `${mark} ${line}`).join('\n')
  expect(found(wholeParagraphs, `/**\n${comment(broken)}\n */\na()`)).toEqual(wrong)
  expect(found(wholeParagraphs, `a()\n${comment(broken, '//')}`)).toEqual(wrong)
  expect(found(wholeParagraphs, `a()\n${comment(broken, '--')}`, 'src/a.sql')).toEqual(wrong)
  const fine = [
    'There are two:',
    '- one',
    '- another',
    '',
    'Last:',
    '  run it',
    'x'.repeat(90),
    'y',
  ]
  expect(found(wholeParagraphs, comment(fine, '//'))).toEqual([])
})
