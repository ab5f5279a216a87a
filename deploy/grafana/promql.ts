import type { Panel } from './panels.ts'

const each = '[$__rate_interval]'
export const rate = (series: string): string => `rate(${series}${each})`
export const summed = (series: string, by: string): string => `sum by (${by}) (${rate(series)})`

/** Where nothing has happened there is no series yet; a rare thing shows as 0. */
export const rare = (query: string): string => `${query} or vector(0)`

/** Two quantiles of a histogram in seconds. */
export const quantiles = (histogram: string): Panel['queries'] =>
  [0.5, 0.99].map((quantile) => [
    `histogram_quantile(${quantile}, ${summed(`${histogram}_bucket`, 'le')})`,
    `p${quantile * 100}`,
  ])
