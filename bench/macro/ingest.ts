import type { Figure, Goal, Line, Result } from '../harness/result.ts'
import { figure } from '../harness/result.ts'
import { openSite } from '../harness/site.ts'
import type { Run } from '../harness/sizes.ts'
import { startIdleServer } from './idle-servers.ts'
import type { Target, Turns } from './turns.ts'
import { figuresOf, shapes, takeTurns, timesOf } from './turns.ts'

/** What accepting an event durably costs, compared with reading, parsing and validating it. */
export async function benchIngest(run: Run, withEdge: boolean): Promise<readonly Result[]> {
  // Nothing measures meanwhile, so what is left is the edge and its log.
  const program = new URL('../support/edge-server.js', import.meta.url)
  const site = await openSite({ ...run, program })
  const parse = await startIdleServer('parse')
  const { apiKey, workload } = site
  const targets: Target[] = [{ name: 'parse', pid: parse.pid, url: parse.url, apiKey, workload }]
  if (withEdge) targets.push({ name: 'edge', pid: site.pid, url: site.url, apiKey, workload })
  const turns = await takeTurns(targets, { size: run, shapes, name: 'e' })
  parse.stop()
  await site.stop()
  return targets.map(({ name }) => resultOf(name, turns))
}

function resultOf(name: string, turns: Turns): Result {
  const ratioOf = (batch: number): number | null =>
    name === 'edge' ? timesOf(turns.of('parse', batch), turns.of('edge', batch)) : null
  const lines = shapes.map(({ batch }): Line => {
    const ratio = ratioOf(batch)
    const over: Figure[] = ratio === null ? [] : [figure('over parse', ratio, '×')]
    return {
      label: `${name}, batch ${batch}`,
      figures: [...figuresOf(turns.of(name, batch)), ...over],
    }
  })
  const ratio = ratioOf(shapes[0].batch)
  const goals: Goal[] =
    ratio === null
      ? []
      : [{ name: 'edge over parse', value: ratio, unit: '×', target: 0.6, better: 'more' }]
  return { name, lines, goals, checksum: '' }
}
