import { expect, it } from 'vitest'
import type { CpuProfile } from '../../bench/drawing/flame.ts'
import { flameOf } from '../../bench/drawing/flame.ts'

const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 6 })

const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5] },
    { id: 2, callFrame: frame('take', 'file:///home/me/sluice/dist/run/A.js'), children: [3, 4] },
    { id: 3, callFrame: frame('parse<b>') },
    { id: 4, callFrame: frame('query', 'file:///home/me/sluice/node_modules/pg/lib/client.js') },
    { id: 5, callFrame: frame('(idle)') },
  ],
  samples: [3, 5, 4, 2],
  timeDeltas: [500, 9_000, 250, 250],
}

it('is as wide as the time in which a function was on the stack, idling left out', () => {
  const drawn = flameOf(profile, 'one & two')
  const told = [...drawn.matchAll(/<title>([^<]*)<\/title><rect[^>]* width="([\d.]+)"/g)]
  expect(told.map(([, text, width]) => [text, Number(width)])).toEqual([
    ['all: 100.0 %', 1_200],
    ['take (dist/run/A.js:7): 100.0 %', 1_200],
    ['parse&lt;b&gt;: 50.0 %', 600],
    ['query (pg/lib/client.js:7): 25.0 %', 300],
  ])
  expect(drawn).toContain('one &amp; two')
  expect(drawn).not.toContain('/home/me')
})
