import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run/root.ts'

type Check = (headers: Readonly<Record<string, unknown>>, now: number) => readonly number[]

/** The lines of the manual that check for gaps, as a receiver would have them. */
export function gapsOfManual(): { readonly gaps: Check; readonly lines: number } {
  const page = readFileSync(join(root, 'src/pages/docs/webhooks.md'), 'utf8')
  const [, lines = ''] = /```js\n([^`]*function gaps[^`]*)```/.exec(page) ?? []
  const gaps = new Function(`${lines}; return gaps`)() as Check
  return { gaps, lines: lines.trim().split('\n').length }
}
