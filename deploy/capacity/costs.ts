import { readFileSync } from 'node:fs'
import type { Report } from '../../bench/harness/report.ts'

/** What an event costs, by part, as a bench has measured it. */
export interface Costs {
  /** CPU of a gateway; microseconds. */
  readonly gateway: number
  /** Events a second that one gateway has accepted, beside everything else of the bench. */
  readonly gatewayRate: number
  /** CPU of measuring, settling, telling and archiving; microseconds. */
  readonly engine: number
  /** Events a second that one engine has measured, beside everything else of the bench. */
  readonly engineRate: number
  /** Microseconds. */
  readonly postgres: number
  readonly redis: number
}

/**
 * The costs in reports of `npm run bench -- distributed-edge distributed-end-to-end --json FILE`;
 * the two may be in one file or in several.
 *
 * @throws Error naming a figure that no report has.
 */
export function costsOf(reports: readonly Report[]): Costs {
  const edge = (name: string) => figureOf(reports, ['distributed-edge', 'sluice, batch 100', name])
  const whole = (name: string) =>
    figureOf(reports, ['distributed-end-to-end', 'accepted → settled', name])
  return {
    gateway: edge('CPU/event'),
    gatewayRate: edge('events/s'),
    // The process of that bench has all roles: what is not the edge's thread is the engine.
    engine: whole('CPU/event') - whole('of it the edge’s thread'),
    engineRate: whole('measured/s'),
    postgres: whole('PostgreSQL/event'),
    redis: whole('Redis/event'),
  }
}

export const readReport = (path: string): Report => JSON.parse(readFileSync(path, 'utf8'))

function figureOf(
  reports: readonly Report[],
  [bench, label, name]: readonly [bench: string, label: string, name: string],
): number {
  const value = reports
    .flatMap(({ results }) => results)
    .filter((result) => result.name === bench)
    .flatMap(({ lines }) => lines.filter((line) => line.label === label))
    .flatMap(({ figures }) => figures.filter((figure) => figure.name === name))
    .at(-1)?.value
  if (value !== undefined) return value
  throw new Error(`No report has '${name}' of '${label}': run the bench ${bench} with --json.`)
}
