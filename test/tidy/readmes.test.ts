import { expect, it } from 'vitest'
import { namesThatExist } from './readmes.ts'
import { treeOf } from './tree.ts'

const found = (text: string) =>
  namesThatExist(
    treeOf({
      'src/room/README.md': text,
      'src/room/there.ts': 'export function thatIs(): void {}',
      'test/room/there.test.ts': '',
    }),
  )

it('finds a file and a function that a README names and that is gone', () => {
  for (const gone of ['gone.ts', 'room/gone.ts', '../there.ts', 'goneAway', 'gone()'])
    expect(found(`# Room\n\nSee \`${gone}\`.`)).toEqual([
      expect.stringMatching(/^src\/room\/README\.md:3: .* is not there/),
    ])
})

it('finds what exists, however it is named, and lets other words be', () => {
  const fine = ['there.ts', 'room/there.ts', './there.ts', '../../test/room/there.test.ts']
  for (const name of [...fine, 'src/room/there.ts', 'thatIs', 'thatIs()', 'GET /gone', 'gone'])
    expect(found(`\`${name}\``)).toEqual([])
})
