import { describe, expect, it } from 'vitest'
import { namedColumns } from './sql.ts'
import { treeOf } from './tree.ts'

const problems = (texts: Readonly<Record<string, string>>) => namedColumns(treeOf(texts))
const wrong = (texts: Readonly<Record<string, string>>, message: RegExp): void => {
  const found = problems(texts)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(message)
}

describe('inserts', () => {
  it.each([
    'insert into meters values (1)',
    'insert into meters as m select n.* from n',
    "execute format('insert into %I select * from moved', part)",
  ])('%s goes by position', (sql) => {
    wrong({ 'src/parts/store/postgres/a.sql': sql }, /:1: inserts into .*Name the col/)
    wrong({ 'src/a.ts': `const a = sql\`${sql}\`` }, /^src\/a.ts:1: .* by position/)
  })

  it.each([
    'insert into meters (a, b)\nselect n.*\nfrom n',
    'insert into meters as m (a, b) select 1, block.*, 2 from block',
    'insert into meters (a) select distinct * from n',
  ])('%s takes what there is by position', (sql) => {
    wrong({ 'a.sql': sql }, /:1: inserts into meters all that there is.*Name what/)
  })

  it('a star in what is read, counted, or said goes on', () => {
    const fine = {
      'a.sql':
        '-- insert into meters values (1)\ninsert into meters (a) select n.a from (select * from n) n',
      'b.sql': 'insert into meters (a) select count(*) from n',
      'src/a.ts': 'const a = sql`insert into meters (a, b) values (1, 2) returning *`',
    }
    expect(problems(fine)).toEqual([])
  })
})
