import type { Line } from '../../harness/result.ts'
import type { Site } from '../../harness/site.ts'
import type { Workload } from '../../harness/workload.ts'
import type { Shape } from './measure.ts'
import { measured } from './measure.ts'

/** Cells of one bench, no two of which share an id of an event. */
export interface Cells {
  /** Measures one. Compilers and caches have seen it before it counts. */
  cell(site: Site, label: string, shape: Omit<Shape, 'forMs'>): Promise<Line>
  workload(site: Site, batch: number): Workload
}

/** `forMs`: for how long each is loaded. */
export function openCells(forMs: number): Cells {
  let number = 0
  return { cell, workload }

  async function cell(site: Site, label: string, shape: Omit<Shape, 'forMs'>): Promise<Line> {
    const { idPrefix } = shape.workload
    const warm = { ...shape.workload, idPrefix: idPrefix.replace(/0$/, 'w') }
    await measured(site, label, { ...shape, workload: warm, forMs: forMs / 4 })
    return measured(site, label, { ...shape, forMs })
  }

  function workload(site: Site, batch: number): Workload {
    number += 1
    return site.workload(`cliff${number}x`, batch)
  }
}

/** One line for each value, one after the other. */
export async function lineForEach(
  values: readonly number[],
  lineOf: (value: number) => Promise<Line>,
): Promise<readonly Line[]> {
  const lines: Line[] = []
  for (const value of values) lines.push(await lineOf(value))
  return lines
}
